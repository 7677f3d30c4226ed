import { request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../sample/random.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { foldCounts } from '../../search/facet-store.ts'
import { importLead } from './import-leads.ts'
import { listLeads } from './list-leads.ts'

const total = Number(process.env.MATRICULA_RACING_LEADS ?? 400)
const clients = 32
const people = Math.ceil(total / 3)

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server.close())

/** The moment when a client cuts its connection: after the request, a few turns later, or before reading the response. */
const cuts = ['sent', 'under way', 'answered'] as const

/** Sends a lead. Undefined if the client cut the connection before it read the response. */
function send(
  lead: object,
  key: string | undefined,
  cut: (typeof cuts)[number] | undefined,
): Promise<number | undefined> {
  const body = JSON.stringify({ corp_id: school.corp_id, ...lead })
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${school.token}`,
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  return new Promise((resolve) => {
    const call = request(`${server.url}${importLead.path}`, { method: 'POST', headers }, (response) => {
      if (cut === 'answered') return void call.destroy()
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text).code))
      response.on('error', () => resolve(undefined))
    })
    call.on('error', () => resolve(undefined)).on('close', () => resolve(undefined))
    call.end(body, async () => {
      if (cut === 'under way') for (let turn = 0; turn < 20; turn++) await setImmediate()
      if (cut === 'sent' || cut === 'under way') call.destroy()
    })
  })
}

test(`${total} leads of ${clients} clients that retry after cut connections are ${total} leads, each person once`, {
  timeout: 3_600_000,
}, async () => {
  const leads = Array.from({ length: total }, (_, n) => ({
    ...{ area_code: '86', mobile: String(13_000_000_000 + (n % people)), name: `Person ${n % people}` },
    ...{ course_code: 'EMBA', owner_ids: [`adviser-${n % 7}`], utm_source: `source-${n % 5}` },
    // Two thirds are identified by their entry, the others by the key of the call.
    ...(n % 3 > 0 && { entry_id: `entry-${n}` }),
  }))
  const codes = new Map<number | undefined, number>()
  const deliver = async (n: number, random: Random) => {
    const { entry_id } = leads[n] as { entry_id?: string }
    const key = entry_id === undefined ? `key-${n}` : undefined
    for (let attempt = 0; ; attempt++) {
      if (attempt === 100) throw new Error(`lead ${n} was not taken in ${attempt} attempts`)
      const isCut = attempt < 5 && random.chance(40)
      const code = await send(leads[n]!, key, isCut ? cuts[random.below(cuts.length)] : undefined)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      // Sometimes a client repeats an acknowledged lead.
      if (code === 0 && !random.chance(10)) return
    }
  }
  const queue = leads.map((_, n) => n)
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const random = createRandom(client + 1)
      for (let n = queue.shift(); n !== undefined; n = queue.shift()) await deliver(n, random)
    }),
  )
  // The only outcomes are a cut connection, success, or a call in progress with the same key.
  expect([...codes.keys()].filter((code) => ![undefined, 0, 40905].includes(code))).toEqual([])
  expect(codes.get(undefined)).toBeGreaterThan(0)

  const { rows } = await server.database.superuser.query(
    `select (select count(*)::int from leads where corp_id = $1) as leads,
            (select count(*)::int from users where corp_id = $1) as users,
            (select count(*)::int from users where corp_id = $1 and name is not null) as named,
            (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks`,
    [school.corp_id],
  )
  expect(rows[0]).toEqual({ leads: total, users: people, named: people, deadlocks: 0 })
  for (const isFolded of [false, true]) {
    if (isFolded) await foldCounts(server.db.of(school.corp_id), school.corp_id)
    expect((await school.call(listLeads, { course_code: 'EMBA' })).data.total).toBe(total)
    const wanted = leads.filter(({ utm_source }) => utm_source === 'source-1').length
    expect((await school.call(listLeads, { utm_source: 'source-1' })).data.total).toBe(wanted)
  }
})
