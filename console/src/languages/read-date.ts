import {
  addDays,
  addMonths,
  dayAt,
  daysBetween,
  lastOfMonth,
  partsOf,
  weekdayOf,
} from '../parts/dates/calendar-days.ts'
import type { Language } from './locales.ts'
import { type Clock, readClock } from './read-clock.ts'
import { numberOf } from './written-number.ts'

export interface DateQuestion {
  /** The present wall time of the school: `YYYY-MM-DDTHH:MM`. */
  now: string
  /** Decides the order of day and month in 5/6. Words are understood in both languages. */
  language: Language
  /** Whether a time belongs to the value. */
  withTime: boolean
  /** Where a date without a year, or a weekday alone, belongs. Absent: the nearest date, the coming weekday. */
  leaning?: 'later' | 'earlier'
}

/**
 * Reads a typed date: `YYYY-MM-DD`, with `THH:MM` if a time belongs to it. Understands dates as the console writes them,
 * ISO 8601, and words in English and Chinese ("next Monday 3 pm", 三天后). Undefined: not understood.
 */
export function readDate(text: string, question: DateQuestion): string | undefined {
  const written = normalize(text)
  if (written === '') return undefined
  const soon = readShift(written, question)
  if (soon !== undefined) return soon
  const { clock, rest } = question.withTime
    ? readClock(written)
    : { clock: undefined as Clock | undefined, rest: written }
  const day = rest === '' ? undefined : readDay(rest, question)
  if (rest !== '' && day === undefined) return undefined
  if (!question.withTime) return day
  const time = clock ?? defaultTime
  return `${day ?? dayOfTime(time, question)}T${time}`
}

const defaultTime = '09:00'

/** Full-width digits and punctuation as ASCII, one space between words. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[,，]/g, ' ')
    .replace(/礼拜|星期/g, '周')
    .replace(/周[天七]/g, '周日')
    .replace(/号/g, '日')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A time without a day: today, or tomorrow if it has passed. */
function dayOfTime(time: string, { now, leaning }: DateQuestion): string {
  const today = now.slice(0, 10)
  return time < now.slice(11) && leaning !== 'earlier' ? addDays(today, 1) : today
}

/** "now", "in 2 hours", 半小时后. */
function readShift(text: string, { now, withTime }: DateQuestion): string | undefined {
  if (!withTime) return undefined
  if (/^(now|现在|此刻)$/.test(text)) return now
  const english = /^in (an?|half an|\d+) (minutes?|mins?|hours?|h)$/.exec(text)
  const chinese = /^(半|.{1,3}?)个?(分钟|小时|钟头)(以后|之后|后)$/.exec(text)
  const [, count, unit] = english ?? chinese ?? []
  if (count === undefined || unit === undefined) return undefined
  const isHours = /^h|小时|钟头/.test(unit)
  const number = /half|半/.test(count) ? 0.5 : /^an?$/.test(count) ? 1 : numberOf(count)
  if (number === undefined) return undefined
  const minutes = Number(now.slice(11, 13)) * 60 + Number(now.slice(14, 16)) + number * (isHours ? 60 : 1)
  const rest = Math.round(minutes) % 1440
  const day = addDays(now.slice(0, 10), Math.floor(Math.round(minutes) / 1440))
  return `${day}T${two(Math.floor(rest / 60))}:${two(rest % 60)}`
}

function readDay(text: string, question: DateQuestion): string | undefined {
  return readNamedDay(text, question) ?? readWrittenDay(withoutWeekday(text), question)
}

/** A weekday next to a date is redundant: "Wed 18 Nov", 11月18日 周三. */
function withoutWeekday(text: string): string {
  const bare = text
    .replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.? /, '')
    .replace(/ ?\(?周[一二三四五六日]\)?$/, '')
  return bare.trim()
}

const relativeDays: Record<string, number> = {
  ...{ today: 0, tonight: 0, tomorrow: 1, tmr: 1, yesterday: -1 },
  ...{ 'day after tomorrow': 2, 'the day after tomorrow': 2, 'day before yesterday': -2 },
  ...{
    今天: 0,
    今日: 0,
    今晚: 0,
    明天: 1,
    明日: 1,
    明晚: 1,
    后天: 2,
    大后天: 3,
    昨天: -1,
    昨日: -1,
    前天: -2,
    大前天: -3,
  },
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekdaysInChinese = '一二三四五六日'

/** Days named by their distance from today. A week begins on Monday: next Friday is the Friday of next week. */
function readNamedDay(text: string, question: DateQuestion): string | undefined {
  const today = question.now.slice(0, 10)
  if (Object.hasOwn(relativeDays, text)) return addDays(today, relativeDays[text]!)
  return readWeekday(text, question) ?? readDistance(text, today) ?? readPeriod(text, today)
}

function readWeekday(text: string, { now, leaning }: DateQuestion): string | undefined {
  const today = now.slice(0, 10)
  const english =
    /^(?:on )?(next |this |last )?(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|rs|rsday|urday)?\.?$/.exec(
      text,
    )
  const chinese = /^(下下|下个?|这个?|本|上个?)?周([一二三四五六日])$/.exec(text)
  const index = english
    ? weekdays.indexOf(english[2]!)
    : chinese
      ? weekdaysInChinese.indexOf(chinese[2]!)
      : -1
  if (index < 0) return undefined
  const which = (english?.[1] ?? chinese?.[1])?.trim()
  const distance = index + 1 - weekdayOf(today)
  if (which === undefined)
    return addDays(
      today,
      leaning === 'earlier'
        ? distance > 0
          ? distance - 7
          : distance
        : distance <= 0
          ? distance + 7
          : distance,
    )
  const weeks = /^下下/.test(which) ? 2 : /^(next|下)/.test(which) ? 1 : /^(last|上)/.test(which) ? -1 : 0
  return addDays(today, distance + weeks * 7)
}

/** "in 3 days", "2 weeks ago", 三天后, 两个月前. */
function readDistance(text: string, today: string): string | undefined {
  const english = /^(in )?(an?|\d+) (day|week|month|year)s?( ago)?$/.exec(text)
  if (english && Boolean(english[1]) !== Boolean(english[4])) {
    const count = english[2]!.startsWith('a') ? 1 : Number(english[2])
    return shift(today, english[4] ? -count : count, english[3]!)
  }
  const chinese = /^([\d一二两三四五六七八九十半]+)个?(天|日|周|月|年)(以后|之后|后|以前|之前|前)$/.exec(text)
  const count = chinese && numberOf(chinese[1]!)
  if (!chinese || count === undefined) return undefined
  const units: Record<string, string> = { 天: 'day', 日: 'day', 周: 'week', 月: 'month', 年: 'year' }
  return shift(today, chinese[3]!.endsWith('前') ? -count! : count!, units[chinese[2]!]!)
}

function shift(today: string, count: number, unit: string): string | undefined {
  if (!Number.isInteger(count) || Math.abs(count) > 3650) return undefined
  if (unit === 'day' || unit === 'week') return addDays(today, count * (unit === 'week' ? 7 : 1))
  return Math.abs(count) > 1200 ? undefined : addMonths(today, count * (unit === 'year' ? 12 : 1))
}

/** "next week" is its Monday; "next month" its first day; 月底 the last day of this month. */
function readPeriod(text: string, today: string): string | undefined {
  const monday = addDays(today, 1 - weekdayOf(today))
  const first = `${today.slice(0, 8)}01`
  const periods: Record<string, () => string> = {
    'next week': () => addDays(monday, 7),
    下周: () => addDays(monday, 7),
    'next month': () => addMonths(first, 1),
    下月: () => addMonths(first, 1),
    下个月: () => addMonths(first, 1),
    'end of month': () => lastOfMonth(today),
    'end of the month': () => lastOfMonth(today),
    'month end': () => lastOfMonth(today),
    月底: () => lastOfMonth(today),
    本月底: () => lastOfMonth(today),
    下月底: () => lastOfMonth(addMonths(first, 1)),
    下个月底: () => lastOfMonth(addMonths(first, 1)),
    'end of year': () => `${today.slice(0, 4)}-12-31`,
    年底: () => `${today.slice(0, 4)}-12-31`,
  }
  return Object.hasOwn(periods, text) ? periods[text]!() : readDayOfNamedMonth(text, first)
}

/** 下个月5日, 明年3月1日. */
function readDayOfNamedMonth(text: string, first: string): string | undefined {
  const inMonth = /^(下个?月|本月|这个?月|上个?月)(\d{1,2})日$/.exec(text)
  if (inMonth) {
    const months = inMonth[1]!.startsWith('下') ? 1 : inMonth[1]!.startsWith('上') ? -1 : 0
    const [year, month] = partsOf(addMonths(first, months))
    return dayAt(year, month, Number(inMonth[2]))
  }
  const inYear = /^(明|今|去|后)年(\d{1,2})月(\d{1,2})日?$/.exec(text)
  if (!inYear) return undefined
  const years = { 明: 1, 今: 0, 去: -1, 后: 2 }[inYear[1] as '明']
  return dayAt(partsOf(first)[0] + years, Number(inYear[2]), Number(inYear[3]))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const forms: Record<'iso' | 'compact' | 'chinese' | 'dayFirst' | 'monthFirst' | 'numbers', RegExp> = {
  iso: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/,
  compact: /^(\d{4})(\d{2})(\d{2})$/,
  chinese: /^(?:(\d{4}|\d{2}) ?年 ?)?(?:(\d{1,2}) ?月 ?)?(\d{1,2}) ?日?$/,
  dayFirst: new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)? ${monthWord}(?: (\\d{4}))?$`),
  monthFirst: new RegExp(`^${monthWord} (\\d{1,2})(?:st|nd|rd|th)?(?: (\\d{4}))?$`),
  numbers: /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{1,2}))?$/,
}

function readWrittenDay(text: string, question: DateQuestion): string | undefined {
  const full = forms.iso.exec(text) ?? forms.compact.exec(text)
  if (full) return dayAt(Number(full[1]), Number(full[2]), Number(full[3]))
  const dayFirst = forms.dayFirst.exec(text)
  if (dayFirst) return inYear(dayFirst[3], monthOf(dayFirst[2]!), Number(dayFirst[1]), question)
  const monthFirst = forms.monthFirst.exec(text)
  if (monthFirst) return inYear(monthFirst[3], monthOf(monthFirst[1]!), Number(monthFirst[2]), question)
  const numbers = forms.numbers.exec(text)
  if (numbers) {
    const [month, day] = question.language === 'zh' ? [numbers[1], numbers[2]] : [numbers[2], numbers[1]]
    // Chinese puts the year first: 26/5/6 is not a date of 2006.
    if (question.language === 'zh' && numbers[3] && numbers[3].length <= 2)
      return dayAt(2000 + Number(numbers[1]), Number(numbers[2]), Number(numbers[3]))
    if (numbers[3]?.length === 1) return undefined
    return inYear(numbers[3], Number(month), Number(day), question)
  }
  const chinese = /[月日]/.test(text) ? forms.chinese.exec(text) : null
  if (!chinese) return undefined
  if (chinese[2] !== undefined) return inYear(chinese[1], Number(chinese[2]), Number(chinese[3]), question)
  return chinese[1] === undefined ? nearestOfMonth(Number(chinese[3]), question) : undefined
}

function monthOf(word: string): number {
  return months.indexOf(word.slice(0, 3)) + 1
}

function fullYear(written: string): number {
  return Number(written) + (written.length === 2 ? 2000 : 0)
}

function inYear(
  written: string | undefined,
  month: number,
  day: number,
  question: DateQuestion,
): string | undefined {
  if (written !== undefined) return dayAt(fullYear(written), month, day)
  const [year] = partsOf(question.now)
  const candidates = [year - 1, year, year + 1].map((each) => dayAt(each, month, day))
  return chosenOf(candidates, question)
}

/** 18日 without a month. */
function nearestOfMonth(day: number, question: DateQuestion): string | undefined {
  const first = `${question.now.slice(0, 8)}01`
  const candidates = [-1, 0, 1].map((shifted) => {
    const [year, month] = partsOf(addMonths(first, shifted))
    return dayAt(year, month, day)
  })
  return chosenOf(candidates, question)
}

function chosenOf(candidates: (string | undefined)[], { now, leaning }: DateQuestion): string | undefined {
  const today = now.slice(0, 10)
  const real = candidates.filter((each) => each !== undefined)
  if (leaning === 'later') return real.find((each) => each >= today)
  if (leaning === 'earlier') return real.findLast((each) => each <= today)
  return real.toSorted((a, b) => Math.abs(daysBetween(today, a)) - Math.abs(daysBetween(today, b)))[0]
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
