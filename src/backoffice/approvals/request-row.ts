import { localTime } from '../../contract/days.ts'
import { DayText, described, Id, Money, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import {
  type ApprovalRequest,
  approvalKinds,
  requestStates,
} from '../../orders/limits/approval-request-store.ts'
import { fullName } from '../../people/users/full-name.ts'

const Text = Type.String()

export const RequestRow = namedObject('ApprovalRequest', {
  request_id: Id,
  kind: described(
    oneOf(approvalKinds),
    'The requested action; a retention keeps the money of a canceled order',
  ),
  order_id: described(Text, '"" for a reversal of a closing, as user_id and currency'),
  user_id: Text,
  user_name: described(Text, 'The present name of the user'),
  price: Money,
  currency: described(Text, 'Of the order'),
  until: described(DayText, 'The last day of the period whose closing is to be reversed'),
  reason: described(Text, 'The reason for the action'),
  state: oneOf(requestStates),
  requested_by: Id,
  ctime: Timestamp,
  decided_by: described(Text, '"" while it waits'),
  decided_time: Timestamp,
  decline_reason: Text,
  refund_id: described(Text, 'The refund that the approval made, if it is one'),
})

export function requestRow(request: ApprovalRequest, timeZone: string): Static<typeof RequestRow> {
  const { request_id, kind, order_id, user_id, price, currency, state, requested_by } = request
  return {
    request_id,
    kind,
    order_id: order_id ?? '',
    user_id: user_id ?? '',
    price,
    currency,
    state,
    requested_by,
    user_name: fullName(request),
    reason: request.input.reason ?? '',
    until: (kind === 'closing_reversal' && request.input.until) || '',
    ctime: localTime(request.at.toISOString(), timeZone),
    decided_by: request.decided_by ?? '',
    decided_time: request.decided_at ? localTime(request.decided_at.toISOString(), timeZone) : '',
    decline_reason: request.decline_reason ?? '',
    refund_id: request.refund_id ?? '',
  }
}

export const exampleRequest: Static<typeof RequestRow> = {
  request_id: '01906bce6da87379ab8ecadce0f9da93',
  kind: 'refund',
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
  user_id: '019672b93ea877f0b98a30ed5184dccd',
  user_name: '林晓',
  price: 3_000_000,
  currency: 'CNY',
  until: '',
  reason: 'Withdrew before the start',
  state: 'waiting',
  requested_by: '0198c0de77777c41a2f0d8e6b4937215',
  ctime: '2024-04-02 15:00:00',
  decided_by: '',
  decided_time: '',
  decline_reason: '',
  refund_id: '',
}
