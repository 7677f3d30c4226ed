import { storableText } from '../../contract/formats.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCell } from '../../files/read-cells.ts'
import { type Cell, FileRefused, type SourceRow } from '../../files/row-source.ts'
import type { KnownValues } from './known-values.ts'
import { type DayOrder, dayOrderOf, dayOrders } from './lead-cells.ts'
import { type ColumnName, columns, listOfTags, readYesOrNo } from './lead-columns.ts'
import type { Match } from './match-names.ts'
import type { OnForeign } from './read-numbers.ts'
import { partsOfTag } from './read-tags.ts'

/** Columns whose values have a meaning, which files may spell differently. */
export const valueColumns = [
  ...(['utm_source', 'utm_medium', 'utm_channel', 'utm_campaign', 'campaign'] as const),
  ...(['course_code', 'owner_ids', 'oid', 'is_corporate_training', 'tags'] as const),
  // The values of these are calling codes that numbers without one seem to have.
  ...(['mobile', 'backup_mobile'] as const),
  // The only value of these means all dates that can be read in two ways.
  ...(['lead_time', 'birthday'] as const),
]
export type ValueColumn = (typeof valueColumns)[number]
export type NumberColumn = Extract<ValueColumn, 'mobile' | 'backup_mobile'>

/** By column and value of the file, the meaning; "" is no value. */
export type ValueMapping = Partial<Record<ValueColumn, Record<string, string>>>

export const longestValue = 100
export const mostMappedValues = 1000

export function isValueColumn(name: string | undefined): name is ValueColumn {
  return valueColumns.some((column) => column === name)
}

/** The value that means all dates such as 1/2/2026. Its meaning is the order of day and month. */
const eitherDay = 'day_or_month'

/** The order of day and month in the dates of a file: as given, or as other dates of the file reveal it. */
export function dayOrderIn(values: ValueMapping, revealed: DayOrder | undefined): DayOrder | undefined {
  const told = values.lead_time?.[eitherDay] ?? values.birthday?.[eitherDay]
  return dayOrders.find((order) => order === told) ?? revealed
}

/** The values of a cell: some columns hold several. */
function valuesOf(column: ValueColumn, cell: string): string[] {
  if (kindOf(column) === 'country') return []
  if (kindOf(column) === 'day_order') return dayOrderOf(cell) === 'either' ? [eitherDay] : []
  if (column === 'tags') return listOfTags(cell).flatMap((tag) => partsOfTag(tag).name || [])
  if (column === 'owner_ids')
    return cell.split(/[;；、\n]|[,，](?=\s*\p{Script=Han})/u).flatMap((owner) => owner.trim() || [])
  return [cell.trim()].filter((value) => value !== '')
}

/** The meaning of a value, or the reason why it has none. */
export type ValueReader = (column: ValueColumn, value: string) => { meaning: string } | { reason: string }

/** The meaning of a value by default: a record with this name, or a part of it. */
export function matchOf(column: ValueColumn, value: string, known: KnownValues): Match | undefined {
  const kind = kindOf(column)
  return kind === 'course' || kind === 'owner' || kind === 'tag' ? known[kind](value) : undefined
}

const kindByColumn = {
  course_code: 'course',
  owner_ids: 'owner',
  oid: 'owner',
  is_corporate_training: 'yes_no',
  tags: 'tag',
  mobile: 'country',
  backup_mobile: 'country',
  lead_time: 'day_order',
  birthday: 'day_order',
} as const
export const valueKinds = ['course', 'owner', 'yes_no', 'tag', 'country', 'day_order', 'text'] as const
export type ValueKind = (typeof valueKinds)[number]

export function kindOf(column: ValueColumn): ValueKind {
  return Object.hasOwn(kindByColumn, column) ? kindByColumn[column as keyof typeof kindByColumn] : 'text'
}

/** Whether a value that names no record is accepted unchanged. */
export function isTakenAsItIs(column: ValueColumn, value: string, known: KnownValues): boolean {
  const kind = kindOf(column)
  if (kind === 'yes_no') return readYesOrNo(value) !== undefined
  if (kind === 'course') return !known.hasCourses
  // A name is never an id.
  if (kind === 'owner') return known.takesOwnerIds && /^[\x21-\x7e]+$/.test(value)
  return kind === 'text'
}

/** Reads values by the meanings given to them, then by the names of records. */
export function createValueReader(mapping: ValueMapping, known: KnownValues): ValueReader {
  const read = new Map<string, ReturnType<ValueReader>>()
  const unknown = { course: 'names no course', owner: 'names no member of staff', tag: 'names no tag group' }
  const meaningOf: ValueReader = (column, value) => {
    const given = mapping[column]
    if (given && Object.hasOwn(given, value)) return { meaning: given[value] ?? value }
    const kind = kindOf(column)
    const match = matchOf(column, value, known)
    if (match) return { meaning: match.id }
    if (kind !== 'course' && kind !== 'owner' && kind !== 'tag') return { meaning: value }
    if (isTakenAsItIs(column, value, known)) return { meaning: value }
    return { reason: `${unknown[kind]}: ${value}. Choose one, or leave it empty` }
  }
  return (column, value) => {
    const key = `${column} ${value}`
    const before = read.get(key)
    if (before) return before
    const found = meaningOf(column, value)
    if (read.size < mostRemembered) read.set(key, found)
    return found
  }
}

const mostRemembered = 10_000

/** Whether the values of the column are questions about its cells, not cells. */
function isQuestion(column: ValueColumn): boolean {
  return kindOf(column) === 'country' || kindOf(column) === 'day_order'
}

/** Replaces the values of a row by their meanings. A value without meaning makes its cell faulty. */
export function withValues(
  row: SourceRow,
  { names }: ColumnMap<ColumnName>,
  meaningOf: ValueReader,
): SourceRow {
  const cells = row.cells.map((cell, at): Cell => {
    const name = names[at]
    // Tags have values of their own, which are read with the tags.
    if (!isValueColumn(name) || name === 'tags' || isQuestion(name)) return cell
    if (typeof cell !== 'string' || cell === '') return cell
    const meanings: string[] = []
    for (const value of valuesOf(name, cell)) {
      const read = meaningOf(name, value)
      if ('reason' in read) return { fault: read.reason, text: cell }
      if (read.meaning !== '') meanings.push(read.meaning)
    }
    return meanings.join(';')
  })
  return { ...row, cells }
}

/** Why a value cannot have this meaning; undefined if it can. */
export function faultOfMeaning(column: ValueColumn, meaning: string): string | undefined {
  if (meaning === '') return undefined
  if (kindOf(column) === 'country') return /^[0-9]{1,4}$/.test(meaning) ? undefined : 'must be a calling code'
  if (kindOf(column) === 'day_order')
    return dayOrders.some((order) => order === meaning) ? undefined : 'must be day_first or month_first'
  const read = readCell(columns[column] as Parameters<typeof readCell>[0], meaning, { countsFrom1904: false })
  return 'reason' in read ? read.reason : undefined
}

/** {"utm_channel": {"Baidu PC": "baidu", "n/a": ""}, …} */
export function readValueMapping(text: string): ValueMapping {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileRefused('The values file is not JSON.')
  }
  const isObject = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  if (!isObject(value)) throw new FileRefused('The values file must be a JSON object of columns.')
  for (const [column, meanings] of Object.entries(value as object)) {
    if (!isValueColumn(column))
      throw new FileRefused(
        `The values of ${column} cannot be mapped; only those of ${valueColumns.join(', ')}.`,
      )
    if (!isObject(meanings)) throw new FileRefused(`The values of ${column} must be an object.`)
    for (const [each, meaning] of Object.entries(meanings as object)) {
      const fault = typeof meaning === 'string' ? faultOfMeaning(column, meaning) : 'must be text'
      if (fault) throw new FileRefused(`The meaning of ${each} in ${column} ${fault}.`)
    }
  }
  return value as ValueMapping
}

/** The values of a column of a file, most frequent first. */
export interface FoundValues {
  column: ValueColumn
  header: string
  /** The number of different values, up to the limit of counting. */
  distinct: number
  /** The number of cells with a value that is not listed. */
  others: number
  list: { value: string; rows: number }[]
}

const mostCounted = 1000
const mostListed = 50

/**
 * Counts values while a file is read, up to a fixed number per column. Dates that can be read in two ways count only if
 * nothing reveals the order of day and month.
 */
export function createValueCounts(
  { names }: ColumnMap<ColumnName>,
  headers: string[],
  revealed?: DayOrder,
): { add(row: SourceRow): void; addForeign: OnForeign; found(): FoundValues[] } {
  const counted = names.flatMap((column, at) =>
    isValueColumn(column) && !(revealed && kindOf(column) === 'day_order')
      ? [{ column, at, header: headers[at] ?? '', counts: new Map<string, number>(), others: 0 }]
      : [],
  )
  const count = (each: (typeof counted)[number], value: string) => {
    const rows = each.counts.get(value)
    if (rows !== undefined) each.counts.set(value, rows + 1)
    else if (each.counts.size < mostCounted && value.length <= longestValue) each.counts.set(value, 1)
    else each.others++
  }
  return {
    add({ cells }) {
      for (const each of counted) {
        const cell = cells[each.at]
        if (typeof cell === 'string') for (const value of valuesOf(each.column, cell)) count(each, value)
      }
    },
    addForeign(column, code) {
      for (const each of counted) if (each.column === column) count(each, code)
    },
    found: () =>
      asked(counted).map(({ column, header, counts, others }) => {
        const all = [...counts]
          .map(([value, rows]) => ({ value: storableText(value), rows }))
          .sort((a, b) => b.rows - a.rows)
        const list = all.slice(0, mostListed)
        const left = all.slice(mostListed).reduce((sum, { rows }) => sum + rows, 0)
        return { column, header, distinct: counts.size, others: others + left, list }
      }),
  }
}

/** Numbers and dates are asked about only if some have two readings. */
function asked<Counted extends { column: ValueColumn; counts: Map<string, number> }>(
  counted: Counted[],
): Counted[] {
  return counted.filter(({ column, counts }) => !isQuestion(column) || counts.size > 0)
}
