import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDate } from '../../console/src/languages/read-date.ts'
import { addMonths } from '../../console/src/parts/dates/calendar-days.ts'
import { writeDate, writeFullDate } from '../../console/src/parts/dates/write-date.ts'
import { instantOf, wallTimeOf } from '../../console/src/parts/zoned-time.ts'

// A Wednesday.
const now = '2026-11-18T10:30'
const inEnglish = { now, language: 'en', withTime: false } as const
const inChinese = { now, language: 'zh', withTime: false } as const

describe('a day', () => {
  test.each([
    ['2027-03-01', '2027-03-01'],
    ['2027/3/1', '2027-03-01'],
    ['20270301', '2027-03-01'],
    ['1 Dec', '2026-12-01'],
    ['1st December 2027', '2027-12-01'],
    ['Dec 1, 2027', '2027-12-01'],
    ['3 Jan', '2027-01-03'],
    ['1/12/2026', '2026-12-01'],
    ['1/12', '2026-12-01'],
    ['Wed, 18 Nov 2026', '2026-11-18'],
    ['Today', '2026-11-18'],
    ['tomorrow', '2026-11-19'],
    ['the day after tomorrow', '2026-11-20'],
    ['yesterday', '2026-11-17'],
    ['in 3 days', '2026-11-21'],
    ['in a week', '2026-11-25'],
    ['2 weeks ago', '2026-11-04'],
    ['in 1 month', '2026-12-18'],
    ['next Monday', '2026-11-23'],
    ['next Friday', '2026-11-27'],
    ['Friday', '2026-11-20'],
    ['wednesday', '2026-11-25'],
    ['last Friday', '2026-11-13'],
    ['this Thursday', '2026-11-19'],
    ['next week', '2026-11-23'],
    ['next month', '2026-12-01'],
    ['end of month', '2026-11-30'],
    ['31 April', undefined],
    ['29 Feb 2027', undefined],
    ['29/02/2028', '2028-02-29'],
    ['soon', undefined],
    ['3', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['in 99999 days', undefined],
  ])('%s is %s', (text, day) => {
    expect(readDate(text, inEnglish)).toBe(day)
  })

  test.each([
    ['2027年3月1日', '2027-03-01'],
    ['2027年3月1号', '2027-03-01'],
    ['12月1日', '2026-12-01'],
    ['1月3日', '2027-01-03'],
    ['12/1', '2026-12-01'],
    ['26/12/1', '2026-12-01'],
    ['20号', '2026-11-20'],
    ['今天', '2026-11-18'],
    ['明天', '2026-11-19'],
    ['后天', '2026-11-20'],
    ['大后天', '2026-11-21'],
    ['昨天', '2026-11-17'],
    ['三天后', '2026-11-21'],
    ['3天之后', '2026-11-21'],
    ['十五天后', '2026-12-03'],
    ['两周后', '2026-12-02'],
    ['两个月前', '2026-09-18'],
    ['下周一', '2026-11-23'],
    ['下星期天', '2026-11-29'],
    ['下下周一', '2026-11-30'],
    ['这周五', '2026-11-20'],
    ['周五', '2026-11-20'],
    ['上周五', '2026-11-13'],
    ['礼拜二', '2026-11-24'],
    ['下个月', '2026-12-01'],
    ['下个月5号', '2026-12-05'],
    ['明年3月1日', '2027-03-01'],
    ['月底', '2026-11-30'],
    ['２０２７-０３-０１', '2027-03-01'],
    ['2月30日', undefined],
    ['改天', undefined],
  ])('%s 是 %s', (text, day) => {
    expect(readDate(text, inChinese)).toBe(day)
  })

  test('without a year is the nearest one in the direction of its field', () => {
    const dated = (text: string, leaning: 'later' | 'earlier') => readDate(text, { ...inEnglish, leaning })
    expect(dated('1 Oct', 'later')).toBe('2027-10-01')
    expect(dated('1 Dec', 'earlier')).toBe('2025-12-01')
    expect(dated('Friday', 'earlier')).toBe('2026-11-13')
  })
})

describe('a time', () => {
  test.each([
    ['tomorrow 3 pm', '2026-11-19T15:00'],
    ['tomorrow at 3:30pm', '2026-11-19T15:30'],
    ['next Monday 9 am', '2026-11-23T09:00'],
    ['Sat 15:00', '2026-11-21T15:00'],
    ['tomorrow', '2026-11-19T09:00'],
    ['tomorrow noon', '2026-11-19T12:00'],
    ['3 pm', '2026-11-18T15:00'],
    ['9 am', '2026-11-19T09:00'],
    ['12 am', '2026-11-19T00:00'],
    ['in 2 hours', '2026-11-18T12:30'],
    ['in half an hour', '2026-11-18T11:00'],
    ['in 20 hours', '2026-11-19T06:30'],
    ['2027-03-01T10:30', '2027-03-01T10:30'],
    ['2027-03-01 10:30', '2027-03-01T10:30'],
    ['1 Dec 14:05', '2026-12-01T14:05'],
    ['1 Dec 2026, 14:05', '2026-12-01T14:05'],
    ['tomorrow 25:00', undefined],
    ['明天下午三点', '2026-11-19T15:00'],
    ['明天下午3点半', '2026-11-19T15:30'],
    ['明天下午3:30', '2026-11-19T15:30'],
    ['明天 15:00', '2026-11-19T15:00'],
    ['后天上午十点一刻', '2026-11-20T10:15'],
    ['下周一早上九点', '2026-11-23T09:00'],
    ['今晚八点', '2026-11-18T20:00'],
    ['明天中午', '2026-11-19T12:00'],
    ['下午三点', '2026-11-18T15:00'],
    ['12月1日14点05分', '2026-12-01T14:05'],
    ['两小时后', '2026-11-18T12:30'],
    ['半小时后', '2026-11-18T11:00'],
    ['三十分钟后', '2026-11-18T11:00'],
    ['明天二十五点', undefined],
  ])('%s is %s', (text, time) => {
    expect(readDate(text, { ...inEnglish, withTime: true })).toBe(time)
  })
})

const zones = [
  'Asia/Shanghai',
  'Europe/London',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'UTC',
] as const

test('a formatted value is parsed as the same time, in each zone and language', () => {
  const instants = fc.date({
    min: new Date('1000-01-02T00:00Z'),
    max: new Date('9998-12-30T00:00Z'),
    noInvalidDate: true,
  })
  const cases = [instants, instants, fc.constantFrom(...zones), fc.constantFrom('en', 'zh')] as const
  fc.assert(
    fc.property(...cases, fc.boolean(), (instant, present, zone, language, withTime) => {
      const wall = wallTimeOf(instant, zone)
      const value = withTime ? wall : wall.slice(0, 10)
      const question = { now: wallTimeOf(present, zone), language, withTime } as const
      expect(readDate(writeDate(value, language), question)).toBe(value)
      expect(readDate(writeFullDate(value, language), question)).toBe(value)
      expect(readDate(value, question)).toBe(value)
    }),
    { numRuns: 2000 },
  )
})

test('a local time is parsed as its instant, except in a repeated hour', () => {
  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
      const minute = Math.floor(instant.getTime() / 60_000) * 60_000
      const read = instantOf(`${wallTimeOf(instant, zone).replace('T', ' ')}:00`, zone)!.getTime()
      expect([minute, minute - 3_600_000, minute + 3_600_000]).toContain(read)
      expect(wallTimeOf(new Date(read), zone)).toBe(wallTimeOf(instant, zone))
    }),
  )
})

test('any text is parsed as a date or refused', () => {
  const words = [
    'next ',
    'in ',
    '3',
    '12',
    'day',
    's',
    ' ago',
    '下',
    '周',
    '一',
    '三',
    '点',
    '月',
    '日',
    ':',
    '-',
    '/',
    '年',
    ' pm',
  ]
  const texts = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(texts, fc.boolean(), (text, withTime) => {
      const read = readDate(text, { ...inChinese, withTime })
      if (read === undefined) return
      expect(read).toMatch(withTime ? /^\d{4}-\d\d-\d\dT\d\d:\d\d$/ : /^\d{4}-\d\d-\d\d$/)
      expect(Number.isNaN(Date.parse(`${read.slice(0, 10)}T00:00Z`))).toBe(false)
      expect(addMonths(read.slice(0, 10), 0)).toBe(read.slice(0, 10))
    }),
    { numRuns: 3000 },
  )
})

test('no screen has a native date field, which writes dates in the language of the browser', async () => {
  const folder = new URL('../../console/src/', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(100)
  for (const file of files)
    expect(await readFile(new URL(file, folder), 'utf8'), file).not.toMatch(
      /type="(date|datetime-local|month|time|week)"/,
    )
})
