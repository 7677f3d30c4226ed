import type { Keyring } from '../../access/organizations/keyring.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { type Organization, programAccount } from '../../contract/caller.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { openKey } from './contact-hash.ts'
import { forgetPayer } from './erase-payer.ts'
import { erasePerson } from './erase-person.ts'
import { type ListedContact, type ListedErasures, type ListedPerson, lastEventOf } from './erasure-list.ts'
import { findKnownContacts, findKnownPeople, insertListed, listedKey } from './erasure-list-store.ts'
import { finishErasures } from './finish-erasures.ts'
import { findRegister, insertingTombstones, makeKey, sealedKeyOf, takeNumber } from './tombstone-store.ts'

interface Named {
  corp_id: string
  user_id: string
}

/** The result of applying a list. */
export interface AppliedErasures {
  /** People who were in the database again and were erased again. */
  erased: Named[]
  /** People who are still in the database, and why. */
  failed: (Named & { reason: string })[]
  /** Contacts that are blocked again, or allowed again by a lift. */
  contacts: number
}

const executor = programAccount('erasure-list', 'List of erasures')
const reason = 'Was erased before the restore of this database'
const batchSize = 1000

/**
 * Applies a list of erasures to a restored database. It erases every listed person by id and restores missing
 * tombstones. A user with another id and a listed contact stays, because the lost database had that user, too.
 * Without a keyring, files and texts are searched at the next start of a server.
 */
export async function applyErasures(
  db: Database,
  listed: Map<string, ListedErasures>,
  keyring: Keyring | undefined,
  now = new Date(),
): Promise<AppliedErasures> {
  const applied: AppliedErasures = { erased: [], failed: [], contacts: 0 }
  const organizations = await findOrganizations(db.shared, [...listed.keys()])
  for (const organization of organizations) {
    const { corp_id } = organization
    const context = { db: db.of(corp_id), organization, keyring, now }
    await applyTo(context, listed.get(corp_id)!, applied)
    if (keyring) await finishErasures({ ...context, keyring })
  }
  return applied
}

interface ApplyContext {
  db: Queryable
  organization: Organization
  keyring: Keyring | undefined
  now: Date
}

async function applyTo(
  context: ApplyContext,
  listed: ListedErasures,
  applied: AppliedErasures,
): Promise<void> {
  const { db, organization, keyring } = context
  const { corp_id } = organization
  const register = await findRegister(db, corp_id)
  const known = sealedKeyOf(register)
  if (!known && listed.key) await makeKey(db, corp_id, listedKey(listed.key))
  const isOtherKey =
    known && listed.key && keyring
      ? !openKey(keyring, corp_id, known).equals(openKey(keyring, corp_id, listedKey(listed.key)))
      : false
  const haveContacts = new Set(listed.contacts.values().map(({ user_id }) => user_id))
  // The list has the tombstones of these people and knows which of them were lifted.
  const keyringFor = (user_id: string) =>
    isOtherKey || !haveContacts.has(user_id) ? context.keyring : undefined
  for (const people of batchesOf([...listed.people.values()]))
    await applyPeople(context, people, keyringFor, applied)
  if (isOtherKey)
    applied.failed.push({
      corp_id,
      user_id: '',
      reason: 'The hashes of the list and of the database have different keys: only ids were compared',
    })
  else
    for (const contacts of batchesOf([...listed.contacts.values()]))
      applied.contacts += await applyContacts(context, contacts)
}

async function applyPeople(
  context: ApplyContext,
  people: ListedPerson[],
  keyringFor: (user_id: string) => Keyring | undefined,
  applied: AppliedErasures,
): Promise<void> {
  const { db, organization } = context
  const { corp_id } = organization
  const ids = people.map(({ user_id }) => user_id)
  const { erased, users, payers, survivors } = await findKnownPeople(db, corp_id, ids)
  const missing = people.filter(({ user_id }) => !erased.has(user_id))
  for (const { user_id } of missing.filter((each) => users.has(each.user_id) || payers.has(each.user_id))) {
    try {
      const own = { ...context, account: executor, keyring: keyringFor(user_id) }
      const isErased = users.has(user_id)
        ? (await erasePerson(own, user_id, reason, { mayOwe: true })).records > 0
        : (await forgetPayer(own, user_id, reason, { mayOwe: true })).is_erased
      if (isErased) applied.erased.push({ corp_id, user_id })
    } catch (error) {
      applied.failed.push({
        corp_id,
        user_id,
        reason: error instanceof Error ? error.message : String(error),
      })
    }
  }
  for (const { user_id } of missing) {
    const survivor = survivors.get(user_id)
    if (survivor === undefined || ids.includes(survivor)) continue
    applied.failed.push({ corp_id, user_id, reason: `is merged into ${survivor}: unmerge and erase again` })
  }
  const absent = missing.filter(({ user_id }) =>
    [users, payers, survivors].every((known) => !known.has(user_id)),
  )
  if (absent.length > 0)
    await db.transaction(async (tx) => {
      const number = await takeNumber(tx, corp_id, true)
      await insertListed(tx, corp_id, absent, { executor_id: executor.app_id, reason, number })
      tx.note({ record_type: 'erased_users', record_id: corp_id, after: { people: absent.length } })
    })
}

/** If the database knows the contact, too, the latest event counts. */
async function applyContacts({ db, organization }: ApplyContext, contacts: ListedContact[]): Promise<number> {
  const { corp_id } = organization
  const known = await findKnownContacts(
    db,
    corp_id,
    contacts.map(({ hash }) => hash),
  )
  const newer = contacts.filter((contact) => lastEventOf(contact) > lastEventOf(known.get(contact.hash)))
  if (newer.length === 0) return 0
  await db.transaction(async (tx) => {
    const number = await takeNumber(tx, corp_id, false)
    const tombstones = newer.map(({ hash, type, user_id, at, lifted_at, lifted_by }) => ({
      contact_hash: hash,
      kind: type,
      user_id,
      number,
      at: new Date(at),
      lifted_at: lifted_at === null ? null : new Date(lifted_at),
      lifted_by,
    }))
    await tx.pipeline(insertingTombstones(corp_id, tombstones))
    tx.note({ record_type: 'erasure_tombstones', record_id: corp_id, after: { contacts: newer.length } })
  })
  return newer.filter(({ type }) => type !== 'digits').length
}

function* batchesOf<T>(all: T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += batchSize) yield all.slice(start, start + batchSize)
}
