import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** A saved view of a list: filters and columns. */
export interface View {
  view_id: string
  staff_id: string
  screen: string
  name: string
  is_shared: boolean
  filters: string
  columns: string[]
}

/** Own and shared views, by name. */
export async function listViewsOf(
  on: Queryable,
  corp_id: string,
  { staff_id, screen }: { staff_id: string; screen: string },
): Promise<View[]> {
  return on.query<View>(sql`
    select view_id, staff_id, screen, name, is_shared, filters, columns from console_views
     where corp_id = ${corp_id} and screen = ${screen} and (staff_id = ${staff_id} or is_shared)
     order by name, view_id`)
}

export async function lockView(tx: Queryable, corp_id: string, view_id: string): Promise<View | undefined> {
  const [row] = await tx.query<View>(sql`
    select view_id, staff_id, screen, name, is_shared, filters, columns from console_views
     where corp_id = ${corp_id} and view_id = ${view_id} for update`)
  return row
}

export async function countViews(
  tx: Queryable,
  corp_id: string,
  staff_id: string,
): Promise<{ own: number; shared: number }> {
  const [row] = await tx.query<{ own: number; shared: number }>(sql`
    select count(*) filter (where staff_id = ${staff_id}) as own, count(*) filter (where is_shared) as shared
      from console_views where corp_id = ${corp_id}`)
  return row!
}

/** Creates or updates a view. The owner does not change. */
export async function storeView(tx: Queryable, corp_id: string, view: View, now: Date): Promise<void> {
  await tx.query(sql`
    insert into console_views (corp_id, view_id, staff_id, screen, name, is_shared, filters, columns, ctime, mtime)
    values (${corp_id}, ${view.view_id}, ${view.staff_id}, ${view.screen}, ${view.name}, ${view.is_shared}, ${view.filters},
            ${view.columns}, ${now}, ${now})
    on conflict (corp_id, view_id) do update
       set screen = excluded.screen, name = excluded.name, is_shared = excluded.is_shared, filters = excluded.filters,
           columns = excluded.columns, mtime = excluded.mtime`)
}

export async function deleteViewRow(tx: Queryable, corp_id: string, view_id: string): Promise<void> {
  await tx.query(sql`delete from console_views where corp_id = ${corp_id} and view_id = ${view_id}`)
}
