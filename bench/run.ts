import { parseArgs } from 'node:util'
import { orderStatuses } from '../src/orders/status.ts'
import { type Contestants, startContestants } from './contestants/start.ts'
import { days, firstDay, type GeneratedSchool, statusOf } from './data.ts'
import { generator, type LoadRequest } from './load.ts'
import {
  measureMemory,
  measureRate,
  measureStart,
  measureTime,
  type Pace,
  type RateWork,
  type TimeWork,
  textOf,
} from './measure.ts'
import { type Figure, printTable, tell, writeJson } from './report.ts'
import { checkSameAnswers, checkSameShape } from './same-answers.ts'
import { type Stage, setStage } from './stage.ts'

const get = (school: GeneratedSchool, path: string, query: Record<string, string | number>): LoadRequest => ({
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
const dayAfter = (n: number) => Temporal.PlainDate.from(firstDay).add({ days: n }).toString()

const lists = { orders: 'order/list', financial: 'order/financial/list' }
const pagesRead = 10

/** What is measured as a rate, and what must come out. */
function rateWorks({ large, ours, plain }: Stage['schools']): RateWork[] {
  const written = { ours, plain }
  const users = spread(4000, large.users).map(large.userId)
  const reads: RateWork[] = [
    {
      work: 'order/fetch',
      connections: 64,
      requests: () =>
        spread(4000, large.orders).map((n) => get(large, 'order/fetch', { order_id: large.orderId(n) })),
      against: { plain: '≥ 2.5', bare: '≥ 0.45' },
    },
    {
      work: 'profile/fetch',
      connections: 64,
      requests: () => users.map((user_id) => get(large, 'profile/fetch', { user_id })),
      against: { plain: '≥ 2.5', bare: '≥ 0.45' },
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
      requests: (name) => [
        post(written[name], 'leads/import', { area_code: '86', mobile: '{n}', ...leadDetails }),
        post(written[name], 'leads/import', { user_id: written[name].userId(1), ...leadDetails }),
        post(written[name], 'leads/import', { area_code: '86', mobile: '1{n}', ...leadDetails }),
      ],
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
      against: { plain: null },
    },
  ]
  return [...reads, ...writes]
}

const leadDetails = {
  name: '王小明',
  utm_source: 'open-day',
  form1_name: '您希望什么时候开始？',
  form1_value: '明年春天',
  entry_id: 'entry-{n}',
  course_code: 'EMBA',
  company_name: '海港物流有限公司',
  owner_ids: ['adviser-7'],
}

/** What must stay flat: over the pages of a list, and over the size of an organization. */
async function timeWorks({ schools: { small, large }, token }: Stage, url: string): Promise<TimeWork[]> {
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
      const { total } = JSON.parse(await textOf(url, token, first)).data
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '100000' },
      users: { type: 'string', default: '100000' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const size = { orders: wholeNumber('orders', values.orders), users: wholeNumber('users', values.users) }
  const pace = values.quick ? { rounds: 3, seconds: 1 } : { rounds: 5, seconds: 2 }
  const begun = performance.now()
  tell(`load from ${generator}; ${size.orders} orders and ${size.users} users against 10000 of each`)
  const stage = await keep(setStage(size), (made) => made.close())
  const contestants = await keep(startContestants(stage.database, stage.masterKey), (made) => made.stop())
  const figures = await measureAll(stage, contestants, pace, values.only)
  printTable(figures)
  const missed = figures.filter(({ ok }) => !ok).length
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  tell(
    `\n${figures.length} figures, ${missed} missed their target; ${minutes} minutes, load from ${generator}`,
  )
  if (values.json) await writeJson(values.json, figures)
}

async function measureAll(
  stage: Stage,
  contestants: Contestants,
  pace: Pace,
  only: string,
): Promise<Figure[]> {
  const { token } = stage
  const wanted = (work: string) => work.includes(only)
  const works = rateWorks(stage.schools)
  const times = await timeWorks(stage, contestants.ours.url)
  await compare(contestants, token, works, times)
  await keepRows(stage, contestants)
  const figures: Figure[] = []
  for (const work of works.filter(({ work }) => wanted(work)))
    figures.push(...(await measureRate(contestants, token, work, pace)))
  for (const work of times.filter(({ work }) => wanted(work)))
    figures.push(await measureTime(contestants, token, work, { rounds: 1, seconds: pace.seconds }))
  const pages = works.find(({ work }) => work === `${lists.financial}, 1,000 rows`)!.requests('ours')
  if (wanted('memory'))
    figures.push(await measureMemory(contestants, token, pages, pace.rounds * pace.seconds))
  if (wanted('warm npm start')) figures.push(await measureStart())
  return figures
}

async function compare(
  contestants: Contestants,
  token: string,
  works: RateWork[],
  times: TimeWork[],
): Promise<void> {
  const paths = works.flatMap(({ requests }) => requests('ours').slice(0, 8))
  const reads = paths.filter(({ method }) => method === 'GET').map(({ path }) => path)
  await checkSameAnswers(contestants, token, [...reads, ...times.map(({ path }) => path)])
  for (const { requests } of works) {
    if (requests('ours')[0]!.method === 'POST')
      await checkSameShape(contestants, token, (name) => requests(name)[0]!)
  }
}

/** The rows that `raw` reads are those that the first pages of each list answer. */
async function keepRows({ schools, token, keepRows }: Stage, { plain }: Contestants): Promise<void> {
  for (const [list, path] of Object.entries(lists)) {
    const rows: string[] = []
    for (let page = 0; page < pagesRead; page++) {
      const text = await textOf(plain.url, token, get(schools.large, path, { page, page_size: 1000 }).path)
      rows.push(...JSON.parse(text).data.list.map((row: object) => JSON.stringify(row)))
    }
    await keepRows(list, rows)
  }
}

function strings(values: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 10_000 || value > 1_000_000)
    throw new Error(`--${name} must be a whole number from 10000 to 1000000`)
  return value
}

/** What has been opened is closed in reverse order: at the end, on a failure and on Ctrl-C. */
const closers: (() => Promise<void>)[] = []

async function keep<T>(making: Promise<T>, close: (made: T) => Promise<void>): Promise<T> {
  const made = await making
  closers.push(() => close(made))
  return made
}

const stopped = Promise.withResolvers<never>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopped.reject(new Error(`Stopped by ${signal}`)))

try {
  await Promise.race([main(), stopped.promise])
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
} finally {
  for (const close of closers.toReversed()) await close()
}
process.exit()
