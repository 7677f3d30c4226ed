import { currencyExponents } from '../src/contract/currencies.ts'
import { at, founded, schoolDay } from './calendar.ts'
import data from './content/programs.json' with { type: 'json' }
import { createRandom } from './random.ts'

const ids = createRandom(7)

/** The programs of the school. Prices are in major units; an order has at most `maxSubOrders` instalments. */
export const programs = data.programs.map((program) => ({ ...program, course_id: ids.id(founded) }))
export type Program = (typeof programs)[number]

/** The currencies of the price lists. */
export type ListCurrency = keyof Program['prices']

/** The first days of terms: the next one and the four before it. Terms start in March and September. */
export function termsAround(moment: Date): string[] {
  const year = Number(schoolDay(moment).slice(0, 4))
  const starts = [year - 2, year - 1, year, year + 1].flatMap((each) => [`${each}-03-01`, `${each}-09-01`])
  const next = starts.findIndex((day) => at(day, '09:00:00') > moment)
  return starts.slice(next - 4, next + 1)
}

export function listedPrice(program: Program, currency: ListCurrency): number {
  return program.prices[currency] * 10 ** (currencyExponents[currency] ?? 2)
}

/** The batch of a program in a term. */
export function batchOf(program: Program, start: string) {
  const end = Temporal.PlainDate.from(start).add({ months: program.months }).subtract({ days: 1 }).toString()
  const season = start.slice(5, 7) === '03' ? 'Spring' : 'Autumn'
  const year = start.slice(0, 4)
  const batch_id = `${program.program_code}-${year}-${season.toLowerCase()}`
  return { batch_id, name: `${season} ${year}`, start_date: start, end_date: end }
}

/** The first batch after the order. */
export function nextBatch(program: Program, ordered: Date, terms: string[]) {
  const start = terms.find((day) => at(day, '09:00:00') > ordered) ?? ''
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
