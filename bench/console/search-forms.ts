import { searchedPeople, searchForms } from '../../test/support/search-forms.ts'
import { type Figure, figure, percentile, tell } from '../report.ts'
import type { Calls } from './run.ts'
import type { StaffedSchool } from './school.ts'

interface Found {
  list: { name: string }[]
}

const rounds = 6
/** A person is found at least at this place. */
const lowestRank = 3

/**
 * The forms in which people search, alternately in a large school and a small one. The people who are sought came last, as
 * those whom counsellors search for mostly did.
 */
export async function measureSearchForms(
  sites: { large: Calls; small: Calls },
  schools: StaffedSchool[],
  indexAdded: (corp_id: string) => Promise<void>,
): Promise<Figure[]> {
  for (const site of Object.values(sites)) await addPeople(site)
  for (const { corp_id } of schools) await indexAdded(corp_id)
  const all = { large: [] as number[], small: [] as number[] }
  const slowest = { form: '', p95: 0 }
  let missed = 0
  for (const [form, q, name] of searchForms) {
    const times = { large: [] as number[], small: [] as number[] }
    let rank = 0
    for (let round = 0; round < rounds; round++)
      for (const size of ['large', 'small'] as const) {
        const begun = performance.now()
        const { list } = await sites[size].get<Found>('/api/v5/entity/user/search', { q, page_size: '50' })
        times[size].push(performance.now() - begun)
        if (size === 'large') rank = 1 + list.findIndex((user) => user.name === name)
      }
    if (rank === 0 || rank > lowestRank) missed++
    const p95 = percentile(times.large, 0.95)
    if (p95 > slowest.p95) Object.assign(slowest, { form, p95 })
    tell(
      `${form} (${q}): rank ${rank}, p50 ${percentile(times.large, 0.5).toFixed(1)} ms, ` +
        `p95 ${p95.toFixed(1)} ms, small ${percentile(times.small, 0.5).toFixed(1)} ms`,
    )
    all.large.push(...times.large)
    all.small.push(...times.small)
  }
  tell(`the slowest: ${slowest.form}, p95 ${slowest.p95.toFixed(1)} ms`)
  const [large, small] = [percentile(all.large, 0.95), percentile(all.small, 0.95)]
  const work = `${searchForms.length} forms of searches`
  return [
    figure(work, `not found at rank 1–${lowestRank}`, missed, '≤ 0'),
    figure(work, 'ms, p50', percentile(all.large, 0.5), null),
    figure(work, 'ms, p95', large, '≤ 50'),
    figure(work, 'p95 / p95 of 10000 people', large / small, '≤ 3'),
  ]
}

async function addPeople(site: Calls): Promise<void> {
  let mobile = 15_000_000_000
  for (const { name, email, area_code = '86', mobile: own, ...members } of searchedPeople) {
    const contact = { area_code, mobile: own ?? String(mobile++) }
    const { user_id } = await site.post<{ user_id: string }>('/api/v5/entity/user/create', contact)
    await site.post('/api/v5/entity/user/update', { user_id, name, ...members })
    if (email) await site.post('/api/v5/entity/user/email/update', { user_id, email })
  }
}
