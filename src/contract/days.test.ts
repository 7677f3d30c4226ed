import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deadlineOf, endOfDay, instantOfLocal, monthsLater, startOfDay } from './days.ts'

const hour = 3_600_000

test.each([
  ['America/New_York', '2024-03-10', '2024-03-10T05:00:00Z', 23],
  ['America/New_York', '2024-11-03', '2024-11-03T04:00:00Z', 25],
  ['America/New_York', '2024-06-01', '2024-06-01T04:00:00Z', 24],
  ['Asia/Shanghai', '2024-02-29', '2024-02-28T16:00:00Z', 24],
  // Midnight does not exist here: the clocks go from 24:00 to 01:00.
  ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00Z', 23],
  ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z', 23],
  // The last hour of these days comes twice.
  ['America/Santiago', '2024-04-06', '2024-04-06T03:00:00Z', 25],
  ['Asia/Beirut', '2021-10-30', '2021-10-29T21:00:00Z', 25],
  // Midnight itself comes twice.
  ['America/Havana', '2024-11-03', '2024-11-03T04:00:00Z', 25],
  ['Australia/Lord_Howe', '2024-04-07', '2024-04-06T13:00:00Z', 24.5],
  // The zone skipped this day to move across the date line.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
  ['UTC', '9999-12-30', '9999-12-30T00:00:00Z', 24],
  ['UTC', '0001-01-01', '0001-01-01T00:00:00Z', 24],
])('in %s the day %s begins at %s and has %d hours', (zone, date, start, hours) => {
  expect(startOfDay(date, zone)).toEqual(new Date(start))
  expect((endOfDay(date, zone).getTime() - startOfDay(date, zone).getTime()) / hour).toBe(hours)
})

test('days have no gaps, and an instant is in the day that the clock of the zone shows', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'America/Santiago',
    'Asia/Beirut',
    'Asia/Shanghai',
    'Europe/Lisbon',
  ]
  const instants = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2037, 0) })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, ms) => {
      const day = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
      const date = day.toString()
      expect(startOfDay(date, zone).getTime()).toBeLessThanOrEqual(ms)
      expect(endOfDay(date, zone).getTime()).toBeGreaterThan(ms)
      expect(endOfDay(date, zone)).toEqual(startOfDay(day.add({ days: 1 }).toString(), zone))
    }),
    { numRuns: 500 },
  )
})

test('the instants of every day in every zone can be written, and are on that day', () => {
  const zones = [
    'UTC',
    'Pacific/Kiritimati',
    'Asia/Shanghai',
    'America/New_York',
    'Etc/GMT+12',
    'Europe/Dublin',
  ]
  const edges = ['0001-01-01', '0001-01-02', '9999-12-30', '9999-12-31']
  const anyDay = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const days = fc.oneof(fc.constantFrom(...edges), anyDay)
  const times = fc.constantFrom('', ' 00:00:00', ' 12:30:00', ' 23:59:59')
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, times, (zone, day, time) => {
      const [local, deadline] = [instantOfLocal(`${day}${time}`, zone), deadlineOf(`${day}${time}`, zone)]
      for (const instant of [startOfDay(day, zone), local, deadline]) {
        // Four digits for the year, and no sign: PostgreSQL reads this form unchanged.
        expect(instant.toISOString()).toMatch(/^(?!0000)\d{4}-/)
        // Where clocks skip midnight, the day begins later.
        expect(instant.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate().toString()).toBe(day)
      }
      expect(endOfDay(day, zone).toISOString()).toMatch(/^\d{4}-/)
      expect(endOfDay(day, zone) > startOfDay(day, zone)).toBe(true)
      expect(deadline <= endOfDay(day, zone)).toBe(true)
    }),
    { numRuns: 500, examples: zones.flatMap((zone) => edges.map((day) => [zone, day, ''] as never)) },
  )
})

test('no day follows the last day of the calendar', () => {
  expect(monthsLater('9999-11-30', 1)).toBe('9999-12-30')
  expect(monthsLater('9999-12-01', 59)).toBe('9999-12-31')
})
