import { applyTransitions, keyOf, lockRecords } from '../changes/apply-transitions.ts'
import { type Image, type ImageType, imageTables, microsecondsOf } from '../changes/record-images.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import type { Queryable } from '../database/database.ts'
import { foldCounts } from '../facets/facet-store.ts'
import { pruneExports } from '../finance/exports/export-file-store.ts'
import { holdClock } from '../orders/ledger-clock-store.ts'
import { holdOrders } from '../orders/order-state-store.ts'
import { projectOrders } from '../orders/read-model/project-orders.ts'
import type { Keyring } from '../organizations/keyring.ts'
import { findBelongings } from '../users/merged-user-store.ts'
import { dropEmptyCounts, forgetting, insertingErased, isErased } from './erase-store.ts'
import { hashesOf, wordsOf } from './erased-words.ts'
import { forgetTexts } from './forget-texts.ts'
import { hasherToErase } from './recognise-erased.ts'
import { insertingTombstones, takeNumber } from './tombstone-store.ts'

export type EraseContext = Pick<OrganizationContext, 'db' | 'organization' | 'account' | 'now'> & {
  /** Undefined only after a restore, where a list has the tombstones. */
  keyring: Keyring | undefined
}

export interface Erased {
  user_id: string
  /** How many records went, the user included. */
  records: number
  /** How many orders stay, without what they told of the user. */
  orders: number
}

/**
 * Forgets a person, in one transaction: the user and those who were merged into it, with their leads, tags, follow-ups
 * and history, every copy of what they tell, and what was written on their orders. A user whom orders name stays as an
 * id. The books stay as they are. Tombstones keep the contacts from coming in again by a file.
 */
export async function erasePerson(
  { db, organization, account, keyring, now }: EraseContext,
  user_id: string,
  reason: string,
): Promise<Erased> {
  const { corp_id } = organization
  return db.transaction(async (tx) => {
    // Before anything is looked up: nothing is added to the user from here on.
    await lockRecords(tx, corp_id, named('users', [user_id]))
    const owned = await findBelongings(tx, corp_id, user_id)
    const records = await lockRecords(tx, corp_id, [
      ...named('users', [user_id]),
      ...named('user_claims', [user_id]),
      ...named('merged_users', owned.merged_users),
      ...named('leads', owned.leads),
      ...named('user_tags', owned.user_tags),
      ...named('user_follow_ups', owned.user_follow_ups),
    ])
    const user = records.get(keyOf('users', user_id))!
    if (!user.before) throw new ApiError('userNotFound')
    const going = [...records.values()].filter(({ before }) => before)
    if (going.length === 1 && isBlank(user.before) && (await isErased(tx, corp_id, user_id)))
      return { user_id, records: 0, orders: owned.orders.length }
    for (const record of going) record.after = undefined
    if (owned.orders.length > 0) user.after = blankOf(user.before, now)
    const user_ids = [user_id, ...owned.merged_users]
    const words = wordsOf(going)
    const hasher = keyring && (await hasherToErase(tx, corp_id, keyring))
    // The ledger is held only afterwards: texts may be many.
    await forgetTexts({ db: tx, organization, now }, { user_ids, order_ids: owned.orders, words, hasher })
    if (owned.orders.length > 0) {
      await holdOrders(tx, corp_id, owned.orders)
      await holdClock(tx, corp_id)
    }
    await tx.pipeline(
      forgetting({
        ...{ corp_id, user_ids, order_ids: owned.orders },
        record_ids: [...owned.leads, ...owned.user_tags, ...owned.user_follow_ups],
      }),
    )
    // Files of the finance office tell of everybody; whoever still needs one asks for it again.
    await pruneExports(tx, corp_id, endOfTime)
    await applyTransitions(unnoted(tx), corp_id, going)
    await projectOrders(tx, corp_id, owned.orders)
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
        ...{ record_type: 'users', record_id: id, person_id: id, action: 'erased' as const },
      })),
    )
    return { user_id, records: going.length, orders: owned.orders.length }
  })
}

const endOfTime = new Date('9999-12-31T00:00:00Z')

function named(type: ImageType, ids: string[]) {
  return ids.map((id) => ({ type, id }))
}

/** What goes must not be told by the entry of its going. */
function unnoted(tx: Queryable): Queryable {
  return { ...tx, note: () => undefined }
}

/** An id that orders refer to, and nothing else. */
function blankOf(user: Image, now: Date): Image {
  const blank = Object.fromEntries(Object.keys(imageTables.users.columns).map((name) => [name, null]))
  const { user_id, pool, ctime, version } = user
  return {
    ...{ ...blank, user_id, pool, ctime, attributes: {}, owner_ids: [], is_verified: false },
    ...{ mtime: microsecondsOf(now), version: (version as number) + 1 },
  }
}

/** Whether nothing is known of a user, so that there is nothing to erase again. */
function isBlank(user: Image): boolean {
  const kept = ['user_id', 'pool', 'ctime', 'mtime', 'version', 'is_verified']
  const isEmpty = (value: unknown) =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.keys(user).every((name) => kept.includes(name) || isEmpty(user[name]))
}
