import type { OrderStatus } from '../../contract/order-statuses.ts'
import { moves } from '../../orders/rules/status.ts'

const size = { width: 900, height: 560 }
const box = { width: 136, height: 44 }
/** Curvature of arrows: a move and its reverse are two lines. */
const bow = 16

type Point = [x: number, y: number]

/** The state machine as SVG: the statuses on an oval, where no arrow crosses the box of another. */
export function statePicture(): string {
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
