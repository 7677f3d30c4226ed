import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { fetchOrder } from '../src/orders/listing/fetch-order.ts'
import { listFinancialRows } from '../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { attemptsOf } from './harness/attempts.ts'
import { insertPlainOrders, insertPlainUser, plainOrder } from './harness/orders.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

const lists: [name: string, list: Endpoint, idOf: (row: Record<string, string>) => string][] = [
  ['order list', listOrders, (row) => row.entity_id!],
  ['financial list', listFinancialRows, (row) => row.sub_order_id!],
]

/** The instants around both ends of a local day, to the microsecond. `first` and `last` belong to it. */
interface Borders {
  zone: string
  date: string
  before: string
  first: string
  last: string
  after: string
}

const borders: [what: string, Borders][] = [
  [
    'an ordinary day of New York',
    bordersOf('America/New_York', '2024-06-01', '2024-06-01T04:00', '2024-06-02T04:00'),
  ],
  [
    'its day of 23 hours',
    bordersOf('America/New_York', '2024-03-10', '2024-03-10T05:00', '2024-03-11T04:00'),
  ],
  [
    'its day of 25 hours',
    bordersOf('America/New_York', '2024-11-03', '2024-11-03T04:00', '2024-11-04T05:00'),
  ],
  [
    'a leap day of Shanghai',
    bordersOf('Asia/Shanghai', '2024-02-29', '2024-02-28T16:00', '2024-02-29T16:00'),
  ],
  [
    'a new year of Shanghai',
    bordersOf('Asia/Shanghai', '2024-12-31', '2024-12-30T16:00', '2024-12-31T16:00'),
  ],
  [
    'a day of Santiago that has no midnight',
    bordersOf('America/Santiago', '2024-09-08', '2024-09-08T04:00', '2024-09-09T03:00'),
  ],
  [
    'a day of Santiago whose last hour comes twice',
    bordersOf('America/Santiago', '2024-04-06', '2024-04-06T03:00', '2024-04-07T04:00'),
  ],
  [
    'a day of Cairo that has no midnight',
    bordersOf('Africa/Cairo', '2024-04-26', '2024-04-25T22:00', '2024-04-26T21:00'),
  ],
  ['a day of Kathmandu', bordersOf('Asia/Kathmandu', '2024-05-05', '2024-05-04T18:15', '2024-05-05T18:15')],
]

describe.each(borders)('%s', (_, { zone, date, ...instants }) => {
  let school: TestOrganization
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    school = await openOrganization(server, zone)
    const orders = Object.values(instants).map((ctime) => plainOrder({ ctime, mtime: ctime }))
    // A modification on another day, to distinguish the two times.
    const other = plainOrder({ ctime: instants.first, mtime: '2031-07-01T12:00:00Z' })
    await insertOrdersOf(school, [...orders, other])
    for (const [n, name] of Object.keys(instants).entries()) ids[name] = orders[n]!.order_id
    ids.other = other.order_id
  })

  test.each(lists)('is filtered by the clocks of the zone in the %s', async (_name, list, idOf) => {
    const find = async (range: Record<string, string>) => {
      const { data } = await school.call(list, { page_size: 100, ...range })
      return data.list.map(idOf).sort()
    }
    const named = (...names: string[]) => names.map((name) => ids[name]!).sort()
    expect(await find({ start_date: date, end_date: date })).toEqual(named('first', 'last', 'other'))
    expect(await find({ start_date: date })).toEqual(named('first', 'last', 'after', 'other'))
    expect(await find({ end_date: date })).toEqual(named('before', 'first', 'last', 'other'))
    expect(await find({ start_date: dayBeside(date, 1) })).toEqual(named('after'))
    expect(await find({ end_date: dayBeside(date, -1) })).toEqual(named('before'))
    const modified = { time_range_type: 'modify' }
    expect(await find({ start_date: date, end_date: date, ...modified })).toEqual(named('first', 'last'))
    expect(await find({ start_date: date, ...modified })).toEqual(named('first', 'last', 'after', 'other'))
  })

  test.each(lists)(
    'is shown by the clocks of the zone, to the second, in the %s',
    async (_name, list, idOf) => {
      const { data } = await school.call(list, { page_size: 100 })
      const shown = Object.fromEntries(
        data.list.map((row: Record<string, string>) => [idOf(row), [row.ctime, row.mtime]]),
      )
      for (const [name, instant] of Object.entries(instants)) {
        expect(shown[ids[name]!], name).toEqual([localTime(instant, zone), localTime(instant, zone)])
      }
      expect(shown[ids.other!][1]).toBe(localTime('2031-07-01T12:00:00Z', zone))
    },
  )

  test('is shown in local time in the detail, including its parts', async () => {
    const { data } = await school.call(fetchOrder, { order_id: ids.last! })
    const expected = localTime(instants.last, zone)
    expect([data.ctime, data.mtime]).toEqual([expected, expected])
    expect(data.sub_orders.map((part: Record<string, string>) => [part.ctime, part.mtime])).toEqual([
      [expected, expected],
    ])
  })
})

const byCreation = {}
const byModification = { time_range_type: 'modify' }
const byStatus = { status: 'created' }
const everyFilter = [byCreation, byModification, byStatus]

/** The first and the last zone are tested with every kind of filter, the others with one each. */
const calendars: [zone: string, filters: object[]][] = [
  ['Pacific/Kiritimati', everyFilter],
  ['Asia/Shanghai', [byCreation]],
  ['UTC', [byModification]],
  ['America/New_York', [byStatus]],
  ['Pacific/Pago_Pago', everyFilter],
]

describe.each(calendars)('the ends of the calendar in %s', (zone, filters) => {
  const days = ['0001-01-01', '0001-01-02', '2024-06-01', '9999-12-30', '9999-12-31']
  const dayOf = new Map<string, string>()
  let school: TestOrganization

  beforeAll(async () => {
    school = await openOrganization(server, zone)
    const orders = days.map((day) => plainOrder({ ctime: withinDay(day, zone) }))
    await insertOrdersOf(school, orders)
    for (const [n, { order_id }] of orders.entries()) dayOf.set(order_id, days[n]!)
  })

  test.each(lists)('are found, and work as open ends of a range, in the %s', async (_name, list, idOf) => {
    const edges = [undefined, ...days]
    for (const more of filters) {
      for (const start_date of edges) {
        for (const end_date of edges) {
          if (start_date && end_date && start_date > end_date) continue
          const range = { ...(start_date && { start_date }), ...(end_date && { end_date }), ...more }
          const wanted = days.filter((day) => day >= (start_date ?? '') && day <= (end_date ?? '9999-12-31'))
          const found: string[] = []
          // Page by page, so that both pages by offset and pages by cursor meet the ends.
          for (let page = 0; page <= wanted.length / 2; page++) {
            const { code, data } = await school.call(list, { ...range, page, page_size: 2 })
            expect([code, data.total], JSON.stringify({ ...range, page })).toEqual([0, wanted.length])
            found.push(...data.list.map((row: Record<string, string>) => dayOf.get(idOf(row))))
          }
          expect(found, JSON.stringify(range)).toEqual(wanted)
        }
      }
    }
  })
})

/** An instant of the day that can be written in UTC too, at either end of the calendar. */
function withinDay(day: string, zone: string): string {
  const time = day.startsWith('0001') ? '18:00' : '12:00'
  return Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).toInstant().toString()
}

test('the last microsecond of a day is shown as its last second', async () => {
  const school = await openOrganization(server, 'Asia/Shanghai')
  const order = plainOrder({ ctime: '2024-02-29T15:59:59.999999Z' })
  await insertOrdersOf(school, [order])
  const { data } = await school.call(fetchOrder, { order_id: order.order_id })
  expect(data.ctime).toBe('2024-02-29 23:59:59')
})

test('a repeated hour is shown twice', async () => {
  const school = await openOrganization(server, 'America/New_York')
  const orders = ['2024-11-03T05:30:00Z', '2024-11-03T06:30:00Z'].map((ctime) => plainOrder({ ctime }))
  await insertOrdersOf(school, orders)
  const { data } = await school.call(listOrders, { start_date: '2024-11-03', end_date: '2024-11-03' })
  expect(data.list.map((row: Record<string, string>) => [row.entity_id, row.ctime])).toEqual(
    orders.map(({ order_id }) => [order_id, '2024-11-03 01:30:00']),
  )
})

test.each(lists)(
  'any instant in any zone is shown as the clocks there show it, and found on its day only: %s',
  async (_, list, idOf) => {
    const zones = [
      'America/New_York',
      'Asia/Shanghai',
      'America/Santiago',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'Europe/London',
      'Pacific/Kiritimati',
      'UTC',
    ]
    const schools = new Map<string, TestOrganization>()
    for (const zone of zones) schools.set(zone, await openOrganization(server, zone))
    // Microseconds, often next to a full hour, where days and daylight saving begin.
    const microseconds = fc.tuple(
      fc.integer({ min: Date.UTC(2001, 0) / 3_600_000, max: Date.UTC(2026, 0) / 3_600_000 }),
      fc.oneof(
        fc.integer({ min: 0, max: 3_599_999_999 }),
        fc.constantFrom(0, 1, 999_999, 3_599_000_000, 3_599_999_999),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zones), microseconds, async (zone, [hours, micros]) => {
        const school = schools.get(zone)!
        const nanoseconds = (BigInt(hours) * 3_600_000_000n + BigInt(micros)) * 1000n
        const ctime = Temporal.Instant.fromEpochNanoseconds(nanoseconds).toString()
        const order = plainOrder({ ctime })
        await insertOrdersOf(school, [order])
        const local = localTime(ctime, zone)
        const date = local.slice(0, 10)
        const onDay = await ofDay(school, date)
        expect(onDay.find((row) => idOf(row) === order.order_id)?.ctime).toBe(local)
        for (const beside of [-1, 1]) {
          const rows = await ofDay(school, dayBeside(date, beside))
          expect(rows.map(idOf)).not.toContain(order.order_id)
        }
      }),
      { numRuns: attemptsOf('MATRICULA_LISTS', 10) },
    )

    async function ofDay(school: TestOrganization, date: string): Promise<Record<string, string>[]> {
      const { data } = await school.call(list, { page_size: 1000, start_date: date, end_date: date })
      return data.list
    }
  },
)

test.each([
  ['2024-03-10', '2024-03-09', 'end_date'],
  ['2023-02-29', undefined, 'start_date'],
  [undefined, '2023-02-29', 'end_date'],
  ['2024-02-30', undefined, 'start_date'],
  ['2024-13-01', undefined, 'start_date'],
])('from %s to %s is 40002 and names %s', async (start_date, end_date, param) => {
  const school = await openOrganization(server, 'America/New_York')
  for (const [, list] of lists) {
    const { code, data } = await school.call(list, {
      ...(start_date && { start_date }),
      ...(end_date && { end_date }),
    })
    expect(code).toBe(40002)
    expect(data.errors.map((fault: { param: string }) => fault.param)).toEqual([param])
  }
})

function bordersOf(zone: string, date: string, start: string, end: string): Borders {
  const justBefore = (minute: string) =>
    Temporal.Instant.from(`${minute}:00Z`).subtract({ microseconds: 1 }).toString()
  return {
    zone,
    date,
    before: justBefore(start),
    first: `${start}:00Z`,
    last: justBefore(end),
    after: `${end}:00Z`,
  }
}

function localTime(instant: string, zone: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime()
  return local.toString({ smallestUnit: 'second', roundingMode: 'trunc' }).replace('T', ' ')
}

function dayBeside(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

async function insertOrdersOf(
  { corp_id }: TestOrganization,
  orders: ReturnType<typeof plainOrder>[],
): Promise<void> {
  const on = server.db.of(corp_id)
  await insertPlainOrders(on, corp_id, await insertPlainUser(on, corp_id), orders)
}
