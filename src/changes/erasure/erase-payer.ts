import { pruneExports } from '../../backoffice/finance/exports/export-file-store.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, LongText, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { majorText } from '../../files/amounts.ts'
import { holdOrders } from '../../orders/ledger/order-state-store.ts'
import { accountIdsOf } from '../../orders/payers/account-store.ts'
import { anyPayer, exampleCorp, examplePayer } from '../../orders/payers/payer-row.ts'
import { blankPayer, findOrdersPaidBy, type Payer } from '../../orders/payers/payer-store.ts'
import { readUnallocatedTotals } from '../../orders/payments/unallocated-store.ts'
import { applyTransitions, lockRecords, recordIn } from '../undo/apply-transitions.ts'
import { nextStamp } from '../undo/record-images.ts'
import { findCommentedOrders, findSharedContacts, forgettingPayer } from './erase-payer-store.ts'
import { countedIn, debtsOf, type EraseContext, endOfTime, eraseFromOrders, unnoted } from './erase-person.ts'
import { forgetting, insertingErased, isErased, keepingUndoable } from './erase-store.ts'
import { type ErasedWords, hashesOf } from './erased-words.ts'
import { finishErasures } from './finish-erasures.ts'
import { forgetTexts } from './forget-texts.ts'
import { hasherToErase } from './recognise-erased.ts'
import { insertingTombstones, takeNumber } from './tombstone-store.ts'

/** Erases a payer who is not a user. */
export const erasePayer = endpoint({
  id: 'erasePayer',
  method: 'POST',
  path: '/api/v5/entity/payer/erase',
  group: 'Privacy',
  since: 'Ver5.2026-11-18',
  permission: 'admin',
  guard: { effect: 'irreversible', ...anyPayer },
  summary: 'Erase a payer',
  description:
    'Cannot be undone. Removes name, contacts, address and all texts of the payer, the comments of its payments, and its ' +
    'name on documents. Payments, receipts and sums stay without a name. A payer that is a user is erased with the user. ' +
    'Files then reject the contacts of the payer, unless a user has them, until `user/erasure/lift`.',
  input: Type.Object({
    corp_id: OrganizationId,
    payer_id: Id,
    reason: described(LongText, 'Why, without a word about the payer: it is kept'),
    confirm_debt: Type.Optional(
      Type.Boolean({
        description:
          'Erase a payer who still owes money, or whose money no order has; default false: refused, with the sums',
      }),
    ),
  }),
  data: Type.Object({
    payer_id: Id,
    is_erased: Type.Boolean({ description: 'Whether this call erased the payer; false: erased before' }),
  }),
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id, reason: 'Asked for it on 14 November' },
    data: { payer_id: examplePayer.payer_id, is_erased: true },
  },
  errors: ['payerNotFound', 'stateForbids'],

  async handle(context, { payer_id, reason, confirm_debt = false }) {
    return forgetPayer(context, payer_id, reason, { mayOwe: confirm_debt })
  },

  afterwards: (context: OrganizationContext) => finishErasures(context),
})

/** Erases a payer in one transaction. The ledger does not change, and the payer keeps its id. */
export async function forgetPayer(
  { db, organization, account, keyring, now }: EraseContext,
  payer_id: string,
  reason: string,
  /** Without `mayOwe`, a payer with debts or unallocated money is not erased. */
  { mayOwe = false }: { mayOwe?: boolean } = {},
): Promise<{ payer_id: string; is_erased: boolean }> {
  const { corp_id } = organization
  return db.transaction(async (tx) => {
    // First the orders, then the payer: payments lock them in this order.
    const commented = await findCommentedOrders(tx, corp_id, payer_id)
    const held = await holdOrders(tx, corp_id, [...new Set([...accountIdsOf(payer_id), ...commented])])
    const accounts = accountIdsOf(payer_id).filter((id) => held.has(id))
    const others = commented.filter((id) => !accounts.includes(id))
    const record = recordIn(await lockRecords(tx, corp_id, { payers: [payer_id] }), 'payers', payer_id)
    const { before } = record
    if (!before) throw new ApiError('payerNotFound')
    if (before.user_id !== null) throw isUserRefusal(before.user_id)
    if (before.name === '' && (await isErased(tx, corp_id, payer_id))) return { payer_id, is_erased: false }
    if (!mayOwe) await refuseMoney(tx, corp_id, payer_id)
    record.after = { ...before, ...blankPayer, ...nextStamp(before, now) }
    const words = await wordsOfPayer(tx, corp_id, before)
    const hasher = keyring && (await hasherToErase(tx, corp_id, keyring))
    const forgotten = { user_ids: [], payer_ids: [payer_id], order_ids: accounts }
    await forgetTexts({ db: tx, organization, now }, { ...forgotten, words, hasher })
    await tx.pipeline([
      ...forgettingPayer(corp_id, payer_id),
      keepingUndoable({ corp_id, order_ids: others }),
      ...forgetting({ corp_id, ...forgotten, record_ids: [payer_id] }),
    ])
    await pruneExports(tx, corp_id, endOfTime)
    await applyTransitions(unnoted(tx), corp_id, [record])
    const changer = { db: tx, corp_id, executor_id: account.app_id }
    await eraseFromOrders(changer, accounts, { reason, erasesCopy: true })
    await eraseFromOrders(changer, others, { reason, erasesCopy: false })
    const number = await takeNumber(tx, corp_id, true)
    const tombstone = { user_id: payer_id, number, at: now, lifted_at: null, lifted_by: null }
    const hashes = hasher ? hashesOf(hasher, words) : []
    await tx.pipeline([
      insertingErased(corp_id, [payer_id], { executor_id: account.app_id, reason, now, number }),
      ...insertingTombstones(
        corp_id,
        hashes.map((hash) => ({ ...tombstone, ...hash })),
      ),
    ])
    tx.note({
      ...{ record_type: 'payers', record_id: payer_id, person_id: payer_id, action: 'erased' },
      ...countedIn(record),
    })
    return { payer_id, is_erased: true }
  })
}

function isUserRefusal(user_id: string): ApiError {
  return new ApiError('stateForbids', {
    msg: `The payer is the user ${user_id}. Erase the user, which erases the payer, too.`,
    allowed: ['user/erase'],
    extra: { reason: 'payer_is_user' },
  })
}

/** Nobody could claim the debt of an erased payer, nor return its money. */
async function refuseMoney(tx: Queryable, corp_id: string, payer_id: string): Promise<void> {
  const debts = await debtsOf(tx, corp_id, await findOrdersPaidBy(tx, corp_id, payer_id))
  const totals = await readUnallocatedTotals(tx, { corp_id, payer_id })
  const unallocated = totals.map(
    ({ unallocated_price, currency }) => `${majorText(BigInt(unallocated_price), currency)} ${currency}`,
  )
  if (debts.length === 0 && unallocated.length === 0) return
  const facts = [
    ...(debts.length > 0 ? [`The payer owes ${debts.join(' and ')}.`] : []),
    ...(unallocated.length > 0 ? [`No order has ${unallocated.join(' and ')} of its money.`] : []),
  ]
  throw new ApiError('stateForbids', {
    msg: `${facts.join(' ')} Write off, allocate or refund it first, or send confirm_debt.`,
    allowed: ['order/write-off', 'order/payment/apply', 'order/refund/create'],
    extra: {
      reason: 'payer_has_money',
      owed: debts.join(' + ') || '0',
      unallocated: unallocated.join(' + ') || '0',
    },
  })
}

/** A contact that a user has stays in texts and files, because it may be theirs. An employer has no personal name. */
async function wordsOfPayer(
  tx: Queryable,
  corp_id: string,
  payer: Pick<Payer, 'kind' | 'name' | 'contact_name' | 'area_code' | 'mobile' | 'email'>,
): Promise<ErasedWords> {
  const { area_code = null, mobile = null, email = null } = payer
  const { isNumberShared, isEmailShared } = await findSharedContacts(tx, corp_id, {
    ...{ area_code, mobile, email },
  })
  const isCompany = payer.kind === 'employer' || payer.kind === 'sponsor'
  return {
    numbers: area_code && mobile && !isNumberShared ? [{ area_code, mobile }] : [],
    emails: email && !isEmailShared ? [email] : [],
    names: [isCompany ? '' : payer.name, payer.contact_name].filter((name) => !!name) as string[],
  }
}
