import type { Keyring } from '../../access/organizations/keyring.ts'
import { pruneExports } from '../../backoffice/finance/exports/export-file-store.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import { majorText } from '../../files/amounts.ts'
import { type Changer, changeOrders, type FindRule } from '../../orders/change-orders.ts'
import { holdOrders, readStates } from '../../orders/ledger/order-state-store.ts'
import { findAccountsOf } from '../../orders/payers/account-store.ts'
import { blankPayer } from '../../orders/payers/payer-store.ts'
import { outstanding } from '../../orders/rules/order-rules.ts'
import { findBelongings } from '../../people/users/merged-user-store.ts'
import { foldCounts } from '../../search/facet-store.ts'
import { applyTransitions, lockRecords, recordIn } from '../undo/apply-transitions.ts'
import {
  type AnyImage,
  type Image,
  imageTables,
  nextStamp,
  ofType,
  type Transition,
} from '../undo/record-images.ts'
import { dropEmptyCounts, forgetting, insertingErased, isErased } from './erase-store.ts'
import { hashesOf, wordsOf } from './erased-words.ts'
import { forgetTexts } from './forget-texts.ts'
import { hasherToErase } from './recognise-erased.ts'
import { insertingTombstones, takeNumber } from './tombstone-store.ts'

export type EraseContext = Pick<OrganizationContext, 'db' | 'organization' | 'account' | 'now'> & {
  /** Undefined only after a restore, when a list has the tombstones. */
  keyring: Keyring | undefined
}

export interface Erased {
  user_id: string
  /** Erased records, including the user. */
  records: number
  /** Orders that stay without their copy of the user. */
  orders: number
}

/**
 * Erases a person in one transaction: the user, all users merged into it, their leads, tags, follow-ups and history,
 * every copy of their data, and the texts on their orders. A user with orders stays as an id. The ledger does not
 * change. Tombstones prevent that a file imports the contacts again.
 */
export async function erasePerson(
  { db, organization, account, keyring, now }: EraseContext,
  user_id: string,
  reason: string,
  /** Without `mayOwe`, a person with unpaid orders is not erased. */
  { mayOwe = false }: { mayOwe?: boolean } = {},
): Promise<Erased> {
  const { corp_id } = organization
  return db.transaction(async (tx) => {
    // From here on, new records of the user wait. So the records found below are complete.
    const users = await lockRecords(tx, corp_id, { users: [user_id], user_claims: [user_id] })
    const user = recordIn(users, 'users', user_id)
    if (!user.before) throw new ApiError('userNotFound')
    const owned = await findBelongings(tx, corp_id, user_id)
    const accounts = await findAccountsOf(tx, corp_id, owned.payers)
    const orderIds = [...owned.orders, ...accounts]
    await holdOrders(tx, corp_id, orderIds)
    if (!mayOwe) await refuseDebtor(tx, corp_id, owned.orders)
    const { orders: _, ...ownedRecords } = owned
    const others = await lockRecords(tx, corp_id, ownedRecords)
    const going = [...users.values(), ...others.values()].filter(({ before }) => before)
    if (going.length === 1 && isBlank(user.before) && (await isErased(tx, corp_id, user_id)))
      return { user_id, records: 0, orders: owned.orders.length }
    for (const record of going) record.after = undefined
    for (const record of ofType(going, 'payers'))
      if (record.before) record.after = { ...record.before, ...blankPayer, ...nextStamp(record.before, now) }
    if (owned.orders.length > 0) user.after = blankOf(user.before, now)
    const user_ids = [user_id, ...owned.merged_users]
    const words = wordsOf(going)
    const hasher = keyring && (await hasherToErase(tx, corp_id, keyring))
    // Before the ledger clock is locked: there may be many texts.
    await forgetTexts(
      { db: tx, organization, now },
      { user_ids, payer_ids: owned.payers, order_ids: orderIds, words, hasher },
    )
    await tx.pipeline(
      forgetting({
        corp_id,
        user_ids,
        order_ids: orderIds,
        record_ids: [...owned.leads, ...owned.user_tags, ...owned.user_follow_ups, ...owned.payers],
        payer_ids: owned.payers,
      }),
    )
    // Export files of the finance office hold data of everybody; users can request them again.
    await pruneExports(tx, corp_id, endOfTime)
    await applyTransitions(unnoted(tx), corp_id, going)
    const changer = { db: tx, corp_id, executor_id: account.app_id }
    await eraseFromOrders(changer, orderIds, { reason, erasesCopy: true })
    await foldCounts(tx, corp_id)
    const number = await takeNumber(tx, corp_id, true)
    const tombstone = { user_id, number, at: now, lifted_at: null, lifted_by: null }
    const hashes = hasher ? hashesOf(hasher, words) : []
    await tx.pipeline([
      dropEmptyCounts(corp_id),
      insertingErased(corp_id, user_ids, { executor_id: account.app_id, reason, now, number }),
      ...insertingTombstones(
        corp_id,
        hashes.map((hash) => ({ ...tombstone, ...hash })),
      ),
    ])
    tx.note(
      ...user_ids.map((id) => ({
        record_type: 'users',
        record_id: id,
        person_id: id,
        action: 'erased' as const,
        ...(id === user_id && countedIn(user)),
      })),
      ...going
        .filter((record) => record !== user)
        .map((record) => ({
          record_type: record.type,
          record_id: record.id,
          person_id: user_id,
          ...countedIn(record),
        })),
    )
    return { user_id, records: going.length, orders: owned.orders.length }
  })
}

/** Nobody could claim the money from an erased person. */
async function refuseDebtor(tx: Queryable, corp_id: string, orderIds: string[]): Promise<void> {
  const debts = await debtsOf(tx, corp_id, orderIds)
  if (debts.length === 0) return
  throw new ApiError('stateForbids', {
    msg: `The person owes ${debts.join(' and ')}. Write it off first, or send confirm_debt.`,
    allowed: ['order/write-off'],
    extra: { reason: 'person_owes' },
  })
}

/** The unpaid amounts of orders as texts, one per currency. */
export async function debtsOf(tx: Queryable, corp_id: string, orderIds: string[]): Promise<string[]> {
  const states = [...(await readStates(tx, corp_id, orderIds)).values()]
  return [...Map.groupBy(states, ({ currency }) => currency)].flatMap(([currency, orders]) => {
    const owed = orders.reduce((all, order) => all + outstanding(order), 0)
    return owed > 0 ? [`${majorText(BigInt(owed), currency)} ${currency}`] : []
  })
}

export const endOfTime = new Date('9999-12-31T00:00:00Z')

/** The audit entry of an erasure must not repeat the erased data. */
export function unnoted(tx: Queryable): Queryable {
  return { ...tx, note: () => undefined }
}

/** The audit of an erased record: whether it still exists, and its version. */
export function countedIn({ before, after }: Transition): Pick<AuditNote, 'before' | 'after'> {
  const counted = (image: Image | undefined) =>
    image && { version: 'version' in image ? image.version : undefined }
  return { before: counted(before), after: counted(after) }
}

/** Each order gets a new version, without the copy of the user if `erasesCopy`. */
export async function eraseFromOrders(
  changer: Changer,
  orderIds: string[],
  { reason, erasesCopy }: { reason: string; erasesCopy: boolean },
): Promise<void> {
  if (orderIds.length === 0) return
  const erase: FindRule<{ order_id: string }, void> = async () => (_, state) => ({
    state,
    erasesCopy,
    cause: { change: 'erased', reason, subject_id: null },
    result: () => undefined,
  })
  erase.includesDeleted = true
  erase.includesAccounts = true
  const changes = orderIds.map((order_id) => ({ order_id }))
  await changeOrders(changer, changes, erase)
}

/** The members of a blank user that are not empty. */
const keptMembers = ['user_id', 'pool', 'ctime', 'mtime', 'version', 'is_verified']

/** A user that keeps only its id, to which orders refer. Every column that is not named here is null. */
function blankOf(user: Image<'users'>, now: Date): Image<'users'> {
  const columns = Object.keys(imageTables.users.columns)
  // Object.fromEntries loses the names of the columns.
  const blank = Object.fromEntries(columns.map((name) => [name, null])) as Record<
    keyof typeof imageTables.users.columns,
    null
  >
  const { user_id, pool, ctime, mtime, version } = user
  return {
    ...blank,
    user_id,
    pool,
    ctime,
    attributes: {},
    owner_ids: [],
    is_verified: false,
    mtime,
    version,
    ...nextStamp(user, now),
  }
}

/** Whether no personal data is left, so that there is nothing to erase. */
function isBlank(user: AnyImage): boolean {
  const isEmpty = (value: unknown) =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.keys(user).every((name) => keptMembers.includes(name) || isEmpty(user[name]))
}
