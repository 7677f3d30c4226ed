import { instantOfLocal } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { AreaCode, Email, OrganizationId, optionalLine } from '../../contract/fields.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import { inputValidator } from '../../contract/validate.ts'
import { type ColumnFault, type FaultColumns, faultsOfError } from '../../files/column-faults.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { type LeadFields, leadFields } from '../../people/leads/lead-fields.ts'
import type { Person } from '../../people/users/user-plan.ts'
import type { KnownValues } from './known-values.ts'
import type { DayOrder } from './lead-cells.ts'
import { type ColumnName, columns, type LeadMembers } from './lead-columns.ts'
import { type OnForeign, readNumbers } from './read-numbers.ts'
import { type RowTag, readTags } from './read-tags.ts'
import { dayOrderIn, type ValueMapping, type ValueReader, withValues } from './value-mapping.ts'

/** A row without faults. */
export interface LeadRow {
  /** The fields of the lead, as it is stored. */
  input: LeadFields & Partial<Person>
  /** Details of the person that leads/import does not have. */
  person: Partial<Person>
  /** When the person asked. */
  time: Date | undefined
  note: string | undefined
  tags: RowTag[]
  /** The entry of the row or, without one, an id made of its content: the same row is the same entry in any file. */
  entry_id: string
  /** Hash of the values: the same row in another spelling has the same hash. */
  hash: string
}

/** Reads the cells of a row. Returns all faults. */
export type LeadReader = (row: SourceRow) => LeadRow | ColumnFault[]

const personFields = {
  email: Type.Optional(Email),
  first_name: optionalLine(longest.name),
  last_name: optionalLine(longest.name),
  backup_area_code: Type.Optional(AreaCode),
  backup_mobile: optionalLine(longest.id),
  wechat_id: optionalLine(longest.id),
  external_id: optionalLine(longest.id),
  birthday: optionalLine(longest.id),
}
type PersonFields = Partial<Record<keyof typeof personFields, string>>
const personNames = Object.keys(personFields) as (keyof PersonFields)[]

/** A row may name its person by an e-mail address alone, which leads/import does not allow. */
const validRow = inputValidator({
  ...importLead,
  input: Type.Object({ corp_id: OrganizationId, ...leadFields, ...personFields }),
  oneOfSets: undefined,
  rules: undefined,
} as unknown as typeof importLead)

interface ReaderOptions {
  map: ColumnMap<ColumnName>
  source: RowSource
  values: ValueMapping
  meaningOf: ValueReader
  known: KnownValues
  /** The order of day and month that the dates of the file reveal. */
  dayOrder?: DayOrder | undefined
  onForeign?: OnForeign
}

export function createLeadReader(
  { organization, now }: Pick<OrganizationContext, 'organization' | 'now'>,
  { map, source, values, meaningOf, known, dayOrder, onForeign = () => undefined }: ReaderOptions,
): LeadReader {
  const { corp_id, time_zone } = organization
  const latest = now.getTime() + dayMs
  const { countsFrom1904, headers } = source
  const cellContext = { countsFrom1904, dayOrder: dayOrderIn(values, dayOrder) }
  // Typeform writes "Submit Date (UTC)".
  const timeZone = /\b(UTC|GMT)\b/.test(headers[map.names.indexOf('lead_time')] ?? '') ? 'UTC' : time_zone
  return (row) => {
    const { members, faults } = readCells<LeadMembers>(
      columns,
      withValues(row, map, meaningOf),
      map,
      cellContext,
    )
    const numbers = readNumbers(members, organization, values, onForeign)
    if (Array.isArray(numbers)) faults.push(...numbers)
    const tags = readTags(members.tags ?? [], meaningOf, known)
    if ('reason' in tags) faults.push({ column: 'tags', reason: tags.reason })
    const time = members.lead_time === undefined ? undefined : instantOf(members.lead_time, timeZone)
    if (time && time.getTime() > latest) faults.push({ column: 'lead_time', reason: 'is in the future' })
    if (members.note && members.note.length > longest.longText)
      faults.push({ column: 'note', reason: `must have at most ${longest.longText} characters` })
    if (faults.length > 0 || Array.isArray(numbers) || 'reason' in tags) return faults
    const { first, second } = numbers
    const { mobile: _, area_code: __, backup_mobile: ___, tags: ____, lead_time: _____, ...others } = members
    const { note: written, question, ...rest } = others
    const answers = question === undefined ? undefined : answersIn(row, map, source)
    const note = [written, ...(answers?.further ?? [])].filter(Boolean).join('\n') || undefined
    const identity = { user_id: rest.user_id, mobile: first?.mobile, email: rest.email }
    if (!Object.values(identity).some(Boolean)) return [nobody(map)]
    try {
      const input = validRow({
        corp_id,
        ...rest,
        ...answers?.forms,
        ...first,
        ...(second && { backup_area_code: second.area_code, backup_mobile: second.mobile }),
      }) as LeadRow['input']
      const person = Object.fromEntries(
        personNames.flatMap((name) => (input[name] ? [[name, input[name]]] : [])),
      ) as PersonFields
      const further = {
        ...(time && { time: time.toISOString() }),
        ...(note && { note }),
        ...(tags.list.length > 0 && { tags: tags.list }),
      }
      const hash = fingerprint(Object.keys(further).length > 0 ? [input, further] : input)
      const entry_id = input.entry_id ?? `row-${hash.slice(0, 40)}`
      return { input, person, time, note, tags: tags.list, hash, entry_id }
    } catch (error) {
      if (error instanceof ApiError) return faultsOfError(error, leadFaults)
      throw error
    }
  }
}

const dayMs = 86_400_000

function instantOf(written: string, timeZone: string): Date {
  return written.includes('T') ? new Date(written) : instantOfLocal(written, timeZone)
}

/** Named by the column in which the user would correct it. */
function nobody({ names }: ColumnMap<ColumnName>): ColumnFault {
  const column = (['mobile', 'email', 'user_id'] as const).find((name) => names.includes(name)) ?? 'mobile'
  return { column, reason: 'is empty: a row needs a mobile number or an e-mail address' }
}

/** The headers of answers are their questions. Answers that have no place on the lead become part of the note. */
function answersIn(
  { cells }: SourceRow,
  { names }: ColumnMap<ColumnName>,
  { headers }: RowSource,
): { forms: Partial<LeadFields>; further: string[] } {
  const answers = names.flatMap((name, at) => {
    const cell = cells[at]
    return name === 'question' && typeof cell === 'string' && cell !== '' ? [{ at, cell }] : []
  })
  const free = [1, 2, 3, 4].filter(
    (n) => !names.includes(`form${n}_name` as ColumnName) && !names.includes(`form${n}_value` as ColumnName),
  )
  const forms = Object.fromEntries(
    answers.slice(0, free.length).flatMap(({ at, cell }, n) => [
      [`form${free[n]}_name`, headers[at]],
      [`form${free[n]}_value`, cell],
    ]),
  )
  return { forms, further: answers.slice(free.length).map(({ at, cell }) => `${headers[at]}: ${cell}`) }
}

export const leadFaults: FaultColumns = {
  byCode: { 40401: { column: 'user_id', reason: 'names no user of the organization' } },
  byParameter: { backup_area_code: 'backup_mobile' },
  fallback: 'entry_id',
}
