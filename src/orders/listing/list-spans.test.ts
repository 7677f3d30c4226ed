import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansOf } from './list-spans.ts'

const day = (n: number) => Temporal.PlainDate.from('2023-11-15').add({ days: n }).toString()

test('whole months and single days cover the range, each day once', () => {
  const range = fc.tuple(fc.nat(800), fc.nat(120))
  fc.assert(
    fc.property(range, ([first, length]) => {
      const [from, until] = [day(first), day(first + length)]
      const spans = spansOf({ from, until })
      const isWhole = (each: string) => each >= spans.wholeFrom && each < spans.wholeUntil
      const counted: string[] = []
      for (let n = first - 70; n <= first + length + 70; n++) {
        const each = day(n)
        const month = `${each.slice(0, 7)}-01`
        const bySingleDay =
          (each >= spans.from && each < spans.wholeFrom) || (each >= spans.wholeUntil && each <= spans.until)
        if (isWhole(month)) counted.push(each)
        if (bySingleDay) counted.push(each)
      }
      expect(counted).toEqual(Array.from({ length: length + 1 }, (_, n) => day(first + n)))
    }),
  )
})

test('a range that covers a month counts it as a whole', () => {
  expect(spansOf({ from: '2024-01-31', until: '2024-03-01' })).toMatchObject({
    wholeFrom: '2024-02-01',
    wholeUntil: '2024-03-01',
  })
  expect(spansOf({ from: '2024-02-01', until: '2024-02-29' })).toMatchObject({
    wholeFrom: '2024-02-01',
    wholeUntil: '2024-03-01',
  })
  expect(spansOf({})).toMatchObject({ from: '0001-01-01', wholeFrom: '0001-01-01' })
})

test('the last month of the calendar is counted as a whole', () => {
  expect(spansOf({ until: '9999-12-31' })).toEqual(spansOf({}))
  expect(spansOf({})).toMatchObject({ until: '9999-12-31', wholeUntil: '10000-01-01' })
})
