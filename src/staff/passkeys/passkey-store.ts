import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

export interface Passkey {
  credential_id: string
  staff_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: string[]
  ctime: Date
  used_at: Date | null
}

const columns = raw('credential_id, staff_id, name, public_key, counter, transports, ctime, used_at')

export async function listPasskeysOf(on: Queryable, staff_id: string): Promise<Passkey[]> {
  return on.query<Passkey>(sql`
    select ${columns} from staff_passkeys where staff_id = ${staff_id} order by ctime, credential_id`)
}

export async function findPasskey(on: Queryable, credential_id: string): Promise<Passkey | undefined> {
  const [row] = await on.query<Passkey>(sql`
    select ${columns} from staff_passkeys where credential_id = ${credential_id}`)
  return row
}

/** False where somebody has it already. */
export async function insertPasskey(on: Queryable, passkey: Omit<Passkey, 'used_at'>): Promise<boolean> {
  const rows = await on.query(sql`
    insert into staff_passkeys (credential_id, staff_id, name, public_key, counter, transports, ctime)
    values (${passkey.credential_id}, ${passkey.staff_id}, ${passkey.name}, ${passkey.public_key},
            ${passkey.counter}, ${passkey.transports}, ${passkey.ctime})
    on conflict (credential_id) do nothing
    returning credential_id`)
  return rows.length === 1
}

/** False where another use of the same moment has counted as far: one of the two is a copy. */
export async function notePasskeyUse(
  on: Queryable,
  { credential_id, counter }: { credential_id: string; counter: number },
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    update staff_passkeys set counter = ${counter}, used_at = ${now}
     where credential_id = ${credential_id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning credential_id`)
  return rows.length === 1
}

export async function deletePasskey(
  on: Queryable,
  staff_id: string,
  credential_id: string,
): Promise<boolean> {
  const rows = await on.query(sql`
    delete from staff_passkeys where staff_id = ${staff_id} and credential_id = ${credential_id}
    returning credential_id`)
  return rows.length === 1
}

export async function deletePasskeysOf(on: Queryable, staff_id: string): Promise<void> {
  await on.query(sql`delete from staff_passkeys where staff_id = ${staff_id}`)
}
