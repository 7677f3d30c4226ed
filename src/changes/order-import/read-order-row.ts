import { fingerprint } from '../../contract/fingerprint.ts'
import { formats } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'
import type { ColumnFault } from '../../files/column-faults.ts'
import type { ColumnMap } from '../../files/map-columns.ts'
import { readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { mobileNumberFaults } from '../../people/users/mobile-number.ts'
import { type ColumnName, columns, comparable, type RowMembers } from './columns.ts'

/** A row without faults. */
export interface OrderRow {
  source: SourceRow
  members: RowMembers
  /** Columns of the file whose cell is empty in this row. */
  blanks: Set<ColumnName>
  /** Hash of the values: the same row in another spelling has the same hash. */
  hash: string
}

/** Reads the cells of a row. Returns all faults. */
export function readOrderRow(
  source: SourceRow,
  map: ColumnMap<ColumnName>,
  context: RowSource,
): OrderRow | ColumnFault[] {
  const { members, faults } = readCells<RowMembers>(columns, source, map, context)
  if (faults.length === 0) faults.push(...faultsAmong(members))
  if (faults.length > 0) return faults
  const complete = members as RowMembers
  const blanks = new Set(map.names.filter((name, index) => name !== undefined && source.cells[index] === ''))
  return {
    source,
    members: complete,
    blanks: blanks as Set<ColumnName>,
    hash: fingerprint(comparable(complete)),
  }
}

function faultsAmong(members: Partial<RowMembers>): ColumnFault[] {
  const faults: ColumnFault[] = []
  const must = (isRight: boolean, column: ColumnName, reason: string) =>
    isRight || faults.push({ column, reason })
  must(members.external_id !== undefined, 'external_id', 'is required')
  const { user_id, area_code, mobile, email, name, remark } = members
  const isNamed = user_id !== undefined || email !== undefined || mobile !== undefined
  must(isNamed, 'user_id', 'is required, unless area_code and mobile or email identify the user')
  must(mobile === undefined || area_code !== undefined, 'area_code', 'is required with mobile')
  const hasNumber = mobile !== undefined && area_code !== undefined
  if (hasNumber) {
    must(formats['area-code'][0](area_code), 'area_code', formats['area-code'][1])
    must(formats.mobile[0](mobile), 'mobile', formats.mobile[1])
    for (const { param, reason } of mobileNumberFaults({ area_code, mobile }))
      faults.push({ column: param, reason })
  }
  must(
    email === undefined || (formats.email[0](email) && email.length <= longest.email),
    'email',
    formats.email[1],
  )
  must(isShort(name, longest.name), 'name', `must be text of at most ${longest.name} characters`)
  must(isShort(remark, longest.longText), 'remark', `must be text of at most ${longest.longText} characters`)
  must(isShort(user_id, longest.id), 'user_id', `must be text of at most ${longest.id} characters`)
  must(isShort(members.batch, longest.name), 'batch', `must be text of at most ${longest.name} characters`)
  const hasPayment =
    members.charge_id !== undefined || members.paid_time !== undefined || members.receipt_num !== undefined
  must(!hasPayment || members.paid_price !== undefined, 'paid_price', 'is required for a payment')
  return faults
}

function isShort(text: string | undefined, limit: number): boolean {
  return text === undefined || text.length <= limit
}
