import type { OrderStatus } from '../../contract/order-statuses.ts'
import { paymentSlots } from '../../orders/rules/payment-slots.ts'
import {
  expirableStatuses,
  firstStatuses,
  moves,
  movesByMoney,
  payableStatuses,
  repriceableStatuses,
} from '../../orders/rules/status.ts'

/** The moves of orders, from the table that the service itself uses: as a picture, a table and words. */
export function ordersPage(): string {
  return `<article class="page orders">
    <h1>How orders move</h1>
    <p>An order is in one of these statuses. <code>order/status/update</code> moves it along these arrows; any other move is
      <a href="/docs/errors#40904">40904</a>, which names the legal ones; <code>order/explain</code> tells for one order
      which are open now and why the others are not. Every move is kept in <code>order/history</code>: who, when, from,
      to, why.</p>
    ${statePicture()}
    <table>
      <thead><tr><th>From</th><th>To</th><th>By money, without a call</th></tr></thead>
      <tbody>${Object.entries(moves).map(row).join('\n')}</tbody>
    </table>
    <h2>Rules</h2>
    <ul>${rules.map((rule) => `<li>${rule}</li>`).join('\n')}</ul>
  </article>`
}

function row([from, targets]: [string, readonly OrderStatus[]]): string {
  const byMoney = movesByMoney[from as OrderStatus] ?? []
  const [asked, made] = [targets, byMoney].map((list) => list.map((to) => `<code>${to}</code>`).join(', '))
  return `<tr id="${from}"><th scope="row"><a href="#${from}">${from}</a></th>
    <td>${asked || 'nowhere: it is final'}</td><td>${made}</td></tr>`
}

const rules = [
  `An order begins as ${either(firstStatuses)}. One that costs nothing and begins as created is a success at once.`,
  `Money is taken while the order is ${either(payableStatuses)}: what comes in after completion is an overpayment. What arrives ` +
    'at any other time is recorded, and waits unapplied.',
  'The first payment moves an order from created to pending, the one that makes the total full to success, be it the first. ' +
    'Where a payment turns out never to have stood, the order falls back; one that was made in time opens an expired order again.',
  'A payment fills the instalments in their order, from the named one on. The last one takes any excess.',
  `A sub-order takes ${paymentSlots} payments; the next waits unapplied.`,
  `A deadline that passes expires an order that is ${either(expirableStatuses)} and has received nothing; with money in, ` +
    'what is late is owed. Taken up again, what is unpaid moves alike: as the call says, or by whole days until no ' +
    'deadline has passed.',
  'An order becomes a success by what is paid, or by a write-off; nothing else makes it one.',
  'An order is canceled only once all that it holds has been refunded, transferred or retained.',
  'A refund is possible in every status, up to the received and not yet refunded amount. It moves nothing, and reopens no ' +
    'debt; what was paid too much goes back first.',
  `Prices, coupons and instalments change while the order is ${either(repriceableStatuses)}.`,
  'Sub-orders have the status of their order, except while it is created, pending or success: then each goes by its own payments.',
]

function either(statuses: readonly OrderStatus[]): string {
  return `${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}`
}

const size = { width: 900, height: 560 }
const box = { width: 136, height: 44 }
/** Curvature of arrows: a move and its reverse are two lines. */
const bow = 16

type Point = [x: number, y: number]

/** The state machine as SVG: the statuses on an oval, where no arrow crosses the box of another. */
function statePicture(): string {
  const statuses = Object.keys(moves) as OrderStatus[]
  const places = new Map(statuses.map((status, index) => [status, onOval(index / statuses.length)]))
  const arrows = statuses.flatMap((from) =>
    moves[from].map((to) => arrow(from, to, places.get(from)!, places.get(to)!)),
  )
  const boxes = [...places].map(([status, place]) => statusBox(status, place))
  const heads = statuses.map(
    (status) => `<marker id="head-${status}" class="${status}" viewBox="0 0 10 10" refX="9" refY="5"
      markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0 10 5 0 10z"/></marker>`,
  )
  return `<svg class="states" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Statuses of an order and the moves between them">
    <defs>${heads.join('')}</defs>${arrows.join('\n')}${boxes.join('\n')}</svg>`
}

/** The first is at the left, the others follow clockwise. */
function onOval(turn: number): Point {
  const angle = Math.PI * (1 + 2 * turn)
  const x = (size.width - box.width - 8) / 2
  const y = (size.height - box.height - 8) / 2
  return [size.width / 2 + x * Math.cos(angle), size.height / 2 + y * Math.sin(angle)]
}

function statusBox(status: OrderStatus, [x, y]: Point): string {
  const [left, top] = [x - box.width / 2, y - box.height / 2].map(rounded)
  return `<g class="${status}" data-status="${status}"><rect x="${left}" y="${top}" width="${box.width}" height="${box.height}" rx="8"/>
    <text x="${rounded(x)}" y="${rounded(y)}">${status}</text></g>`
}

function arrow(from: OrderStatus, to: OrderStatus, start: Point, end: Point): string {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const length = Math.hypot(dx, dy)
  const middle: Point = [
    (start[0] + end[0]) / 2 - (dy / length) * bow,
    (start[1] + end[1]) / 2 + (dx / length) * bow,
  ]
  const path = `M${edge(start, middle)} Q${middle.map(rounded)} ${edge(end, middle)}`
  return `<path class="move ${from}" data-from="${from}" data-to="${to}" d="${path}" marker-end="url(#head-${from})"><title>${from} → ${to}</title></path>`
}

/** The point where a line from the centre of a box leaves it. */
function edge([x, y]: Point, [towardsX, towardsY]: Point): string {
  const [dx, dy] = [towardsX - x, towardsY - y]
  const reach = Math.min(box.width / 2 / Math.abs(dx || 1e-9), box.height / 2 / Math.abs(dy || 1e-9))
  return [x + dx * reach, y + dy * reach].map(rounded).join()
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
