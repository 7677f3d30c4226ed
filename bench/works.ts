import { orderStatuses } from '../src/contract/order-statuses.ts'
import { days, firstDay, type GeneratedSchool, nameOf, statusOf } from './data.ts'
import type { LoadRequest } from './load.ts'
import { type RateWork, type TimeWork, textOf } from './measure.ts'
import type { Stage } from './stage.ts'

export const get = (
  school: GeneratedSchool,
  path: string,
  query: Record<string, string | number>,
): LoadRequest => ({
  method: 'GET',
  path: `/api/v5/entity/${path}?${new URLSearchParams({ corp_id: school.corp_id, ...strings(query) })}`,
})
const post = (school: GeneratedSchool, path: string, body: object): LoadRequest => ({
  method: 'POST',
  path: `/api/v5/entity/${path}`,
  body: JSON.stringify({ corp_id: school.corp_id, ...body }),
})
/** Numbers from 1 to `most`, far apart and in no order. */
const spread = (count: number, most: number) =>
  Array.from({ length: Math.min(count, most) }, (_, index) => 1 + ((index * 7_919_777) % most))
export const dayAfter = (n: number) => Temporal.PlainDate.from(firstDay).add({ days: n }).toString()

export const lists = { orders: 'order/list', financial: 'order/financial/list' }
export const pagesRead = 10

/** Work that is measured as a rate, with its targets. */
export function rateWorks({ large, ours, plain }: Stage['schools']): RateWork[] {
  const written = { ours, plain }
  const users = spread(4000, large.users).map(large.userId)
  const reads: RateWork[] = [
    {
      work: 'order/fetch',
      connections: 64,
      requests: () =>
        spread(4000, large.orders).map((n) => get(large, 'order/fetch', { order_id: large.orderId(n) })),
      against: { plain: '≥ 4', bare: '≥ 0.55' },
    },
    {
      work: 'profile/fetch',
      connections: 64,
      requests: () => users.map((user_id) => get(large, 'profile/fetch', { user_id })),
      against: { plain: '≥ 2.5', bare: '≥ 0.55' },
    },
    {
      work: 'user/contact/fetch',
      connections: 64,
      requests: () =>
        users.map((user_id) => get(large, 'user/contact/fetch', { user_id, contact_type: 'mobile' })),
      against: { plain: null, bare: null },
    },
    {
      work: 'user/tags/list',
      connections: 64,
      requests: () => users.map((user_id) => get(large, 'user/tags/list', { user_id })),
      against: { plain: null, bare: null },
    },
  ]
  for (const [list, path] of Object.entries(lists)) {
    const pages = (page_size: number) => () =>
      Array.from({ length: pagesRead }, (_, page) => get(large, path, { page, page_size }))
    reads.push(
      {
        work: `${path}, 10 rows`,
        connections: 64,
        requests: pages(10),
        against: { plain: list === 'orders' ? '≥ 2' : null },
      },
      { work: `${path}, 100 rows`, connections: 16, requests: pages(100), against: { plain: null } },
      {
        work: `${path}, 1,000 rows`,
        connections: 4,
        requests: pages(1000),
        against: { plain: '≥ 4', raw: '≥ 0.5' },
        raw: { list, pageSize: 1000, pages: pagesRead },
      },
      {
        work: `${path}, 10 rows by status`,
        connections: 64,
        requests: () => orderStatuses.map((status) => get(large, path, { status })),
        against: { plain: null },
      },
      {
        work: `${path}, 10 rows by date`,
        connections: 64,
        requests: () =>
          spread(60, days - 7).map((n) =>
            get(large, path, { start_date: dayAfter(n), end_date: dayAfter(n + 6) }),
          ),
        against: { plain: null },
      },
    )
  }
  const payable = spread(8000, ours.orders).filter((n) => ['created', 'pending'].includes(statusOf(n)))
  const writes: RateWork[] = [
    {
      work: 'leads/import',
      connections: 64,
      requests: (name) =>
        spread(1000, written[name].users).map((n) => {
          const known = { user_id: written[name].userId(n) }
          const unknown = { area_code: '86', mobile: '1{n}' }
          const person = { name: nameOf(n), company_name: `海港物流有限公司 ${n % 500}` }
          return post(written[name], 'leads/import', {
            ...(n % 3 === 0 ? known : unknown),
            ...leadDetails,
            ...person,
          })
        }),
      against: { plain: '≥ 2' },
    },
    {
      work: 'user/create',
      connections: 64,
      requests: (name) => [
        post(written[name], 'user/create', { area_code: '65', mobile: '2{n}' }),
        post(written[name], 'user/create', { email: 'new{n}@example.com' }),
      ],
      against: { plain: '≥ 2' },
    },
    {
      work: 'user/tags/assign',
      connections: 64,
      requests: (name) =>
        spread(4000, written[name].users).map((n) => {
          const group = 1 + (n % 6)
          const value = ['true', '42', '意向课程'][group % 3]!
          const ids = { tags_group_id: written[name].tagGroupId(group), user_id: written[name].userId(n) }
          return post(written[name], 'user/tags/assign', { ...ids, value })
        }),
      against: { plain: '≥ 2' },
    },
    {
      work: 'order/payment/create',
      connections: 64,
      requests: (name) =>
        payable.map((n) =>
          post(written[name], 'order/payment/create', {
            order_id: written[name].orderId(n),
            price: 100,
            source: 'payment_gateway',
            charge_id: 'ch{n}',
          }),
        ),
      against: { plain: '≥ 2' },
    },
    {
      work: 'order/refund/create',
      connections: 64,
      requests: (name) =>
        spread(4000, written[name].orders)
          .filter((n) => statusOf(n) === 'success')
          .map((n) =>
            post(written[name], 'order/refund/create', {
              order_id: written[name].orderId(n),
              price: 1,
              reason: '退费',
              charge_id: 're{n}',
            }),
          ),
      against: { plain: '≥ 1' },
    },
    {
      work: 'order/create',
      connections: 64,
      requests: (name) =>
        spread(4000, written[name].users).map((n) =>
          post(written[name], 'order/create', {
            user_id: written[name].userId(n),
            external_id: 'order-{n}',
            currency: 'CNY',
            listed_price: 1_200_000,
            installment_count: 3,
            first_payment_deadline: '2040-01-31',
          }),
        ),
      against: { plain: '≥ 1' },
    },
  ]
  return [...reads, ...writes]
}

/** Concurrent writes, each to its own order. */
export function remarks({ ours }: Stage['schools'], count: number): LoadRequest[] {
  return spread(count, ours.orders).map((n) =>
    post(ours, 'order/remark/create', { order_id: ours.orderId(n), content: 'Called, will pay on Monday' }),
  )
}

const leadDetails = {
  utm_source: 'open-day',
  form1_name: '您希望什么时候开始？',
  form1_value: '明年春天',
  entry_id: 'entry-{n}',
  course_code: 'EMBA',
  owner_ids: ['adviser-7'],
}

/** Times that must not grow with the page number or with the size of the organization. */
export async function timeWorks(
  { schools: { small, large }, callers }: Stage,
  url: string,
): Promise<TimeWork[]> {
  const works: TimeWork[] = []
  for (const path of Object.values(lists)) {
    const filters = {
      '': {},
      ' by status': { status: 'success' },
      ' by date': { start_date: dayAfter(0), end_date: dayAfter(days / 2), time_range_type: 'modify' },
    }
    for (const [name, filter] of Object.entries(filters)) {
      const page_size = 100
      const first = get(large, path, { ...filter, page_size }).path
      const { total } = JSON.parse(await textOf(url, callers.usual, first)).data
      const page = Math.floor(total / page_size) - 1
      const last = get(large, path, { ...filter, page_size, page }).path
      works.push(
        {
          work: `${path}${name}, 100 rows`,
          ratio: 'last ÷ first page',
          path: last,
          base: first,
          target: '≤ 1.5',
        },
        {
          work: `${path}${name}, 100 rows`,
          ratio: 'large ÷ small data',
          path: first,
          base: get(small, path, { ...filter, page_size }).path,
          target: '≤ 1.3',
        },
      )
    }
  }
  const fetch = (school: GeneratedSchool) => get(school, 'order/fetch', { order_id: school.orderId(77) }).path
  works.push({
    work: 'order/fetch',
    ratio: 'large ÷ small data',
    path: fetch(large),
    base: fetch(small),
    target: '≤ 1.3',
  })
  return works
}

/** Searches must take the same time among many users as among few. */
export function lookups({ small, large }: Stage['schools']): TimeWork[] {
  const mobile = '+86 130-0000-0077'
  const sought: [path: string, title: string, query: Record<string, string | number>][] = [
    ['user/list', '', {}],
    ['user/list', ' by pool', { pool: 'public' }],
    ['user/list', ' by owner', { owner_id: 'adviser-7' }],
    ['user/list', ' by date', { start_date: dayAfter(10), end_date: dayAfter(days / 2) }],
    [
      'user/list',
      ' by course and date',
      { course_code: 'EMBA', start_date: dayAfter(10), end_date: dayAfter(40) },
    ],
    ['user/search', ' by family name', { q: nameOf(77).slice(0, 1) }],
    ['user/search', ' by name', { q: nameOf(77) }],
    ['user/search', ' by mobile', { q: mobile }],
    ['user/search', ' by the end of a mobile', { q: '0077' }],
    ['user/search', ' by e-mail', { q: 'user77@example.com' }],
    ['user/duplicates', '', {}],
    ['leads/list', '', { utm_source: 'open-day' }],
  ]
  const works = sought.map(([path, title, query]) => ({
    work: `${path}${title}`,
    path: get(large, path, query).path,
    base: get(small, path, query).path,
  }))
  const alike = (school: GeneratedSchool) =>
    get(school, 'user/duplicates', { user_id: school.userId(77) }).path
  works.push({ work: 'user/duplicates of one user', path: alike(large), base: alike(small) })
  return works.map((work) => ({ ...work, ratio: 'large ÷ small data', target: '≤ 3' }))
}

function strings(values: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
