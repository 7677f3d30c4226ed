import type { Queryable } from '../../database/database.ts'
import { type Columns, insertRows, sentRows } from '../../database/insert-rows.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import { type Image, type ImageType, imageTables, imageTypes } from './record-images.ts'

/** Reads records whole. */
export function selectImages(corp_id: string, type: ImageType, ids: string[]): Statement {
  const { key } = imageTables[type]
  return sql`
    select ${membersOf(type)} from ${raw(type)} t
     where t.corp_id = ${corp_id} and t.${raw(key)} = any(${ids}::text[])
     order by t.${raw(key)}`
}

/** Locks records against all other writers and reads them. All callers lock in the same order. */
export function lockImages(corp_id: string, type: ImageType, ids: string[]): Statement {
  return sql`${selectImages(corp_id, type, ids)} for update`
}

function membersOf(type: ImageType): Statement {
  const texts = Object.entries(columnsOf(type)).map(([name, kind]) =>
    kind === 'timestamptz' ? `${microseconds(`t.${name}`).text} as ${name}` : `t.${name}`,
  )
  return raw(texts.join(', '))
}

function columnsOf(type: ImageType): Columns {
  return imageTables[type].columns
}

export async function insertImages(
  tx: Queryable,
  corp_id: string,
  type: ImageType,
  images: Image[],
): Promise<void> {
  await insertRows(tx, type, columnsOf(type), corp_id, images)
}

/** Sets every member to that of the image. */
export async function updateImages(
  tx: Queryable,
  corp_id: string,
  type: ImageType,
  images: Image[],
): Promise<void> {
  if (images.length === 0) return
  const { key } = imageTables[type]
  const columns = columnsOf(type)
  const members = Object.keys(columns).filter((name) => name !== key)
  await tx.query(sql`
    update ${raw(type)} t
       set ${raw(members.map((name) => `${name} = new.${name}`).join(', '))}
      from ${sentRows('new', columns, images)}
     where t.corp_id = ${corp_id} and t.${raw(key)} = any(${images.map((image) => idOf(type, image))}::text[])
       and t.${raw(key)} = new.${raw(key)}`)
}

/** The value of the key column, which is a text in every table. */
export function idOf(type: ImageType, image: Image): string {
  const members: Record<string, unknown> = image
  return String(members[imageTables[type].key])
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

/** Clears contacts inside a transaction, so that users can exchange them in spite of the unique indexes. */
export async function releaseContacts(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.query(sql`
    update users set area_code = null, mobile = null, email = null
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`)
}

/** The users among these that other records refer to, apart from the records that leave them. */
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
