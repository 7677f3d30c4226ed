import { endpoint } from '../../contract/endpoint.ts'
import {
  described,
  Money,
  NullableBigInteger,
  NullableInteger,
  namedObject,
  Timestamp,
} from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { findCouponUses } from './coupon-use-store.ts'
import { exampleIds, filterOf, pageInput } from './fields.ts'
import { coupons, listOfferings } from './offering-store.ts'

const Coupon = namedObject('Coupon', {
  coupon_id: Type.String(),
  description: Type.String(),
  amount: described(NullableBigInteger, 'Minor units of the currency; null where basis_points are taken off'),
  currency: Type.String(),
  basis_points: described(NullableInteger, 'Null where an amount is taken off'),
  max_uses: described(NullableInteger, 'The most orders with it; null: no limit'),
  budget_price: described(NullableBigInteger, 'The largest sum of its discounts; null: no limit'),
  budget_currency: Type.String(),
  uses: Type.Integer({ description: 'The orders that have it and are neither canceled nor expired' }),
  used: described(
    Type.Array(namedObject('CouponUse', { currency: Type.String(), uses: Type.Integer(), price: Money })),
    'The sums of its discounts on these orders',
  ),
  valid_from: described(Timestamp, 'In the zone of the organization; "" where there is none'),
  valid_until: described(Timestamp, 'In the zone of the organization; "" where there is none'),
  is_active: Type.Boolean(),
  ctime: Timestamp,
  mtime: Timestamp,
  version: Type.Integer(),
})

/** The coupons of an organization. */
export const listCoupons = endpoint({
  id: 'listCoupons',
  method: 'GET',
  path: '/api/v5/entity/coupon/list',
  group: 'Offerings',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List coupons',
  description: 'Oldest first.',
  input: Type.Object(pageInput),
  data: pageOf(Coupon),
  example: {
    input: { corp_id: exampleIds.corp_id, is_active: 'true' },
    data: examplePage({
      coupon_id: 'EARLY-BIRD',
      description: 'A month before the start',
      amount: null,
      currency: '',
      basis_points: 500,
      max_uses: 100,
      budget_price: null,
      budget_currency: '',
      uses: 2,
      used: [{ currency: 'CNY', uses: 2, price: 128_000 }],
      valid_from: '',
      valid_until: '2027-02-01 23:59:59',
      is_active: true,
      ctime: '2026-11-15 10:00:00',
      mtime: '2026-11-15 10:00:00',
      version: 1,
    }),
  },

  async handle({ db, organization }, input) {
    const { corp_id } = input
    const page = await listOfferings<Omit<Static<typeof Coupon>, 'uses' | 'used'>>(
      ...([db, coupons, filterOf(input), organization.time_zone] as const),
    )
    const found = await findCouponUses(
      db,
      corp_id,
      page.list.map(({ coupon_id }) => coupon_id),
    )
    const list = page.list.map((coupon) => {
      const used = found.filter(({ coupon_id }) => coupon_id === coupon.coupon_id)
      return {
        ...coupon,
        uses: used.reduce((all, { uses }) => all + uses, 0),
        used: used.map(({ currency, uses, price }) => ({ currency, uses, price })),
      }
    })
    return { ...page, list }
  },
})
