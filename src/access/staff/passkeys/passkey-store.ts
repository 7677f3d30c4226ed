import { credentialScope } from '../../../database/credential-scope.ts'
import type { Queryable } from '../../../database/database.ts'
import { raw, sql } from '../../../database/sql.ts'
import type { AccountKey } from '../staff-store.ts'

export interface Passkey extends AccountKey {
  credential_id: string
  name: string
  public_key: Buffer
  counter: number
  transports: string[]
  ctime: Date
  used_at: Date | null
}

const columns = raw('corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime, used_at')

export async function listPasskeysOf(on: Queryable, { corp_id, staff_id }: AccountKey): Promise<Passkey[]> {
  return on.query<Passkey>(sql`
    select ${columns} from staff_passkeys where corp_id = ${corp_id} and staff_id = ${staff_id}
     order by ctime, credential_id`)
}

/** Limits the signatures that the server verifies for one credential. */
const maxPasskeys = 20

/** The passkeys with this id in all organizations. Each has its own public key. */
export async function findPasskeys(
  of: (scope: string) => Queryable,
  credential_id: string,
): Promise<Passkey[]> {
  return of(credentialScope('passkey', credential_id)).query<Passkey>(sql`
    select ${columns} from staff_passkeys where credential_id = ${credential_id}
     order by corp_id limit ${maxPasskeys}`)
}

/** Returns false if the organization already has a passkey with this id. */
export async function insertPasskey(on: Queryable, passkey: Omit<Passkey, 'used_at'>): Promise<boolean> {
  const rows = await on.query(sql`
    insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime)
    values (${passkey.corp_id}, ${passkey.credential_id}, ${passkey.staff_id}, ${passkey.name},
            ${passkey.public_key}, ${passkey.counter}, ${passkey.transports}, ${passkey.ctime})
    on conflict (corp_id, credential_id) do nothing
    returning credential_id`)
  return rows.length === 1
}

/** Returns false if the counter has not increased: a concurrent use has the same count, and one of the two is a clone. */
export async function notePasskeyUse(
  on: Queryable,
  { corp_id, credential_id, counter }: Pick<Passkey, 'corp_id' | 'credential_id' | 'counter'>,
  now: Date,
): Promise<boolean> {
  const rows = await on.query(sql`
    update staff_passkeys set counter = ${counter}, used_at = ${now}
     where corp_id = ${corp_id} and credential_id = ${credential_id}
       and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning credential_id`)
  return rows.length === 1
}

export async function deletePasskey(
  on: Queryable,
  { corp_id, staff_id, credential_id }: AccountKey & { credential_id: string },
): Promise<boolean> {
  const rows = await on.query(sql`
    delete from staff_passkeys
     where corp_id = ${corp_id} and staff_id = ${staff_id} and credential_id = ${credential_id}
    returning credential_id`)
  return rows.length === 1
}

export async function deletePasskeysOf(on: Queryable, { corp_id, staff_id }: AccountKey): Promise<void> {
  await on.query(sql`delete from staff_passkeys where corp_id = ${corp_id} and staff_id = ${staff_id}`)
}
