import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readyUrl, startOurs, stopChild } from '../contestants/start.ts'
import { headersOf } from '../load.ts'
import { type Figure, printTable, tell, writeJson } from '../report.ts'
import type { Closer } from '../stage.ts'
import { measureDay } from './large-day.ts'
import { measureLoading } from './loading.ts'
import { measureRead, readsOf } from './reads.ts'
import { masterKey, openSchools, type StaffedSchool } from './school.ts'
import { measureScrolling } from './scrolling.ts'
import { measureSearchForms } from './search-forms.ts'

/** The server as somebody of the staff of a school, or a program, reaches it. */
export interface Site extends Calls {
  url: string
  session: string
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
  const schools = await openSchools(users, values.data, closers)
  const { programOf, database, folder } = schools
  const isWanted = (part: string) => part.includes(values.only)
  // Only what is measured is made: a large school takes minutes.
  const isOnly = (...parts: string[]) => values.only !== '' && parts.some(isWanted)
  const opened = {
    small: isOnly('large day') ? undefined : await schools.small(),
    large: isOnly('large day') ? undefined : await schools.large(),
    day: isOnly('searches', 'scrolled', 'loaded') ? undefined : await schools.day(),
  }
  if (values.prepare) return tell(`${users} people and as many orders are ready`)
  const ours = startOurs(database, masterKey, join(folder, 'ours.log'))
  closers.push(() => stopChild(ours))
  const url = await readyUrl(ours)
  const figures: Figure[] = []
  const program = await programOf(Object.values(opened).flatMap((school) => school ?? []))
  const asProgram = ({ corp_id }: StaffedSchool) => callsOf(url, corp_id, headersOf(program))
  const { small, large, day } = opened
  if (small && large) {
    const sites = { large: siteOf(url, large), small: siteOf(url, small) }
    const [reads, smallReads] = [readsOf(large), readsOf(small)]
    for (const [index, read] of reads.entries())
      if (isWanted(read.work))
        figures.push(...(await measureRead(sites, { large: read, small: smallReads[index]! })))
    if (isWanted('searches')) {
      const programs = { large: asProgram(large), small: asProgram(small) }
      figures.push(...(await measureSearchForms(programs, [large, small], schools.indexAdded)))
    }
    if (isWanted('loaded')) figures.push(...(await measureLoading(sites.large, closers)))
    if (isWanted('scrolled')) figures.push(...(await measureScrolling(sites.large, closers)))
  }
  if (day && isWanted('large day')) figures.push(...(await measureDay(asProgram(day), day)))
  printTable(figures)
  if (values.json) await writeJson(values.json, figures)
}

function siteOf(url: string, { session, ...school }: StaffedSchool): Site {
  const headers = { Cookie: `matricula_session=${session}`, 'Sec-Fetch-Site': 'same-origin' }
  const { get, post } = callsOf(url, school.corp_id, headers)
  const lookUp = (n: number, isOrder: boolean) =>
    isOrder
      ? get('/api/v5/entity/order/fetch', { order_id: school.orderId(1 + ((n * 7919) % school.orders)) })
      : get('/api/v5/entity/profile/fetch', { user_id: school.userId(1 + ((n * 7919) % school.users)) })
  return { url, session, get, post, lookUp }
}

/** Calls of one school. A refused call ends the benchmark. */
export interface Calls {
  get<Data>(path: string, query: Record<string, string>): Promise<Data>
  post<Data>(path: string, body: object): Promise<Data>
}

function callsOf(url: string, corp_id: string, headers: Record<string, string>): Calls {
  const dataOf = async <Data>(asked: string, response: Response): Promise<Data> => {
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Data }
    if (code !== 0) throw new Error(`${asked}: ${code} ${msg}`)
    return data
  }
  return {
    async get(path, query) {
      const asked = `${path}?${new URLSearchParams({ corp_id, ...query })}`
      return dataOf(asked, await fetch(url + asked, { headers }))
    },
    async post(path, body) {
      const request = { method: 'POST', headers, body: JSON.stringify({ corp_id, ...body }) }
      return dataOf(path, await fetch(url + path, request))
    },
  }
}

const closers: Closer[] = []
try {
  await main(closers)
} finally {
  for (const close of closers.reverse()) await close().catch(() => undefined)
}
process.exit()
