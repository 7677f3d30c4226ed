import { localTime } from '../../contract/days.ts'
import { Id, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { largestAmount } from '../../contract/rounding.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Currency } from '../ledger/fields.ts'
import type { LimitRequest } from './limit-request-store.ts'
import { limitKinds, type MoneyLimits } from './money-limit-store.ts'

export const Limits = Type.Array(
  Type.Object({
    currency: Currency,
    price: Type.Integer({ minimum: 0, maximum: largestAmount, description: 'Minor units of the currency' }),
  }),
  {
    maxItems: 50,
    description:
      'The sum per order that needs no second approver. Empty: no limit; otherwise currencies without a limit always need one',
  },
)

/** A request to raise limits, as administrators see it. */
export const LimitRequestRow = namedObject('LimitRequest', {
  request_id: Id,
  kind: oneOf(limitKinds),
  before: Limits,
  wanted: Limits,
  requested_by: Id,
  ctime: Timestamp,
})

export function listed(limits: MoneyLimits): Static<typeof Limits> {
  return Object.entries(limits).map(([currency, price]) => ({ currency, price }))
}

export function limitRequestRow(
  { request_id, kind, before, wanted, requested_by, at }: LimitRequest,
  timeZone: string,
): Static<typeof LimitRequestRow> {
  return {
    request_id,
    kind,
    before: listed(before),
    wanted: listed(wanted),
    requested_by,
    ctime: localTime(at.toISOString(), timeZone),
  }
}

export const exampleLimits: Static<typeof Limits> = [{ currency: 'CNY', price: 500_000 }]
export const exampleLimitRequest: Static<typeof LimitRequestRow> = {
  request_id: '0198c0de88887c41a2f0d8e6b4937215',
  kind: 'refund',
  before: exampleLimits,
  wanted: [{ currency: 'CNY', price: 900_000 }],
  requested_by: '0198c0de77777c41a2f0d8e6b4937215',
  ctime: '2026-11-17 15:00:00',
}
