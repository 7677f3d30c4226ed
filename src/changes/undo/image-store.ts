import type { Queryable } from '../../database/database.ts'
import { type Columns, insertRows } from '../../database/insert-rows.ts'
import { sentRows } from '../../database/sent-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { microseconds } from '../../database/sql-time.ts'
import { type Image, type ImageType, imageTables, imageTypes } from './record-images.ts'

/** Locks records against every other writer and reads them whole, in the same order for everybody. */
export function lockImages(corp_id: string, type: ImageType, ids: string[]): Statement {
  const { key } = imageTables[type]
  return sql`
    select ${membersOf(type)} from ${raw(type)} t
     where t.corp_id = ${corp_id} and t.${raw(key)} = any(${ids}::text[])
     order by t.${raw(key)}
       for update`
}

function membersOf(type: ImageType): Statement {
  const columns: Columns = imageTables[type].columns
  const texts = Object.entries(columns).map(([name, kind]) =>
    kind === 'timestamptz' ? `${microseconds(`t.${name}`).text} as ${name}` : `t.${name}`,
  )
  return raw(texts.join(', '))
}

export async function insertImages(
  tx: Queryable,
  corp_id: string,
  type: ImageType,
  images: Image[],
): Promise<void> {
  const columns: Columns = imageTables[type].columns
  await insertRows(tx, type, columns, corp_id, images as never)
}

/** Every member becomes what the image says. */
export async function updateImages(
  tx: Queryable,
  corp_id: string,
  type: ImageType,
  images: Image[],
): Promise<void> {
  if (images.length === 0) return
  const { key } = imageTables[type]
  const columns: Columns = imageTables[type].columns
  const members = Object.keys(columns).filter((name) => name !== key)
  await tx.query(sql`
    update ${raw(type)} t
       set ${raw(members.map((name) => `${name} = new.${name}`).join(', '))}
      from ${sentRows('new', columns, images as never)}
     where t.corp_id = ${corp_id} and t.${raw(key)} = any(${images.map((image) => image[key])}::text[])
       and t.${raw(key)} = new.${raw(key)}`)
}

export async function deleteImages(
  tx: Queryable,
  corp_id: string,
  type: ImageType,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`
    delete from ${raw(type)} where corp_id = ${corp_id} and ${raw(imageTables[type].key)} = any(${ids}::text[])`)
}

/** For a moment inside a transaction: users that exchange contacts would stand in each other's way. */
export async function releaseContacts(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.query(sql`
    update users set area_code = null, mobile = null, email = null
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`)
}

/** Which of these users are referred to, other than by the records that are about to go or to move. */
export async function findReferred(
  tx: Queryable,
  corp_id: string,
  userIds: string[],
  leavingOf: (type: ImageType) => string[],
): Promise<Set<string>> {
  const others = imageTypes.filter((type) => type !== 'users' && type !== 'order_import_rows')
  const found = await tx.pipeline<{ user_id: string }[]>([
    sql`select user_id from orders where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`,
    ...others.map(
      (type) => sql`
        select user_id from ${raw(type)}
         where corp_id = ${corp_id} and user_id = any(${userIds}::text[])
           and ${raw(imageTables[type].key)} <> all (${leavingOf(type)}::text[])`,
    ),
  ])
  return new Set(found.flat().map(({ user_id }) => user_id))
}
