import { endpoint } from '../../contract/endpoint.ts'
import { described, NullableInteger, namedObject, Timestamp } from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { exampleIds, filterOf, pageInput } from './fields.ts'
import { coupons, listOfferings } from './offering-store.ts'

const Coupon = namedObject('Coupon', {
  coupon_id: Type.String(),
  description: Type.String(),
  amount: described(NullableInteger, 'Minor units of the currency; null where basis_points are taken off'),
  currency: Type.String(),
  basis_points: described(NullableInteger, 'Null where an amount is taken off'),
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
      valid_from: '',
      valid_until: '2027-02-01 23:59:59',
      is_active: true,
      ctime: '2026-11-15 10:00:00',
      mtime: '2026-11-15 10:00:00',
      version: 1,
    }),
  },

  async handle({ db, organization }, input) {
    return listOfferings<Static<typeof Coupon>>(db, coupons, filterOf(input), organization.time_zone)
  },
})
