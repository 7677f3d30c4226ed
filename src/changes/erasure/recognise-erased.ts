import type { Keyring } from '../../access/organizations/keyring.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import type { Person } from '../../people/users/user-plan.ts'
import { type ContactHasher, createContactHasher, newSealedKey, openKey } from './contact-hash.ts'
import {
  findingErased,
  findingTombstones,
  findRegister,
  holdLastNumber,
  makeKey,
  type Register,
  sealedKeyOf,
} from './tombstone-store.ts'

export interface ErasedPerson {
  user_id: string
  at: Date
}

/** The erasure of a person in a file; undefined if the person was not erased. */
type Recognised = (ErasedPerson | undefined)[]

/** The database, and the keyring that opens the key of the organization. */
export interface Recognition {
  db: Queryable
  organization: Pick<Organization, 'corp_id'>
  keyring: Keyring
}

/** The hasher of the organization; undefined until a person with a contact is erased. */
export function hasherOf(
  keyring: Keyring,
  corp_id: string,
  register: Register | undefined,
): ContactHasher | undefined {
  const sealed = sealedKeyOf(register)
  return sealed && createContactHasher(openKey(keyring, corp_id, sealed))
}

/** The same, with a new key if there is none. */
export async function hasherToErase(
  tx: Queryable,
  corp_id: string,
  keyring: Keyring,
): Promise<ContactHasher> {
  const found = hasherOf(keyring, corp_id, await findRegister(tx, corp_id))
  if (found) return found
  return hasherOf(keyring, corp_id, await makeKey(tx, corp_id, newSealedKey(keyring, corp_id)))!
}

/**
 * Finds erased people by id or contact. Operations of the interface do not call it: an erased person who writes again
 * is a new person.
 */
export async function recogniseErased(
  { db, organization: { corp_id }, keyring }: Recognition,
  register: Register | undefined,
  people: Person[],
): Promise<Recognised> {
  const hasher = hasherOf(keyring, corp_id, register)
  const hashesOf = people.map((person) => (hasher ? personHashes(hasher, person) : []))
  const hashes = hashesOf.flat()
  const ids = people.flatMap(({ user_id }) => user_id ?? [])
  if (hashes.length + ids.length === 0) return people.map(() => undefined)
  const [byContact, erased] = await db.pipeline<[ErasedPerson & { contact_hash: string }, ErasedPerson]>([
    findingTombstones(corp_id, hashes),
    findingErased(corp_id, ids),
  ])
  const byHash = new Map(byContact.map(({ contact_hash, ...person }) => [contact_hash, person]))
  const byId = new Map(erased.map((person) => [person.user_id, person]))
  return people.map(
    ({ user_id }, index) =>
      byId.get(user_id ?? '') ?? hashesOf[index]?.map((hash) => byHash.get(hash)).find((each) => each),
  )
}

export function personHashes(hasher: ContactHasher, { area_code, mobile, email }: Person): string[] {
  return [
    ...(area_code && mobile ? [hasher.mobile(area_code, mobile)] : []),
    ...(email ? [hasher.email(email)] : []),
  ]
}

/**
 * Whether one of these people was erased since the register was read. At the end of a transaction, it also blocks
 * erasures until the commit, so that a later erasure finds the new records.
 */
export async function isErasedSinceRead(
  on: Recognition,
  before: Register | undefined,
  people: Person[],
): Promise<boolean> {
  const { corp_id } = on.organization
  if ((await holdLastNumber(on.db, corp_id)) === (before?.last_number ?? 0)) return false
  const now = await recogniseErased(on, await findRegister(on.db, corp_id), people)
  return now.some((person) => person !== undefined)
}

/** The reason shown for a row that names an erased person. */
export function erasedReason(
  { user_id, at }: ErasedPerson,
  { time_zone }: Pick<Organization, 'time_zone'>,
): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  return `belongs to a person who was erased on ${day} (${user_id}); an administrator can lift the erasure`
}
