import type { OrganizationContext } from '../../contract/endpoint.ts'
import type { ColumnName } from './lead-columns.ts'
import type { LeadFile } from './lead-file.ts'
import type { PlannedRow } from './plan-rows.ts'

/** The first rows of a plan whose cells are shown as they will be imported. */
export const mostShownRows = 50

/** The cells of a row as they will be imported; "" for a cell that is not. */
export function shownCells(
  { organization }: Pick<OrganizationContext, 'organization'>,
  { map, known }: LeadFile,
  { row, lead, along }: PlannedRow,
): string[] {
  if (!lead) return []
  const { person, fields, time } = lead
  const number = (code: string | null | undefined, digits: string | null | undefined) =>
    digits ? `+${code} ${digits}` : ''
  const values: Partial<Record<ColumnName, string>> = {
    mobile: number(person.area_code, person.mobile),
    backup_mobile: number(person.backup_area_code, person.backup_mobile),
    area_code: person.area_code ? `+${person.area_code}` : '',
    lead_time: time ? localText(time, organization.time_zone) : '',
    note: along?.note ?? '',
    course_code: known.course(fields.course_code ?? '')?.name ?? fields.course_code ?? '',
    owner_ids: (fields.owner_ids ?? []).map((id) => known.owner(id)?.name ?? id).join(', '),
    oid: fields.oid ? (known.owner(fields.oid)?.name ?? fields.oid) : '',
  }
  const plain: Record<string, unknown> = { ...fields, ...person }
  return map.names.map((name, at) => {
    if (name === undefined) return ''
    const cell = row.cells[at]
    const written = typeof cell === 'string' ? cell : ''
    if (name === 'tags' || name === 'question' || written === '') return written
    const value = values[name] ?? plain[name]
    return typeof value === 'string' ? value : written
  })
}

function localText(time: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    time,
  )
  return text.replace(/ 00:00$/, '')
}
