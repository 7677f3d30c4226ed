import type { OrderStatus } from '../src/contract/order-statuses.ts'
import { basisPointsOf } from '../src/contract/rounding.ts'
import type { CouponLine } from '../src/orders/rules/prices.ts'
import { orderSources } from '../src/orders/rules/status.ts'
import { type ListCurrency, listedPrice, type Program, programs } from './programs.ts'
import type { Random } from './random.ts'

/** What an order is to become, before its events are invented. */
export interface OrderPlan {
  status: OrderStatus
  type: string
  source: string
  currency: ListCurrency
  program: Program
  coupon_ids: string[]
  coupon_lines: CouponLine[]
  listed_price: number
  discounted_price: number
  service_charge: number
  foreign_service_charge: number
  total_price: number
  subOrders: number
  /** All payment slots of its first sub-order are taken. */
  isCrowded: boolean
}

const statuses: Record<OrderStatus, number> = {
  success: 120,
  pending: 45,
  created: 25,
  canceled: 22,
  expired: 16,
  locked: 12,
  unconfirmed: 12,
  tbd: 8,
}
const types = {
  course: 150,
  application_fee: 30,
  corporate_training: 25,
  material: 25,
  transfer: 15,
  other: 15,
}
const currencies: Record<ListCurrency, number> = { CNY: 170, USD: 30, EUR: 20, JPY: 15, HKD: 15, KWD: 10 }

export const coupons = [
  { id: 'EARLY-BIRD', description: 'Signed up early', basisPoints: 500 },
  { id: 'ALUMNI', description: 'For alumni', basisPoints: 1000 },
  { id: 'GROUP-OF-3', description: 'Three of one company', basisPoints: 1250 },
  { id: '校友推荐', description: '校友推荐 Recommended by an alumnus', basisPoints: 333 },
]
export const scholarship = {
  id: 'FULL-SCHOLARSHIP',
  description: '全额奖学金 Full scholarship',
  basisPoints: 10_000,
}

export function makePlans(random: Random): OrderPlan[] {
  const typesInTurn = spread(random, types)
  const currenciesInTurn = spread(random, currencies)
  let courses = 0
  return spread(random, statuses).map((status, index) => {
    const type = typesInTurn[index]!
    const turn = status === 'success' && type === 'course' ? ++courses : 0
    const program = random.pick(programs.filter(({ order_types }) => order_types.includes(type)))
    // One order of the sample costs nothing, and so is paid from the start.
    const isFree = turn === 10
    const currency = currenciesInTurn[index]!
    const source = random.pick(orderSources)
    return {
      status,
      type,
      source,
      currency,
      program,
      ...makePrices(random, listedPrice(program, currency), source, isFree),
      subOrders: isFree ? 1 : Math.min(program.maxSubOrders, random.pick([1, 1, 1, 2, 2, 3, 3, 4, 5, 6])),
      isCrowded: turn === 3 || turn === 17,
    }
  })
}

/** The coupon comes off the listed price; the charges of payment services and foreign cards come on top. */
function makePrices(random: Random, listed_price: number, source: string, isFree: boolean) {
  const coupon = isFree ? scholarship : random.chance(35) ? random.pick(coupons) : undefined
  const discount = basisPointsOf(listed_price, coupon?.basisPoints ?? 0)
  const discounted_price = listed_price - discount
  const service_charge = source === 'payment_gateway' ? basisPointsOf(discounted_price, 60) : 0
  const foreign_service_charge = random.chance(15) ? basisPointsOf(discounted_price, 25) : 0
  return {
    listed_price,
    discounted_price,
    service_charge,
    foreign_service_charge,
    total_price: discounted_price + service_charge + foreign_service_charge,
    coupon_ids: coupon ? [coupon.id] : [],
    coupon_lines: coupon
      ? [{ coupon_id: coupon.id, amount: null, basis_points: coupon.basisPoints, price: discount }]
      : [],
  }
}

function spread<Name extends string>(random: Random, counts: Record<Name, number>): Name[] {
  const names = Object.entries<number>(counts).flatMap(([name, count]) => Array<string>(count).fill(name))
  return random.shuffle(names) as Name[]
}
