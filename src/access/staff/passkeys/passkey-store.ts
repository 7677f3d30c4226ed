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

/** Bounds what one credential makes the server verify. */
const mostPasskeys = 20

/** The passkeys that an authenticator calls so, in whichever organization. Each has a key of its own to be verified by. */
export async function findPasskeys(
  of: (scope: string) => Queryable,
  credential_id: string,
): Promise<Passkey[]> {
  return of(credentialScope('passkey', credential_id)).query<Passkey>(sql`
    select ${columns} from staff_passkeys where credential_id = ${credential_id}
     order by corp_id limit ${mostPasskeys}`)
}

/** False where somebody of the organization has it already. */
export async function insertPasskey(on: Queryable, passkey: Omit<Passkey, 'used_at'>): Promise<boolean> {
  const rows = await on.query(sql`
    insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime)
    values (${passkey.corp_id}, ${passkey.credential_id}, ${passkey.staff_id}, ${passkey.name},
            ${passkey.public_key}, ${passkey.counter}, ${passkey.transports}, ${passkey.ctime})
    on conflict (corp_id, credential_id) do nothing
    returning credential_id`)
  return rows.length === 1
}

/** False where another use of the same moment has counted as far: one of the two is a copy. */
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
