import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LocalTime } from './local-time.ts'

const zones = [
  'UTC',
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
]

test('a time is the instant that its zone says', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.parse('1970-01-02') / 1000, max: Date.parse('2037-12-31') / 1000 }),
      (zone, seconds) => {
        const shown = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone)
        const text = shown.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')
        const wanted = shown.toPlainDateTime().toZonedDateTime(zone)
        const time = new LocalTime(text, zone)
        expect(time.instant.getTime()).toBe(wanted.epochMilliseconds)
        expect(Temporal.ZonedDateTime.from(String(time)).epochMilliseconds).toBe(wanted.epochMilliseconds)
      },
    ),
  )
})

test('of a time that exists twice, it is the first', () => {
  expect(String(new LocalTime('2026-10-25 02:30:00', 'Europe/Berlin'))).toBe(
    '2026-10-25T02:30:00+02:00[Europe/Berlin]',
  )
  expect(JSON.stringify(new LocalTime('2026-11-15 09:30:05', 'Asia/Shanghai'))).toBe(
    '"2026-11-15T09:30:05+08:00[Asia/Shanghai]"',
  )
})

test('another text is refused', () => {
  for (const text of ['', '2026-11-15', 'tomorrow'])
    expect(() => new LocalTime(text, 'UTC')).toThrow(RangeError)
})
