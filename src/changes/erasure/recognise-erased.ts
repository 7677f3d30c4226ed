import type { Keyring } from '../../access/organizations/keyring.ts'
import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import type { Person } from '../../people/users/user-plan.ts'
import {
  type ContactHasher,
  createContactHasher,
  newSealedKey,
  openKey,
  type SealedKey,
} from './contact-hash.ts'
import {
  findingErased,
  findingTombstones,
  findRegister,
  holdLastNumber,
  makeKey,
  type Register,
} from './tombstone-store.ts'

export interface ErasedPerson {
  user_id: string
  at: Date
}

/** Somebody who is about to come in from a file; undefined: was not erased. */
type Recognised = (ErasedPerson | undefined)[]

/** Where to look, and what opens the key of the organization. */
export interface Recognition {
  db: Queryable
  organization: Pick<Organization, 'corp_id'>
  keyring: Keyring
}

/** What hashes contacts; undefined where nobody with a contact was erased yet. */
export function hasherOf(
  keyring: Keyring,
  corp_id: string,
  register: Register | undefined,
): ContactHasher | undefined {
  const sealed = sealedKeyOf(register)
  return sealed && createContactHasher(openKey(keyring, corp_id, sealed))
}

export function sealedKeyOf(register: Register | undefined): SealedKey | undefined {
  if (!register?.secret_box || !register.secret_key_id) return undefined
  return { secret_box: register.secret_box, secret_key_id: register.secret_key_id }
}

/** The same, with a key that is made where there is none. */
export async function hasherToErase(
  tx: Queryable,
  corp_id: string,
  keyring: Keyring,
): Promise<ContactHasher> {
  const found = hasherOf(keyring, corp_id, await findRegister(tx, corp_id))
  if (found) return found
  return hasherOf(keyring, corp_id, await makeKey(tx, corp_id, newSealedKey(keyring, corp_id)))!
}

/** Which of these people were erased, by their id or a contact. Interface operations do not ask: who writes in again is somebody new. */
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
  const [buried, erased] = await db.pipeline<[ErasedPerson & { contact_hash: string }, ErasedPerson]>([
    findingTombstones(corp_id, hashes),
    findingErased(corp_id, ids),
  ])
  const byHash = new Map(buried.map(({ contact_hash, ...person }) => [contact_hash, person]))
  const byId = new Map(erased.map((person) => [person.user_id, person]))
  return people.map(
    ({ user_id }, index) =>
      byId.get(user_id ?? '') ?? hashesOf[index]!.map((hash) => byHash.get(hash)).find((each) => each),
  )
}

export function personHashes(hasher: ContactHasher, { area_code, mobile, email }: Person): string[] {
  return [
    ...(area_code && mobile ? [hasher.mobile(area_code, mobile)] : []),
    ...(email ? [hasher.email(email)] : []),
  ]
}

/**
 * Whether somebody of these was erased since the register was read. Asked at the end of a transaction, it also keeps
 * everybody from being erased until the commit: what comes in then comes in before the erasure, which finds it.
 */
export async function isErasedMeanwhile(
  on: Recognition,
  before: Register | undefined,
  people: Person[],
): Promise<boolean> {
  const { corp_id } = on.organization
  if ((await holdLastNumber(on.db, corp_id)) === (before?.last_number ?? 0)) return false
  const now = await recogniseErased(on, await findRegister(on.db, corp_id), people)
  return now.some((person) => person !== undefined)
}

/** What is told of a row that names somebody who was erased. */
export function erasedReason(
  { user_id, at }: ErasedPerson,
  { time_zone }: Pick<Organization, 'time_zone'>,
): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  return `belongs to a person who was erased on ${day} (${user_id}); an administrator can lift the erasure`
}
