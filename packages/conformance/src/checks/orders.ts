import type { Exchange, Row } from '../caller.ts'
import { type Check, expect, expectEqual, Skipped } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { orders, rowsOf, someOrders } from '../subjects.ts'
import { orderStatuses } from '../tables/records.ts'
import { expectFailure } from './failures.ts'
import { financialChecks } from './financial.ts'

const listPaths = ['entity/order/list', 'entity/order/financial/list'] as const
type ListPath = (typeof listPaths)[number]

/** Both order lists and the detail, compared for the same order. */
export function orderChecks(): Check[] {
  return [...listPaths.flatMap(listChecks), ...detailChecks(), ...financialChecks()]
}

function listChecks(operation: ListPath): Check[] {
  const name = operation.replace('entity/', '')
  const time = (type: string) => (type === 'create' ? 'ctime' : 'mtime')
  return [
    {
      ...{ id: `${name} pages`, level: 'interface', operation },
      row: 'page starts from 0; page_size rows per page',
      async run(kit) {
        const rows = await wholeList(kit, operation, 5)
        for (const page of [0, 1, 2]) {
          const part = await kit.take('GET', operation, { page, page_size: 2 })
          expectEqual(
            keysOf(rowsOf(part)),
            keysOf(rows).slice(page * 2, page * 2 + 2),
            `rows of page ${page}:`,
            part,
          )
          expectEqual([part.data.page, part.data.page_size], [page, 2], 'page and page_size', part)
        }
      },
    },
    {
      ...{ id: `${name} total`, level: 'interface', operation },
      row: 'total (Integer): all rows that match',
      async run(kit) {
        const rows = await wholeList(kit, operation)
        const part = await kit.take('GET', operation, { page: 0, page_size: 1 })
        expectEqual(part.data.total, rows.length, 'total', part)
        const beyond = await kit.take('GET', operation, { page: 1_000_000, page_size: 10 })
        expectEqual(
          [beyond.data.total, rowsOf(beyond).length],
          [rows.length, 0],
          'total and rows beyond the end:',
          beyond,
        )
      },
    },
    {
      ...{ id: `${name} organization`, level: 'interface', operation },
      row: 'corp_id limits access to orders of that organization',
      async run(kit) {
        const exchange = await whole(kit, operation)
        for (const row of rowsOf(exchange)) expectEqual(row.corp_id, kit.corp_id, 'corp_id', exchange)
      },
    },
    ...orderStatuses.map(
      (status): Check => ({
        ...{ id: `${name} only ${status}`, level: 'interface', operation },
        ...(operation === 'entity/order/financial/list' && { level: 'matricula', gap: 'financial-statuses' }),
        row: `status: one of ${orderStatuses.join(', ')}; only orders with that status`,
        async run(kit) {
          const wanted = await wholeList(kit, operation)
          const part = await kit.take('GET', operation, { status, page_size: 1000 })
          const isStatus = rowsOf(part).every(
            (row) => operation !== 'entity/order/list' || row.status === status,
          )
          expect(
            isStatus,
            `rows with the status ${status}`,
            rowsOf(part).map((row) => row.status),
            part,
          )
          const count =
            operation === 'entity/order/list'
              ? wanted.filter((row) => row.status === status).length
              : part.data.total
          expectEqual(
            [part.data.total, rowsOf(part).length],
            [count, count],
            'total and number of rows',
            part,
          )
        },
      }),
    ),
    ...(['create', 'modify'] as const).flatMap((type): Check[] => [
      {
        ...{ id: `${name} range by ${type}`, level: 'interface', operation },
        row: `start_date and end_date: range of the time; time_range_type ${type}: it applies to ${time(type)}`,
        async run(kit) {
          const { days } = await daysOf(kit, operation, time(type))
          const [start_date, end_date] = [days[1] ?? days[0]!, days.at(-2) ?? days[0]!]
          const part = await kit.take('GET', operation, {
            time_range_type: type,
            start_date,
            end_date,
            page_size: 1000,
          })
          const rows = rowsOf(part)
          const outside = rows.filter(
            (row) => dayOf(row[time(type)]) < start_date || dayOf(row[time(type)]) > end_date,
          )
          expectEqual(keysOf(outside), [], `rows outside of ${start_date} to ${end_date}:`, part)
          expect(rows.length > 0, 'rows of the first day', rows.length, part)
        },
      },
      {
        ...{ id: `${name} days by ${type}`, level: 'matricula', gap: 'end-of-range', operation },
        row: 'end_date: the day belongs to the range as a whole; either end may be left out',
        async run(kit) {
          const { rows, days } = await daysOf(kit, operation, time(type))
          const day = days.at(-1)!
          const of = (fits: (each: string) => boolean) =>
            rows.filter((row) => fits(dayOf(row[time(type)]))).length
          const input = { time_range_type: type, page_size: 1 }
          const on = await kit.take('GET', operation, { ...input, start_date: day, end_date: day })
          expectEqual(
            on.data.total,
            of((each) => each === day),
            `total of ${day}:`,
            on,
          )
          const until = await kit.take('GET', operation, { ...input, end_date: days[0]! })
          expectEqual(
            until.data.total,
            of((each) => each <= days[0]!),
            `total until ${days[0]}:`,
            until,
          )
        },
      },
      {
        ...{ id: `${name} order by ${type}`, level: 'matricula', gap: 'order-of-lists', operation },
        row: `Ascending by ${time(type)}`,
        async run(kit) {
          const exchange = await kit.take('GET', operation, { time_range_type: type, page_size: 1000 })
          const times = rowsOf(exchange).map((row) => String(row[time(type)]))
          expectEqual(times, times.toSorted(), `${time(type)} of the rows, ascending:`, exchange)
        },
      },
    ]),
    {
      ...{ id: `${name} reversed range`, level: 'matricula', gap: 'invalid-parameters', operation },
      row: 'end_date before start_date is 40002',
      async run(kit) {
        const exchange = await kit.get(operation, { start_date: '2024-02-02', end_date: '2024-02-01' })
        expectFailure(exchange, 40002, ['end_date'])
      },
    },
    {
      ...{ id: `${name} no such day`, level: 'matricula', gap: 'invalid-parameters', operation },
      row: 'start_date: format YYYY-MM-DD',
      async run(kit) {
        const exchange = await kit.get(operation, { start_date: '2024-02-30', end_date: '01.02.2024' })
        expectFailure(exchange, 40002, ['start_date', 'end_date'])
      },
    },
    ...(['page', 'page_size'] as const).map(
      (param): Check => ({
        ...{ id: `${name} ${param} too small`, level: 'matricula', gap: 'invalid-parameters', operation },
        row: `${param}: at least ${param === 'page' ? 0 : 1}`,
        async run(kit) {
          expectFailure(await kit.get(operation, { [param]: param === 'page' ? -1 : 0 }), 40002, [param])
        },
      }),
    ),
  ]
}

function detailChecks(): Check[] {
  const operation = 'entity/order/fetch'
  return [
    {
      ...{ id: 'order/fetch agrees with order/list', level: 'interface', operation },
      row: 'Order (detail) and order (list row) show the same order',
      async run(kit) {
        const rows = await someOrders(kit)
        for (const row of spread(rows, 8)) {
          const exchange = await kit.take('GET', operation, { order_id: row.entity_id })
          const { data } = exchange
          for (const name of Object.keys(data).filter((each) => each in row)) {
            // A String in the list, an Integer here, as declared.
            const isSame = name === 'version' ? String(data[name]) : data[name]
            expectEqual(
              isSame,
              name === 'version' ? String(row[name]) : row[name],
              `${name}, as in the list:`,
              exchange,
            )
          }
        }
      },
    },
    {
      ...{ id: 'order/fetch status words', level: 'interface', operation: 'entity/order/list' },
      row: `Order status: ${orderStatuses.join(', ')}`,
      async run(kit) {
        const exchange = await orders(kit)
        const other = rowsOf(exchange)
          .map(({ status }) => String(status))
          .filter((status) => !orderStatuses.includes(status))
        expectEqual(other, [], 'statuses that are none of the eight:', exchange)
      },
    },
    {
      ...{ id: 'order/fetch sub_orders', level: 'matricula', gap: 'shapes-of-elements', operation },
      row: 'sub_orders: instalments, one for each id of sub_order_ids, whose prices add up to the order',
      async run(kit) {
        for (const row of spread(await someOrders(kit), 4)) {
          const exchange = await kit.take('GET', operation, { order_id: row.entity_id })
          const { sub_orders, sub_order_ids, pre_sub_order_ids, total_price } = exchange.data
          const ids = new Set(sub_orders.map(({ entity_id }: Row) => entity_id))
          const named = [...sub_order_ids, ...pre_sub_order_ids].every((id) => ids.has(id))
          expect(named, 'an element for each id', [...ids], exchange)
          const sum = sub_orders.reduce((total: number, each: Row) => total + Number(each.total_price), 0)
          if (sub_orders.length > 0)
            expectEqual(sum, total_price, 'sum of total_price of sub_orders', exchange)
        }
      },
    },
    {
      ...{
        id: 'order/list type and source',
        level: 'matricula',
        gap: 'order-types',
        operation: 'entity/order/list',
      },
      row: `type: ${orderTypes.join(', ')}; source: ${orderSources.join(', ')}`,
      async run(kit) {
        const exchange = await orders(kit)
        for (const { type, source } of rowsOf(exchange)) {
          expect(orderTypes.includes(String(type)), `type: one of ${orderTypes.join(', ')}`, type, exchange)
          expect(
            orderSources.includes(String(source)),
            `source: one of ${orderSources.join(', ')}`,
            source,
            exchange,
          )
        }
      },
    },
  ]
}

const orderTypes = ['course', 'application_fee', 'corporate_training', 'material', 'transfer', 'other']
const orderSources = ['open_api', 'console', 'import', 'payment_gateway', 'system']

function whole(kit: Kit, operation: ListPath): Promise<Exchange> {
  return kit.once(`whole ${operation}`, () => kit.take('GET', operation, { page_size: 1000 }))
}

/** All rows of a list that fits on one page. */
async function wholeList(kit: Kit, operation: ListPath, least = 1): Promise<Row[]> {
  const exchange = await whole(kit, operation)
  const rows = rowsOf(exchange)
  if (rows.length < least) throw new Skipped(`It needs ${least} rows; the list has ${rows.length}.`)
  if (rows.length === 1000) throw new Skipped('It needs a list of fewer than 1,000 rows.')
  return rows
}

/** The days of the rows by a time, in order. */
async function daysOf(kit: Kit, operation: ListPath, time: string): Promise<{ rows: Row[]; days: string[] }> {
  const rows = await wholeList(kit, operation)
  const days = [...new Set(rows.map((row) => dayOf(row[time])))].sort()
  if (!/^\d{4}-\d\d-\d\d$/.test(days[0]!)) {
    const exchange = await whole(kit, operation)
    expect(false, `${time} as YYYY-MM-DD HH:MM:SS`, shortOf(exchange), exchange)
  }
  return { rows, days }
}

function dayOf(time: unknown): string {
  return String(time).slice(0, 10)
}

function keysOf(rows: Row[]): unknown[] {
  return rows.map(({ entity_id, sub_order_id }) => entity_id ?? sub_order_id)
}

/** A number of the rows, evenly from the first to the last. */
function spread<Item>(items: Item[], count: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, index) => index % step === 0).slice(0, count)
}
