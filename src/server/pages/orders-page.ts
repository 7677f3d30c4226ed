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
import { statePicture } from './state-picture.ts'

/** How orders move: the table that the service itself goes by, as a picture, as a table and in words. */
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
  'A refund is possible in every status, up to what was received and has not gone back yet. It moves nothing, and reopens no ' +
    'debt; what was paid too much goes back first.',
  `Prices, coupons and instalments change while the order is ${either(repriceableStatuses)}.`,
  'Sub-orders have the status of their order, except while it is created, pending or success: then each goes by its own payments.',
]

function either(statuses: readonly OrderStatus[]): string {
  return `${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}`
}
