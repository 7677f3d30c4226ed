import { Type } from 'typebox'
import { currencyExponents } from '../../../contract/currencies.ts'
import { endpoint } from '../../../contract/endpoint.ts'
import { invalid } from '../../../contract/errors.ts'
import { OrganizationId } from '../../../contract/fields.ts'
import { largestAmount } from '../../../contract/rounding.ts'
import type { Queryable } from '../../../database/database.ts'
import { Currency } from '../../fields.ts'
import { findRefundLimits, type RefundLimits, storeRefundLimits } from './refund-limit-store.ts'

const Limits = Type.Array(
  Type.Object({
    currency: Currency,
    price: Type.Integer({ minimum: 0, maximum: largestAmount, description: 'Minor units of the currency' }),
  }),
  {
    maxItems: 50,
    description:
      'How much may go back of an order without a second person. None: everything; otherwise currencies that are not named need one always',
  },
)

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const
const corp_id = '0198c0de00007c41a2f0d8e6b4937215'
const limits = [{ currency: 'CNY', price: 500_000 }]

export const fetchRefundLimits = endpoint({
  ...shared,
  id: 'fetchRefundLimits',
  method: 'GET',
  path: '/api/v5/console/refund-limits/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Show from how much on refunds wait for a second person',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ limits: Limits }),
  example: { input: { corp_id }, data: { limits } },

  async handle({ db }, { corp_id }) {
    return { limits: listed(await findRefundLimits(db, corp_id)) }
  },
})

export const updateRefundLimits = endpoint({
  ...shared,
  id: 'updateRefundLimits',
  method: 'POST',
  path: '/api/v5/console/refund-limits/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Say from how much on refunds wait for a second person',
  input: Type.Object({ corp_id: OrganizationId, limits: Limits }),
  data: Type.Object({ limits: Limits }),
  example: { input: { corp_id, limits }, data: { limits } },

  async handle({ db, now }, { corp_id, limits }) {
    const wanted = Object.fromEntries(limits.map(({ currency, price }) => [currency, price]))
    if (Object.keys(wanted).length < limits.length) throw invalid('limits', 'must name each currency once')
    await changeRefundLimits(db, corp_id, wanted, now)
    return { limits: listed(await findRefundLimits(db, corp_id)) }
  },
})

export async function changeRefundLimits(
  on: Queryable,
  corp_id: string,
  limits: RefundLimits,
  now: Date,
): Promise<void> {
  for (const [currency, price] of Object.entries(limits)) {
    if (!Object.hasOwn(currencyExponents, currency) || !Number.isSafeInteger(price) || price < 0)
      throw invalid('limits', `must be amounts in minor units by currency, which ${currency} is not`)
  }
  await storeRefundLimits(on, corp_id, limits, now)
}

function listed(limits: RefundLimits) {
  return Object.entries(limits).map(([currency, price]) => ({ currency, price }))
}
