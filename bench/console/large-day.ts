import type { GeneratedSchool } from '../data.ts'
import { type Figure, figure, percentile, tell } from '../report.ts'
import type { Calls } from './run.ts'
import { largeDay } from './school.ts'

const repeats = 24
const atOnce = 8

interface Page {
  total: number
  list: object[]
}

/** Filters, pages and searches on a day on which 150,000 people came: alone, and eight at once. */
export async function measureDay(site: Calls, { tagGroupId }: GeneratedSchool): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [work, path, query] of readsOfDay(tagGroupId)) {
    const { total } = await site.get<Page>(path, { ...query, page: '0' })
    const last = Math.max(0, Math.ceil(total / Number(query.page_size)) - 1)
    const pages = query.page === undefined ? { first: 0, last } : { one: Number(query.page) }
    for (const [which, page] of Object.entries(pages)) {
      const read = () => timeOf(() => site.get<Page>(path, { ...query, page: String(page) }))
      await read()
      const alone: number[] = []
      for (let n = 0; n < repeats; n++) alone.push(await read())
      const together: number[] = []
      for (let n = 0; n < repeats / atOnce; n++)
        together.push(...(await Promise.all(Array.from({ length: atOnce }, read))))
      const name = `Large day, ${work}, ${which === 'one' ? `page ${page}` : `${which} page`}`
      const [p50, p95, busy] = [percentile(alone, 0.5), percentile(alone, 0.95), percentile(together, 0.95)]
      tell(
        `${name} of ${total}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, ${atOnce} at once p95 ${busy.toFixed(1)} ms`,
      )
      figures.push(
        figure(name, 'ms, p95', p95, '≤ 100'),
        // A refused call would have ended the benchmark.
        figure(name, `ms, p95 of ${atOnce} at once`, busy, null),
      )
    }
  }
  return figures
}

function readsOfDay(
  tagGroupId: (n: number) => string,
): [work: string, path: string, query: Record<string, string>][] {
  const list = '/api/v5/entity/user/list'
  const search = '/api/v5/entity/user/search'
  const newest = { sort: 'newest', page_size: '50' }
  const two = { pool: 'alive', order_status: 'success' }
  const five = {
    ...{ pool: 'alive', order_status: 'success', course_code: 'EMBA', tags_group_id: tagGroupId(2) },
    ...{ start_date: largeDay, end_date: largeDay },
  }
  return [
    ['all', list, newest],
    ['two filters', list, { ...newest, ...two }],
    ['two filters, oldest first', list, { ...newest, ...two, sort: 'oldest' }],
    ['five filters', list, { ...newest, ...five }],
    ['five filters, one rare', list, { ...newest, ...five, owner_id: 'adviser-13' }],
    ['all', list, { ...newest, page_size: '20', page: '5000' }],
    ['two filters', list, { ...newest, ...two, page_size: '4', page: '5000' }],
    ['a search with filters', search, { ...newest, ...five, q: '陈' }],
    ['a search of a common letter', search, { page_size: '50', q: 'chen' }],
  ]
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await call()
  return performance.now() - begun
}
