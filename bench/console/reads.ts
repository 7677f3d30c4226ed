import { days, type GeneratedSchool, nameOf as nameOfGenerated } from '../data.ts'
import { charactersApart, prototypes } from '../multiply.ts'
import { type Figure, figure, percentile, tell } from '../report.ts'
import { dayAfter } from '../works.ts'
import type { Site } from './run.ts'

/** Rows of a page in the console. */
const pageSize = 50

interface Read {
  work: string
  path: string
  /** Asked in turn, so that no answer is as quick as the one before it made it. */
  filters: Record<string, string>[]
}

interface Page {
  total: number
  list: object[]
}

/** The requests of the screens: each filter alone, combinations, and typed searches. */
export function readsOf({ users, orders, userId, tagGroupId, orderId }: GeneratedSchool): Read[] {
  const some = Array.from({ length: 5 }, (_, k) => 1 + Math.floor((users * (k + 0.5)) / 5))
  const each = (filter: (n: number) => Record<string, string>) => some.map(filter)
  const period = { start_date: dayAfter(10), end_date: dayAfter(days / 2) }
  const mobileOf = (n: number) => String(13_000_000_000 + n)
  const people = (work: string, filters: Record<string, string>[], path = 'user/list'): Read => ({
    work: `People${work}`,
    path: `/api/v5/entity/${path}`,
    filters: filters.map((filter) => ({ sort: 'newest', ...filter })),
  })
  const found = (work: string, q: (n: number) => string, filter: Record<string, string> = {}) =>
    people(
      work,
      each((n) => ({ q: q(n), ...filter })),
      'user/search',
    )
  const ordered = (work: string, filters: Record<string, string>[]): Read => ({
    work: `Orders${work}`,
    path: '/api/v5/entity/order/search',
    filters,
  })
  const leads = (work: string, filters: Record<string, string>[]): Read => ({
    work: `Leads${work}`,
    path: '/api/v5/entity/leads/list',
    filters: filters.map((filter) => ({ sort: 'newest', ...filter })),
  })
  const duplicates = (work: string, filters: Record<string, string>[]): Read => ({
    work: `Duplicates${work}`,
    path: '/api/v5/entity/user/duplicates',
    filters,
  })
  return [
    people('', [{}]),
    people(', oldest first', [{ sort: 'oldest' }]),
    people(' by pool', [{ pool: 'alive' }, { pool: 'public' }]),
    people(
      ' by adviser',
      each((n) => ({ owner_id: `adviser-${n % 50}` })),
    ),
    people(' by order state', [{ order_status: 'success' }, { order_status: 'pending' }]),
    people(' without order', [{ order_status: 'none' }]),
    people(' by course', [{ course_code: 'EMBA' }]),
    people(' by tag', [{ tags_group_id: tagGroupId(2) }]),
    people(' by tag and value', [{ tags_group_id: tagGroupId(1), tag_value: '42' }]),
    people(' by days', [period]),
    people(' by pool and days', [{ pool: 'alive', ...period }]),
    people(
      ' by adviser and order state',
      each((n) => ({ owner_id: `adviser-${n % 50}`, order_status: 'success' })),
    ),
    people(' by pool and order state', [{ pool: 'alive', order_status: 'success' }]),
    found(' by family name', (n) => nameOf(n).slice(0, 1)),
    found(' by family name and pool', (n) => nameOf(n).slice(0, 1), { pool: 'alive' }),
    found(' by name', nameOf),
    found(' by mobile', mobileOf),
    found(' by the end of a mobile', (n) => mobileOf(n).slice(-4)),
    found(' by e-mail', (n) => `user${n}@example.com`),
    found(' by nothing there', (n) => `nobody ${n}`),
    leads('', [{}]),
    leads(', oldest first', [{ sort: 'oldest' }]),
    leads(' by days', [period]),
    leads(' by utm_source', [{ utm_source: 'open-day' }]),
    leads(
      ' by utm_medium and utm_campaign',
      each((n) => ({ utm_medium: `medium-${n % 5}`, utm_campaign: `autumn-${n % 20}` })),
    ),
    leads(
      ' by campaign',
      each((n) => ({ campaign: `fair-${n % 10}` })),
    ),
    leads(' by course', [{ course_code: 'EMBA' }]),
    leads(
      ' by course and campaign',
      each((n) => ({ course_code: 'EMBA', campaign: `fair-${n % 10}` })),
    ),
    leads(
      ' by owner',
      each((n) => ({ owner_id: `adviser-${n % 50}` })),
    ),
    leads(
      ' by owner and days',
      each((n) => ({ owner_id: `adviser-${n % 50}`, ...period })),
    ),
    leads(
      ' by user',
      each((n) => ({ user_id: userId(n - (n % prototypes) + (n % 5000)) })),
    ),
    duplicates('', [{}]),
    duplicates(
      ' of a person',
      each((n) => ({ user_id: userId(n - (n % 50) + 50) })),
    ),
    ordered('', [{}]),
    ordered(', oldest first', [{ sort: 'oldest' }]),
    ordered(' by state', [{ status: 'success' }, { status: 'pending' }]),
    ordered(' that owe', [{ owing: 'unpaid' }]),
    ordered(' that are overdue', [{ owing: 'overdue' }]),
    ordered(
      ' by course',
      each((n) => ({ course_code: `EMBA${n % 20}` })),
    ),
    ordered(
      ' by adviser',
      each((n) => ({ owner_id: `adviser-${n % 50}` })),
    ),
    ordered(' by days', [period]),
    ordered(
      ' by course and state',
      each((n) => ({ course_code: `EMBA${n % 20}`, status: 'success' })),
    ),
    ordered(' by state and days', [{ status: 'success', ...period }]),
    ordered(
      ' by id',
      each((n) => ({ q: orderId(1 + (n % orders)).slice(0, 10) })),
    ),
    ordered(
      ' by own number',
      each((n) => ({ q: `checkout-${n}` })),
    ),
    ordered(
      ' by family name',
      each((n) => ({ q: nameOf(n).slice(0, 1) })),
    ),
    ordered(
      ' by name',
      each((n) => ({ q: nameOf(n) })),
    ),
    ordered(
      ' by mobile',
      each((n) => ({ q: mobileOf(n) })),
    ),
  ]
}

/** The id of person n, who may be a copy. */
function nameOf(n: number): string {
  const copy = Math.floor((n - 1) / prototypes)
  const name = nameOfGenerated(n - copy * prototypes)
  return name.slice(0, -1) + String.fromCodePoint(name.codePointAt(2)! + charactersApart * copy)
}

const seconds = 1
const fewest = 20
/** Nobody of the staff may ask without end. */
const most = 40
/** Stops repeating a read that is far too slow. */
const longestSeconds = 6

interface Sizes<Of> {
  large: Of
  small: Of
}

/**
 * The first and the last page of what is asked for, of a large school, a small one and a record looked up by its id, in
 * turns.
 */
export async function measureRead(sites: Sizes<Site>, reads: Sizes<Read>): Promise<Figure[]> {
  const figures: Figure[] = []
  const { work } = reads.large
  const lastPages = {
    large: await lastPagesOf(sites.large, reads.large),
    small: await lastPagesOf(sites.small, reads.small),
  }
  for (const which of ['first page', 'last page'] as const) {
    if (which === 'last page' && lastPages.large.every((page) => page === 0)) continue
    const times: Sizes<number[]> = { large: [], small: [] }
    const lookups: number[] = []
    const begun = performance.now()
    const spent = () => (performance.now() - begun) / 1000
    for (let n = 0; n < most && (spent() < seconds || n < fewest) && spent() < longestSeconds; n++) {
      for (const size of ['large', 'small'] as const) {
        const { path, filters } = reads[size]
        const index = n % filters.length
        const page = which === 'first page' ? 0 : lastPages[size][index]!
        times[size].push(await timeOf(() => sites[size].get<Page>(path, queryOf(filters[index]!, page))))
      }
      lookups.push(await timeOf(() => sites.large.lookUp(n, work.startsWith('Orders'))))
    }
    const [half, slow] = [percentile(times.large, 0.5), percentile(times.large, 0.95)]
    const [small, lookup] = [percentile(times.small, 0.5), percentile(lookups, 0.5)]
    const name = `${work}, ${which}`
    const told = [`p50 ${half.toFixed(1)} ms`, `p95 ${slow.toFixed(1)} ms`, `small ${small.toFixed(1)} ms`]
    tell(`${name}: ${told.join(', ')}, lookup ${lookup.toFixed(1)} ms, ${lookups.length} times`)
    figures.push(
      figure(name, 'ms, p50', half, null),
      figure(name, 'ms, p95', slow, '≤ 150'),
      figure(name, `p50 / p50 of ${prototypes} people`, half / small, '≤ 3'),
      figure(name, 'p50 / p50 of a lookup', half / lookup, null),
    )
  }
  return figures
}

function lastPagesOf(site: Site, read: Read): Promise<number[]> {
  return Promise.all(read.filters.map((filter) => lastPageOf(site, read, filter)))
}

const queryOf = (filter: Record<string, string>, page: number) => ({
  ...filter,
  page: String(page),
  page_size: String(pageSize),
})

/** The number of the last page, whose rows must fill the total exactly. */
async function lastPageOf(site: Site, { work, path }: Read, filter: Record<string, string>): Promise<number> {
  const { total } = await site.get<Page>(path, queryOf(filter, 0))
  const last = Math.max(0, Math.ceil(total / pageSize) - 1)
  const { list } = await site.get<Page>(path, queryOf(filter, last))
  if (last * pageSize + list.length !== total)
    throw new Error(`${work}: page ${last} has ${list.length} rows of ${total} in all`)
  return last
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await call()
  return performance.now() - begun
}
