import { expect, test } from 'vitest'
import type { Sheet } from './compose-sheet.ts'
import { createPrinter } from './printer.ts'

const sheet: Sheet = {
  language: 'en',
  title: 'Receipt',
  number: '2026-1',
  mark: '',
  issuer: { name: 'Lakeside', lines: [], color: '' },
  fields: [['Received from', '欧阳磊']],
  lineHeads: ['Purpose', 'Amount'],
  lines: [['Tuition', '1.00']],
  sums: [['Total', '1.00']],
  sections: [],
}

test('a school that prints many documents does not delay another, and its queue is bounded', async () => {
  const printer = createPrinter()
  const done: string[] = []
  const print = (corp_id: string) =>
    printer.print(corp_id, sheet, undefined).then(
      (pdf) => {
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
        done.push(corp_id)
      },
      ({ code }) => void done.push(`${corp_id} ${code}`),
    )
  await Promise.all([...Array.from({ length: 20 }, () => print('crowd')), print('other')])
  const drawn = done.filter((name) => !name.includes(' '))
  expect(drawn.indexOf('other')).toBeLessThan(3)
  // On a slow machine, more of the queue may time out.
  expect(done.filter((name) => name === 'crowd 50301').length).toBeGreaterThanOrEqual(3)
  expect(done).toHaveLength(21)
})
