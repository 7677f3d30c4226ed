import type { OrderStatus } from '../src/contract/order-statuses.ts'
import { basisPointsOf } from '../src/contract/rounding.ts'
import type { CouponLine } from '../src/orders/rules/prices.ts'
import { orderSources } from '../src/orders/rules/status.ts'
import data from './content/orders.json' with { type: 'json' }
import { type ListCurrency, listedPrice, type Program, programs } from './programs.ts'
import type { Random } from './random.ts'

/** The planned status and terms of an order. */
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
  /** All payment slots of the first sub-order are used. */
  isCrowded: boolean
}

export const { coupons, scholarship } = data

export function makePlans(random: Random): OrderPlan[] {
  const typesInTurn = spread(random, data.types)
  const currenciesInTurn = spread(random, data.currencies)
  let courses = 0
  return spread(random, data.statuses).map((status, index) => {
    const type = typesInTurn[index]!
    const turn = status === 'success' && type === 'course' ? ++courses : 0
    const program = random.pick(programs.filter(({ order_types }) => order_types.includes(type)))
    // One order costs nothing and is complete at once.
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
      subOrders: isFree ? 1 : Math.min(program.maxSubOrders, random.pick(data.subOrders)),
      isCrowded: turn === 3 || turn === 17,
    }
  })
}

/** Coupons reduce the listed price. Charges of payment services and foreign cards are added. */
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
