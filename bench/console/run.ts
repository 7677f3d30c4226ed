import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readyUrl, startOurs, stopChild } from '../contestants/start.ts'
import { type Figure, printTable, tell, writeJson } from '../report.ts'
import type { Closer } from '../stage.ts'
import { measureRead, readsOf } from './reads.ts'
import { openSchools, type StaffedSchool } from './school.ts'
import { measureScrolling } from './scrolling.ts'

/** The server as somebody of the staff of a school reaches it. */
export interface Site {
  url: string
  session: string
  get<Data>(path: string, query: Record<string, string>): Promise<Data>
  /** An order or a person, by id. */
  lookUp(n: number, isOrder: boolean): Promise<unknown>
}

/** Measures the console's requests in a large school, and how its lists scroll. */
async function main(closers: Closer[]): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '200000' },
      /** Keeps the school in this folder, or takes it from there. */
      data: { type: 'string' },
      /** Makes the school, and nothing else. */
      prepare: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
    },
  })
  const users = Number(values.users)
  const { large, small, database, folder } = await openSchools(users, values.data, closers)
  if (values.prepare) return tell(`${users} people and as many orders are ready`)
  const ours = startOurs(database, '07'.repeat(32), join(folder, 'ours.log'))
  closers.push(() => stopChild(ours))
  const url = await readyUrl(ours)
  const sites = { large: siteOf(url, large), small: siteOf(url, small) }
  const [reads, smallReads] = [readsOf(large), readsOf(small)]
  const figures: Figure[] = []
  for (const [index, read] of reads.entries())
    if (read.work.includes(values.only))
      figures.push(...(await measureRead(sites, { large: read, small: smallReads[index]! })))
  if ('scrolled'.includes(values.only)) figures.push(...(await measureScrolling(sites.large, closers)))
  printTable(figures)
  if (values.json) await writeJson(values.json, figures)
}

function siteOf(url: string, { session, ...school }: StaffedSchool): Site {
  const headers = { Cookie: `matricula_session=${session}`, 'Sec-Fetch-Site': 'same-origin' }
  const get = async <Data>(path: string, query: Record<string, string>): Promise<Data> => {
    const asked = new URLSearchParams({ corp_id: school.corp_id, ...query })
    const response = await fetch(`${url}${path}?${asked}`, { headers })
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Data }
    if (code !== 0) throw new Error(`${path}?${asked}: ${code} ${msg}`)
    return data
  }
  const lookUp = (n: number, isOrder: boolean) =>
    isOrder
      ? get('/api/v5/entity/order/fetch', { order_id: school.orderId(1 + ((n * 7919) % school.orders)) })
      : get('/api/v5/entity/profile/fetch', { user_id: school.userId(1 + ((n * 7919) % school.users)) })
  return { url, session, get, lookUp }
}

const closers: Closer[] = []
try {
  await main(closers)
} finally {
  for (const close of closers.reverse()) await close().catch(() => undefined)
}
process.exit()
