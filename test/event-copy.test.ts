import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { bulkUpdateUsers } from '../src/changes/bulk-edits/bulk-update.ts'
import { updateEmail } from '../src/changes/contacts/update-contact.ts'
import { eraseUser } from '../src/changes/erasure/erase-user.ts'
import { importLeadFile } from '../src/changes/lead-import/import-lead-file.ts'
import { mergeUsers, unmergeUsers } from '../src/changes/merging/merge-users.ts'
import { importOrders } from '../src/changes/order-import/import-orders.ts'
import { undoBatch } from '../src/changes/undo/undo-batch.ts'
import { undoChanges } from '../src/changes/undo/undo-changes.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { addEvents } from '../src/events/add-events.ts'
import { startEpoch } from '../src/events/feed-store.ts'
import { listEvents } from '../src/events/list-events.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { fetchOrder } from '../src/orders/listing/fetch-order.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { updateStatus } from '../src/orders/update-status.ts'
import { fetchLead } from '../src/people/leads/fetch-lead.ts'
import { importLead } from '../src/people/leads/import-leads.ts'
import { listLeads } from '../src/people/leads/list-leads.ts'
import { createTagGroup } from '../src/people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../src/people/user-tags/assign-user-tag.ts'
import { claimUser } from '../src/people/users/claims/claim-user.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { fetchUser } from '../src/people/users/fetch-profile.ts'
import { createFollowUp } from '../src/people/users/follow-ups/follow-ups.ts'
import { listUsers } from '../src/people/users/list-users.ts'
import { updatePool } from '../src/people/users/update-pool.ts'
import { attemptsOf, noteAttempts, seededRandom } from './harness/attempts.ts'
import { importerOf } from './harness/importer.ts'
import { testKeyring } from './harness/keyring.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { openFolder } from './support/sheets.ts'

/** 1,000 with `npm run test:long`. */
const histories = attemptsOf('MATRICULA_COPIED_HISTORIES', 6)
/** Rows of the lead file that is imported concurrently. 20,000 with `npm run test:long`. */
const importedRows = attemptsOf('MATRICULA_COPIED_ROWS', 40)
/** At the same time. */
const writers = 6

interface Copying {
  base: string
  token: string
  corp_id: string
  copy: Map<string, unknown>
  saved?: string
  save(cursor: string): Promise<void>
  signal: AbortSignal
}

let server: TestServer
let folder: Awaited<ReturnType<typeof openFolder>>
let keepCopy: (copying: Copying) => Promise<void>

/** The program of docs/events.md. */
beforeAll(async () => {
  server = await startTestServer('matricula')
  const guide = await readFile(join(import.meta.dirname, '../docs/events.md'), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  folder = await openFolder()
  const file = await folder.file('keep-copy.mjs', program)
  ;({ keepCopy } = await import(pathToFileURL(file).href))
})
afterAll(async () => {
  await folder?.remove()
  await server?.close()
})

/** Adds committed changes to the feed, as a server does, until it is stopped. */
function sequencing(corp_id: string, signal: AbortSignal): Promise<void> {
  const once = async () => {
    await linkEntries(server.db, corp_id)
    if ((await addEvents(server.db, corp_id)) > 0) server.wakeReaders([corp_id])
  }
  return (async () => {
    while (!signal.aborted) {
      await once()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await once()
  })()
}

/** The whole school, as its fetch operations return it. */
async function schoolOf(call: TestOrganization['call']): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>()
  const kinds: [kind: string, list: Endpoint, fetch: Endpoint, id: string, key: string, input: object][] = [
    ['user', listUsers, fetchUser, 'user_id', 'user_id', {}],
    ['lead', listLeads, fetchLead, 'lead_id', 'lead_id', {}],
    ['order', listOrders, fetchOrder, 'order_id', 'entity_id', { include_deleted: true }],
  ]
  for (const [kind, list, fetch, id, key, input] of kinds) {
    for (let page = 0, total = 1; page * 1000 < total; page++) {
      const { data } = await call(list, { page, page_size: 1000, ...input })
      for (const rows of chunksOf(data.list as Record<string, string>[], 16))
        await Promise.all(
          rows.map(async ({ [key]: value }) => {
            records.set(`${kind} ${value}`, (await call(fetch, { [id]: value })).data)
          }),
        )
      total = data.total
    }
  }
  return records
}

function chunksOf<T>(list: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))
}

test('the program of the guide keeps a copy equal to the school, while others write and after a restore', {
  timeout: 120_000 + histories * 10_000 + importedRows * 30,
}, async () => {
  const school = await openOrganization(server)
  const { corp_id } = school
  const permissions = ['read', 'write', 'finance', 'admin']
  const wanted = { name: 'Copy', corp_ids: [corp_id], permissions, rate_limit_per_minute: null }
  const account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const token = await server.tokenOf(account)
  const call: TestOrganization['call'] = (endpoint, input = {}) =>
    server.call(endpoint, { corp_id, ...input }, { token })
  const ok = async (endpoint: Endpoint, input: Record<string, unknown>) => {
    const { code, msg, data } = await call(endpoint, input)
    expect({ code, msg }).toEqual({ code: 0, msg: 'success' })
    return data
  }
  const random = seededRandom()
  const person = () => ok(createUser, { email: `${newId()}@example.com` })
  const csv = () => {
    const mobile = String(13_800_000_000 + random.below(90_000_000))
    const row = `${newId()},${mobile},86,Person,CNY,900`
    return `external_id,mobile,area_code,name,currency,listed_price\n${row}\n`
  }
  const history = async () => {
    const { user_id } = await person()
    await ok(importLead, { user_id, name: `Person ${random.below(1000)}`, course_code: 'EMBA' })
    const { order_id } = await ok(createOrder, {
      user_id,
      currency: 'CNY',
      listed_price: 9000,
      type: 'course',
    })
    for (let step = 0; step < 6; step++) {
      const choices = [
        () => ok(updateEmail, { user_id, email: `${newId()}@example.com` }),
        () => ok(updatePool, { user_id, pool: random.below(2) ? 'alive' : 'dead' }),
        () => ok(importLead, { user_id, utm_source: newId() }),
        () => ok(createFollowUp, { user_id, content: 'Called' }),
        () => ok(createPayment, { order_id, price: 100 + random.below(100) }),
        () => ok(createOrder, { user_id, currency: 'CNY', listed_price: 5000 }),
        () => ok(assignUserTag, { user_id, tags_group_id, value: newId() }),
        // Refused if the person has left the public pool.
        () => call(claimUser, { user_id, owner_id: 'adviser' }),
      ]
      await choices[random.below(choices.length)]!()
    }
    const edit = { user_ids: [user_id], pool: 'alive', add_owner_ids: [`adviser-${random.below(9)}`] }
    const { batch_id } = await ok(bulkUpdateUsers, edit)
    if (batch_id !== '' && random.below(2) === 0) await ok(undoChanges, { batch_id })
    const other = await person()
    await ok(importLead, { user_id: other.user_id, name: 'Twin' })
    const { merge_id } = await ok(mergeUsers, { user_id, merged_user_id: other.user_id })
    if (random.below(2) === 0) await ok(unmergeUsers, { merge_id })
    const { order_id: dropped } = await ok(createOrder, { user_id, currency: 'CNY', listed_price: 700 })
    await ok(updateStatus, { order_id: dropped, status: 'canceled', reason: 'Changed their mind' })
    for (const run of [importLeadFile, importOrders] as const) {
      const file = await folder.file(`${newId()}.csv`, csv())
      const { batch_id } = await run(await importerOf(server, corp_id), file, {})
      if (random.below(2) === 0) await undoBatch(await importerOf(server, corp_id), batch_id!)
    }
    const gone = await person()
    await ok(importLead, { user_id: gone.user_id, name: 'Gone' })
    await ok(eraseUser, { user_id: gone.user_id, reason: 'Asked for it', confirm_debt: true })
  }

  /** A large file, and another one that is undone completely. Their people match nobody else. */
  const importFiles = async () => {
    for (const [rows, from, isUndone] of [
      [importedRows, 15_000_000_000, false],
      [Math.ceil(importedRows / 10), 17_000_000_000, true],
    ] as const) {
      const lines = Array.from({ length: rows }, (_, n) => `${from + n},Person ${n}`)
      const file = await folder.file(`${newId()}.csv`, `mobile,name\n${lines.join('\n')}\n`)
      const { batch_id } = await importLeadFile(await importerOf(server, corp_id), file, {})
      if (isUndone) await undoBatch(await importerOf(server, corp_id), batch_id!)
    }
  }

  const group = { name: 'G', variable_name: 'g', description: 'g', attribute: 'string', category: 'c' }
  const { tags_group_id } = await ok(createTagGroup, group)
  const writing = new AbortController()
  const sequenced = sequencing(corp_id, writing.signal)
  await Promise.all(Array.from({ length: 3 }, history))
  const copy = new Map<string, unknown>()
  const stop = new AbortController()
  let cursor: string | undefined
  const save = async (next: string) => {
    cursor = next
  }
  const copying = keepCopy({ base: server.url, token, corp_id, copy, save, signal: stop.signal }).catch(
    (error: Error) => {
      if (!stop.signal.aborted) throw error
    },
  )
  const writersOf = Array.from({ length: writers }, async (_, writer) => {
    for (let n = writer; n < histories; n += writers) await history()
  })
  await Promise.all([...writersOf, importFiles()])
  /** The records whose responses differ. */
  const differing = async () => {
    const school = await schoolOf(call)
    expect(school.size).toBeGreaterThan(40)
    const keys = new Set([...school.keys(), ...copy.keys()])
    return [...keys].filter((key) => JSON.stringify(copy.get(key)) !== JSON.stringify(school.get(key)))
  }
  const isFollowed = async () => cursor === (await call(listEvents, { limit: 1 })).data.newest_cursor
  const compare = async () => {
    await linkEntries(server.db, corp_id)
    await addEvents(server.db, corp_id)
    await expect.poll(isFollowed, { timeout: 60_000 + histories * 1000 + importedRows * 20 }).toBe(true)
    // Background work completes an erasure.
    await expect.poll(differing, { timeout: 60_000 + importedRows * 20, interval: 1000 }).toEqual([])
  }
  await compare()

  // The old cursor is refused: the program reads the lists again.
  await startEpoch(server.db.of(corp_id), corp_id, newId())
  await history()
  await compare()
  expect(copy.size).toBeGreaterThan(2 * importedRows)
  noteAttempts(
    'histories that a copy followed',
    histories + 4,
    0,
    `${copy.size} records are equal, ${importedRows} rows imported`,
  )
  stop.abort()
  writing.abort()
  await Promise.all([copying, sequenced])
})
