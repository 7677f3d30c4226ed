import type PDFDocument from 'pdfkit'
import { type LoadedFont, mainFont, type Run, runsOf, type Weight } from './fonts.ts'

type Pdf = InstanceType<typeof PDFDocument>

interface Style {
  weight: Weight
  size: number
  color: string
}

interface Box {
  width: number
  align?: 'left' | 'right'
}

/** Writes texts of any script into a PDF. */
export interface Writer {
  style(style: Style): void
  heightOf(text: string, width: number): number
  /** Writes into a box at a place, and moves `pdf.y` below the text. */
  write(text: string, x: number, y: number, box: Box): void
}

interface Token {
  text: string
  font: LoadedFont
  width: number
}

/** pdfkit writes a text in one font. A text that needs several is split, measured and placed here. */
export function createWriter(pdf: Pdf): Writer {
  const registered = new Set<string>()
  let style: Style = { weight: 'regular', size: 10, color: '#111' }

  function use({ name, content }: LoadedFont): void {
    if (!registered.has(name)) pdf.registerFont(name, content)
    registered.add(name)
    pdf.font(name)
  }

  function useMain(): LoadedFont {
    const main = mainFont(style.weight)
    use(main)
    pdf.fontSize(style.size).fillColor(style.color)
    return main
  }

  function linesOf(runs: Run[], width: number): Token[][] {
    const lines: Token[][] = [[]]
    let used = 0
    for (const { text, font } of runs.flatMap(partsOf)) {
      use(font)
      const token = { text, font, width: pdf.widthOfString(text) }
      const isEnd = text === '\n'
      if (isEnd || (used > 0 && used + token.width > width)) {
        lines.push([])
        used = 0
      }
      // A line begins with a word.
      if (isEnd || (used === 0 && text.trim() === '')) continue
      lines.at(-1)!.push(token)
      used += token.width
    }
    return lines.map(inVisualOrder)
  }

  return {
    style(wanted) {
      style = wanted
    },
    heightOf(text, width) {
      const runs = runsOf(text, style.weight)
      const main = useMain()
      const plain = plainText(runs, main)
      if (plain !== undefined) return pdf.heightOfString(plain, { width })
      const lines = linesOf(runs, width).length
      useMain()
      return lines * pdf.currentLineHeight(true)
    },
    write(text, x, y, { width, align = 'left' }) {
      const runs = runsOf(text, style.weight)
      const main = useMain()
      const plain = plainText(runs, main)
      if (plain !== undefined) {
        pdf.text(plain, x, y, { width, align })
        return
      }
      const height = pdf.currentLineHeight(true)
      const lines = linesOf(runs, width)
      for (const [index, line] of lines.entries()) {
        const baseline = y + index * height + main.ascent * style.size
        const rest = width - line.reduce((sum, token) => sum + token.width, 0)
        let left = x + (align === 'right' ? rest : 0)
        for (const token of line) {
          use(token.font)
          pdf.text(token.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
          left += token.width
        }
      }
      useMain()
      pdf.x = x
      pdf.y = y + lines.length * height
    },
  }
}

/** The text to write, if it needs the main font only. */
function plainText(runs: Run[], main: LoadedFont): string | undefined {
  return runs.every(({ font }) => font === main) ? runs.map(({ text }) => text).join('') : undefined
}

/** Words, spaces, line ends and single Chinese characters: a line may break between them. */
function partsOf({ text, font }: Run): Run[] {
  const parts = text.match(
    /\n|[^\S\n]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu,
  )
  return (parts ?? []).map((part) => ({ text: part, font }))
}

const isRightToLeft = ({ text }: Token) => /[\p{sc=Arabic}\p{sc=Hebrew}]/u.test(text)

/** Words from right to left, with the spaces between them, are placed in reverse. Fonts reverse the letters of a word. */
function inVisualOrder(line: Token[]): Token[] {
  const placed: Token[] = []
  for (let start = 0; start < line.length; ) {
    let end = start
    for (let next = start; next < line.length && isOfGroup(line[next]!, next === start); next++)
      if (isRightToLeft(line[next]!)) end = next + 1
    if (end > start) placed.push(...line.slice(start, end).reverse())
    else placed.push(line[start]!)
    start = Math.max(end, start + 1)
  }
  return placed
}

function isOfGroup(token: Token, isFirst: boolean): boolean {
  return isRightToLeft(token) || (!isFirst && token.text.trim() === '')
}
