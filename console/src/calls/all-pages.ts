import { call, type InputOf, type RowOf } from './call.ts'

const pageSize = 1000
/** Maximum rows of a file that the browser builds. */
export const mostRows = 100_000

/** Reads all rows of a list, at most `mostRows`. Rows added during the read are ignored. */
export async function allPages<Id extends 'exportAudit' | 'exportRejectedRows'>(
  id: Id,
  input: InputOf<Id>,
): Promise<RowOf<Id>[]> {
  const read = call as unknown as (id: Id, input: object) => Promise<{ total: number; list: RowOf<Id>[] }>
  const rows: RowOf<Id>[] = []
  let total = mostRows
  for (let page = 0; rows.length < total; page++) {
    const found = await read(id, { ...input, page, page_size: pageSize })
    if (page === 0) total = Math.min(found.total, mostRows)
    if (found.list.length === 0) break
    rows.push(...found.list.slice(0, total - rows.length))
  }
  return rows
}
