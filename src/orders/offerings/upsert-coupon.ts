import type { Organization } from '../../contract/caller.ts'
import { deadlineOf } from '../../contract/days.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { faulty, type InputFault, invalid } from '../../contract/errors.ts'
import { described, Id, OrganizationId, optionalText } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { NewRow } from '../../database/insert-rows.ts'
import type { Queryable } from '../../database/queryable.ts'
import { Currency, PaidPrice, Price, Version } from '../ledger/fields.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { findCouponUses } from './coupon-use-store.ts'
import { ClearableTime, exampleIds, localTimes, made, textOr, timeOr } from './fields.ts'
import { coupons } from './offering-store.ts'
import { upsertOffering } from './upsert-offering.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  coupon_id: described(Id, 'The code that a customer types'),
  version: Type.Optional(Version),
  description: optionalText(longest.shortText),
  amount: Type.Optional(described(PaidPrice, 'The discount, in minor units of its currency')),
  currency: Type.Optional(described(Currency, 'ISO 4217 code; with amount')),
  basis_points: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Instead of amount: hundredths of a percent of the listed price',
    }),
  ),
  max_uses: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'The most orders with it; 0: no limit' }),
  ),
  budget_price: Type.Optional(described(Price, 'The largest sum of its discounts; 0: no limit')),
  budget_currency: Type.Optional(
    described(Currency, 'Of budget_price; default: that of the amount, otherwise of the organization'),
  ),
  valid_from: Type.Optional(ClearableTime),
  valid_until: Type.Optional(
    described(ClearableTime, 'A date without a time includes the whole day; an empty text removes it'),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'An inactive coupon is refused on new orders' })),
})

type CouponInput = Static<typeof Input>
type CouponFields = NewRow<typeof coupons.columns>

/** Creates or changes a coupon. Orders with the coupon keep their prices. */
export const upsertCoupon = endpoint({
  id: 'upsertCoupon',
  method: 'POST',
  path: '/api/v5/entity/coupon/upsert',
  group: 'Offerings',
  permission: 'write',
  guard: { effect: 'changes', people: 'none' },
  staffPermission: 'finance',
  summary: 'Create or change a coupon',
  description:
    'The discount is an amount in one currency, or basis points of the listed price. Omitted members stay unchanged. ' +
    'With `version`, the coupon must exist. A repeated call changes nothing. Orders that are canceled or expired use no ' +
    'coupon. Its limits are at least what orders have used.',
  input: Input,
  rules: termsAreOneKind,
  data: Type.Object({ coupon_id: Id, ...made }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      coupon_id: 'EARLY-BIRD',
      description: 'A month before the start',
      basis_points: 500,
      valid_until: '2027-02-01',
    },
    data: { coupon_id: 'EARLY-BIRD', version: 1, is_created: true },
  },
  errors: ['couponNotFound', 'staleVersion'],

  async handle(context, input) {
    const { coupon_id, version } = input
    const { id, ...answer } = await upsertOffering(context, coupons, {
      key: { coupon_id },
      version,
      newId: coupon_id,
      edit: (current) => edited(input, current, context.organization),
      judge: (tx, fields) => requireUsesWithin(tx, input, fields),
    })
    return { coupon_id: id, ...answer }
  },
})

function termsAreOneKind(_input: Partial<CouponInput>, isSent: (name: string) => boolean): InputFault[] {
  const faults: InputFault[] = []
  if (isSent('basis_points') && isSent('amount')) {
    faults.push({ param: 'basis_points', reason: 'must not be sent with amount' })
  }
  if (isSent('basis_points') && isSent('currency')) {
    faults.push({ param: 'currency', reason: 'must not be sent with basis_points' })
  }
  return faults
}

function edited(
  input: CouponInput,
  current: CouponFields | undefined,
  { time_zone: timeZone, currency }: Pick<Organization, 'time_zone' | 'currency'>,
): CouponFields {
  const terms = termsOf(input, current)
  const fields = {
    description: textOr(input.description, current?.description),
    ...terms,
    max_uses: (input.max_uses ?? current?.max_uses) || null,
    ...budgetOf(input, current, terms.currency ?? currency),
    valid_from: timeOr(input.valid_from, current?.valid_from, localTimes(timeZone)),
    valid_until: timeOr(input.valid_until, current?.valid_until, (text) => deadlineOf(text, timeZone)),
    is_active: input.is_active ?? current?.is_active ?? true,
  }
  const { valid_from, valid_until } = fields
  if (valid_from && valid_until && valid_until < valid_from) {
    throw invalid('valid_until', 'must not be before valid_from')
  }
  return fields
}

function budgetOf(input: CouponInput, current: CouponFields | undefined, currency: string) {
  const budget_price = (input.budget_price ?? current?.budget_price) || null
  const budget_currency = input.budget_currency ?? current?.budget_currency ?? currency
  return { budget_price, budget_currency: budget_price === null ? null : budget_currency }
}

/** Refuses limits below what orders have used. Orders take coupons under the lock of the ledger's clock. */
async function requireUsesWithin(
  tx: Queryable,
  { corp_id, coupon_id }: CouponInput,
  { max_uses, budget_price, budget_currency }: CouponFields,
): Promise<void> {
  if (max_uses === null && budget_price === null) return
  await holdClock(tx, corp_id)
  const used = await findCouponUses(tx, corp_id, [coupon_id])
  const uses = used.reduce((sum, each) => sum + each.uses, 0)
  if (max_uses !== null && max_uses < uses)
    throw invalid('max_uses', `must be at least ${uses}, the orders that have the coupon`)
  const spent = used.find(({ currency }) => currency === budget_currency)?.price ?? 0
  if (budget_price !== null && budget_price < spent)
    throw invalid('budget_price', `must be at least ${spent}, the discounts that orders have`)
}

/** New terms replace terms of the other kind. */
function termsOf(input: CouponInput, current: CouponFields | undefined) {
  if (input.basis_points !== undefined) {
    return { amount: null, currency: null, basis_points: input.basis_points }
  }
  if (input.amount === undefined && input.currency === undefined && current) {
    const { amount, currency, basis_points } = current
    return { amount, currency, basis_points }
  }
  const amount = input.amount ?? current?.amount ?? undefined
  const currency = input.currency ?? current?.currency ?? undefined
  const faults: InputFault[] = []
  if (amount === undefined) {
    const reason =
      input.currency === undefined ? 'is required (or basis_points)' : 'is required with currency'
    faults.push({ param: 'amount', reason, missing: true })
  }
  if (currency === undefined && amount !== undefined) {
    faults.push({ param: 'currency', reason: 'is required with amount', missing: true })
  }
  if (faults.length > 0) throw faulty(faults)
  return { amount: amount!, currency: currency!, basis_points: null }
}
