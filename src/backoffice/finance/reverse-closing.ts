import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { BigInteger, DayText, described, Id, OrganizationId, oneOf } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { Reason } from '../../orders/ledger/fields.ts'
import { takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { requestApproval } from '../../orders/limits/ask-second-person.ts'
import type { ClosingReversal } from './closing.ts'
import {
  findClosing,
  findLastClosing,
  findLastEntry,
  insertReversal,
  type StoredClosing,
} from './closing-store.ts'

const corp_id = 'lakeside'

/** Asks a second person to reverse the latest closing. */
export const reverseClosing = endpoint({
  id: 'reverseClosing',
  method: 'POST',
  path: '/api/v5/entity/finance/closing/reverse',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'changes', people: 'none', confirmed: true, secondApprover: 'closing reversal' },
  summary: 'Request the reversal of the latest closing',
  description:
    'The reversal waits until a second person approves it with approval/approve. Then the period is open again: entries that ' +
    'are dated into it belong to the open period, and any day after the previous closing can be closed. The reversed ' +
    'closing and its reversal stay in the list.',
  input: Type.Object({
    corp_id: OrganizationId,
    until: Type.String({ format: 'date', description: 'The last day of the latest closing' }),
    reason: described(Reason, 'Why it is reversed'),
  }),
  data: Type.Object({
    number: described(BigInteger, 'Of the closing'),
    until: DayText,
    state: oneOf(['waiting'], 'It always waits for a second approver'),
    request_id: described(Id, 'The id for approval/approve'),
  }),
  example: {
    input: { corp_id, until: '2026-10-31', reason: 'Closed a month too late' },
    data: {
      number: 12,
      until: '2026-10-31',
      state: 'waiting',
      request_id: '0198c0de88887c41a2f0d8e6b4937215',
    },
  },
  errors: ['stateForbids'],

  async handle(context, { until, reason }) {
    return requestReversal(context, { until, reason })
  },
})

type Requester = Parameters<typeof requestApproval>[0]

/** Also used by the command line. */
export async function requestReversal(
  requester: Requester,
  { until, reason }: { until: string; reason: string },
) {
  const { db, organization } = requester
  const { corp_id } = organization
  const closing = await findClosing(db, corp_id, until)
  if (!closing) throw invalid('until', 'must be the last day of a closing')
  const { number } = closing
  requireLatest(await findLastClosing(db, corp_id), { number, until })
  const subject = { kind: 'closing_reversal' as const, order_id: null, price: 0, currency: '' }
  const request_id = await requestApproval(requester, subject, { corp_id, until, number, reason })
  return { number, until, state: 'waiting' as const, request_id }
}

function requireLatest(
  last: StoredClosing | undefined,
  { number, until }: { number: number; until: string },
): void {
  if (last?.number === number) return
  const msg =
    last && last.until > until
      ? `The closing of ${until} is not the latest: reverse the closing of ${last.until} first.`
      : `The closing of ${until} was reversed before.`
  throw new ApiError('stateForbids', { msg, allowed: [] })
}

interface ApprovedReversal {
  until: string
  number: number
  reason: string
}

/** Reverses the latest closing. The caller's transaction holds the clock, so nothing is closed at the same time. */
export async function recordReversal(
  { db: tx, organization, account }: OrganizationContext,
  { until, number, reason }: ApprovedReversal,
  requested_by: string,
): Promise<ClosingReversal> {
  const { corp_id } = organization
  const reversed_at = (await takeInstants(tx, corp_id, 1))[0]!
  requireLatest(await findLastClosing(tx, corp_id), { number, until })
  const last = await findLastEntry(tx, corp_id)
  const reversal: ClosingReversal = {
    ...{ corp_id, number: last.number + 1, closing_number: number, until, reason },
    ...{ requested_by, approved_by: account.app_id, reversed_at, previous_hash: last.hash },
  }
  const { reversed_at: at, approved_by: executor_id } = reversal
  await insertReversal(tx, corp_id, { ...reversal, document: JSON.stringify(reversal), executor_id, at })
  return reversal
}
