import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Sheet } from './compose-sheet.ts'
import { drawSheet } from './draw-sheet.ts'
import { runsOf } from './fonts.ts'

const sheetOf = (texts: string[]): Sheet => ({
  ...{ language: 'en', title: 'Receipt 收据', number: 'No. 2026-00000001', mark: '' },
  issuer: { name: 'Lakeside', lines: [], color: '' },
  fields: texts.map((text) => ['Received from', text]),
  lineHeads: ['Description', 'Amount'],
  lines: texts.map((text) => [text, '1.00']),
  sums: [['Total', '1.00']],
  sections: [],
})

/** The glyphs that a PDF draws, and its embedded fonts. Glyph 0 is the box of a missing character. */
async function drawn(texts: string[]): Promise<{ glyphs: string[]; fonts: number }> {
  const pdf = Buffer.from(await drawSheet(sheetOf(texts), undefined)).toString('latin1')
  const streams = Array.from(
    pdf.matchAll(/FlateDecode[\s\S]*?stream\n([\s\S]*?)\nendstream/g),
    ([, text]) => {
      try {
        return inflateSync(Buffer.from(text!, 'latin1')).toString('latin1')
      } catch {
        return ''
      }
    },
  )
  const shown = streams.flatMap((text) => Array.from(text.matchAll(/\[([^\]]*)\] TJ/g), ([, all]) => all!))
  const hex = shown.flatMap((all) => Array.from(all.matchAll(/<([0-9a-f]*)>/g), ([, digits]) => digits!))
  return {
    glyphs: hex.flatMap((digits) => digits.match(/.{4}/g) ?? []),
    fonts: pdf.split('/FontFile').length - 1,
  }
}

const names = {
  polish: 'Łukasz Wałęsa',
  hungarian: 'Erdős Győző',
  romanian: 'Ștefan Țurcanu',
  vietnamese: 'Nguyễn Văn Đức Trần Thị Hương',
  welsh: 'Siân Ŵyn',
  russian: 'Иванов Пётр',
  ukrainian: 'Їжак Ґалаґан',
  greek: 'Αλέξανδρος Παπαδόπουλος',
  kana: 'たなか タナカ 田中',
  korean: '김철수 박뷁',
  arabic: 'محمد علي',
  hebrew: 'דוד כהן',
  hindi: 'राम कुमार',
  chinese: '欧阳喆 䶮 陳國強',
  mixed: '田中 Łukasz 김철수 (Ștefan) · €5 ₹',
  decomposed: 'Andre\u0301 Z\u030Cizˇek',
}

test.each(Object.entries(names))('a font has every letter of a name in %s', (_, name) => {
  for (const weight of ['regular', 'bold'] as const) {
    const runs = runsOf(name, weight)
    expect(runs.map(({ text }) => text).join('')).toBe(name.normalize())
    for (const { text, font } of runs)
      for (const letter of text) expect([letter, font.has(letter.codePointAt(0)!)]).toEqual([letter, true])
  }
})

test('names in all scripts are drawn without a missing glyph', async () => {
  const { glyphs } = await drawn([...Object.values(names), 'สมชาย 😀'])
  expect(glyphs.length).toBeGreaterThan(300)
  expect(glyphs).not.toContain('0000')
}, 60_000)

test('a character without a font is drawn as a question mark', () => {
  expect(runsOf('สมชาย', 'bold').map(({ text }) => text)).toEqual(['?????'])
})

test('only the fonts in use are embedded', async () => {
  const plain = await drawn(['Li Ming 李明'])
  expect((await drawn(['Li Ming 李明', '김철수'])).fonts).toBe(plain.fonts + 1)
}, 60_000)
