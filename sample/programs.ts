import { currencyExponents } from '../src/contract/currencies.ts'
import { at, founded, schoolDay } from './calendar.ts'
import { createRandom } from './random.ts'

/** The currencies that the school has price lists in. */
export type ListCurrency = 'CNY' | 'USD' | 'EUR' | 'JPY' | 'HKD' | 'KWD'

export interface Program {
  /** Which orders are for it. */
  order_types: readonly string[]
  program_code: string
  course_code: string
  course_name: string
  course_id: string
  school_name: string
  family: string
  months: number
  /** The most instalments that the school grants. */
  maxSubOrders: number
  /** Major units. */
  prices: Record<ListCurrency, number>
}

const ids = createRandom(7)

export const programs: readonly Program[] = [
  {
    order_types: ['course', 'transfer'],
    program_code: 'EMBA',
    course_code: 'EMBA-EXEC',
    course_name: '高级管理人员工商管理硕士 Executive MBA',
    course_id: ids.id(founded),
    school_name: '湖畔管理学院 Lakeside School of Management',
    family: 'Degree',
    months: 24,
    maxSubOrders: 6,
    prices: { CNY: 498_000, USD: 69_900, EUR: 64_500, JPY: 10_400_000, HKD: 541_000, KWD: 21_300 },
  },
  {
    order_types: ['course', 'transfer'],
    program_code: 'MFIN',
    course_code: 'MFIN-PT',
    course_name: '金融硕士（在职）Master of Finance',
    course_id: ids.id(founded),
    school_name: '湖畔金融学院 Lakeside School of Finance',
    family: 'Degree',
    months: 18,
    maxSubOrders: 6,
    prices: { CNY: 268_000, USD: 37_800, EUR: 34_900, JPY: 5_580_000, HKD: 291_000, KWD: 11_450 },
  },
  {
    order_types: ['course', 'other'],
    program_code: 'DATA',
    course_code: 'DATA-CERT',
    course_name: 'Data for Decision Makers',
    course_id: ids.id(founded),
    school_name: 'Lakeside Executive Education',
    family: 'Certificate',
    months: 3,
    maxSubOrders: 3,
    prices: { CNY: 36_800, USD: 5_180, EUR: 4_790, JPY: 768_000, HKD: 39_990, KWD: 1_575 },
  },
  {
    order_types: ['corporate_training'],
    program_code: 'CORP',
    course_code: 'CORP-LEAD',
    course_name: '企业领导力内训 In-house Leadership Programme',
    course_id: ids.id(founded),
    school_name: 'Lakeside Executive Education',
    family: 'Corporate',
    months: 2,
    maxSubOrders: 3,
    prices: { CNY: 180_000, USD: 25_300, EUR: 23_400, JPY: 3_750_000, HKD: 195_500, KWD: 7_700 },
  },
  {
    order_types: ['application_fee'],
    program_code: 'APPL',
    course_code: 'APPL-FEE',
    course_name: '报名申请 Application',
    course_id: ids.id(founded),
    school_name: '湖畔管理学院 Lakeside School of Management',
    family: 'Degree',
    months: 1,
    maxSubOrders: 1,
    prices: { CNY: 800, USD: 115, EUR: 105, JPY: 16_700, HKD: 870, KWD: 34 },
  },
  {
    order_types: ['material', 'other'],
    program_code: 'BOOK',
    course_code: 'BOOK-CASES',
    course_name: '案例教材 Case Book',
    course_id: ids.id(founded),
    school_name: 'Lakeside Press',
    family: 'Material',
    months: 1,
    maxSubOrders: 1,
    prices: { CNY: 398, USD: 56, EUR: 52, JPY: 8_300, HKD: 433, KWD: 17 },
  },
]

export function listedPrice(program: Program, currency: ListCurrency): number {
  return program.prices[currency] * 10 ** currencyExponents[currency]!
}

export const terms = ['2025-03-01', '2025-09-01', '2026-03-01', '2026-09-01', '2027-03-01'] as const

/** The batch of a program that begins with a term. */
export function batchOf(program: Program, start: string) {
  const end = Temporal.PlainDate.from(start).add({ months: program.months }).subtract({ days: 1 }).toString()
  const season = start.slice(5, 7) === '03' ? 'Spring' : 'Autumn'
  const year = start.slice(0, 4)
  const batch_id = `${program.program_code}-${year}-${season.toLowerCase()}`
  return { batch_id, name: `${season} ${year}`, start_date: start, end_date: end }
}

/** The next batch that begins after the order was made. */
export function nextBatch(program: Program, ordered: Date) {
  const start = terms.find((day) => at(day, '09:00:00') > ordered)!
  const { batch_id, name, end_date } = batchOf(program, start)
  return {
    course_start_time: at(start, '09:00:00'),
    course_end_time: at(end_date, '18:00:00'),
    copy: {
      batch_id,
      batch_name: name,
      batch_date: start,
      month: start.slice(0, 7),
      batch_start_date: start,
      batch_end_date: end_date,
      school_name: program.school_name,
      program_code: program.program_code,
      course_code: program.course_code,
      course_name: program.course_name,
      online_application_name: `Online application ${name}, opened ${schoolDay(ordered).slice(0, 7)}`,
      product_family_or_lob_category: program.family,
    },
  }
}
