import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import type { PublishedHead } from '../../access/audit/published-head.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import {
  appendHeads,
  asRestored,
  destinationOf,
  type HeadDestination,
  readPublishedHeads,
} from './destinations.ts'
import { findAllHeads, findHead } from './head-store.ts'
import { keepPublishing } from './keep-publishing.ts'

let database: TestDatabase
let school: TestLedger
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-heads-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  school = await openLedger(database)
  await grow()
})

async function grow(): Promise<PublishedHead> {
  await school.run(createUser, { email: `${newId()}@example.com` })
  await linkEntries(database.app, school.corp_id)
  return findHead(database.app.of(school.corp_id), school.corp_id)
}

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 })

const ends = ({ length, head, ledger_length }: PublishedHead) => ({ length, head, ledger_length })

/** Publishes when the test requests a round, and returns the heads of the school that each round sent. */
function startRounds(destination: HeadDestination, restored?: PublishedHead[]) {
  const grown = new Set<string>()
  const stop = new AbortController()
  const lines: string[] = []
  let isRestorePublished = false
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const publishing = keepPublishing({
    ...{ db: database.app, log, destinations: [destination], grown, intervalMs: 1, signal: stop.signal },
    restored: restored && {
      heads: restored,
      onPublished: async () => {
        isRestorePublished = true
      },
    },
  })
  return {
    grown,
    lines,
    isRestorePublished: () => isRestorePublished,
    async end() {
      stop.abort()
      await publishing
    },
  }
}

/** A service of the operator: returns the given status, and stores accepted heads. */
async function listen(answer: () => number): Promise<{ server: Server; url: string; kept: PublishedHead[] }> {
  const kept: PublishedHead[] = []
  const server = createServer(async (request, response) => {
    const { heads } = (await json(request)) as { heads: PublishedHead[] }
    const status = answer()
    if (status === 0) return request.socket.destroy()
    if (status === 200) kept.push(...heads.filter(({ corp_id }) => corp_id === school.corp_id))
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}/secret-path?key=canary`, kept }
}

test('a chain is published once after it has grown', async () => {
  const kept: PublishedHead[] = []
  const rounds = startRounds({
    name: 'a list',
    publish: async (heads) => void kept.push(...heads.filter(({ corp_id }) => corp_id === school.corp_id)),
  })
  const first = await findHead(database.app.of(school.corp_id), school.corp_id)
  await poll(() => kept.map(ends)).toEqual([ends(first)])
  rounds.grown.add(school.corp_id)
  const second = await grow()
  rounds.grown.add(school.corp_id)
  await poll(() => kept.map(ends)).toEqual([ends(first), ends(second)])
  const last = await grow()
  rounds.grown.add(school.corp_id)
  await rounds.end()
  expect(kept.map(ends)).toEqual([ends(first), ends(second), ends(last)])
})

test('a failing address gets the last head of each chain later; the log reports it once, without the address', async () => {
  const statuses = [500, 0, 302, 404]
  let isUp = false
  const { server, url, kept } = await listen(() => (isUp ? 200 : (statuses.shift() ?? 503)))
  const rounds = startRounds(destinationOf({ address: new URL(url) }))
  await poll(() => statuses).toEqual([])
  const second = await grow()
  rounds.grown.add(school.corp_id)
  await poll(() => rounds.lines.join()).toContain('status 503')
  isUp = true
  await poll(() => kept.at(-1)?.head).toBe(second.head)
  await rounds.end()
  server.close()
  const faults = rounds.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  expect(faults.map(({ fault }) => fault)).toEqual([
    'The address answered with status 500.',
    expect.stringMatching(/^The address does not answer \([A-Z_]+\)\.$/),
    expect.stringMatching(/^The address does not answer/),
    'The address answered with status 404.',
    'The address answered with status 503.',
  ])
  expect(rounds.lines.join()).toContain('again')
  expect(rounds.lines.join()).not.toContain('canary')
  expect(rounds.lines.join()).not.toContain('secret-path')
})

test('a restore is published first, and its marker is removed when every destination has it', async () => {
  let isUp = false
  const { server, url, kept } = await listen(() => (isUp ? 200 : 500))
  const restored = asRestored(await findAllHeads(database.app))
  const rounds = startRounds(destinationOf({ address: new URL(url) }), restored)
  await poll(() => rounds.lines.length).toBeGreaterThan(0)
  await grow()
  rounds.grown.add(school.corp_id)
  expect(rounds.isRestorePublished()).toBe(false)
  isUp = true
  await poll(rounds.isRestorePublished).toBe(true)
  await rounds.end()
  server.close()
  const [first, ...others] = kept
  expect(first).toMatchObject({ restored: true })
  for (const head of others) expect(head).not.toHaveProperty('restored')
})

test('a folder has one private file per day, and a truncated line damages no other', async () => {
  const published = join(folder, 'published')
  const destination = destinationOf({ folder: published })
  const head = await findHead(database.app.of(school.corp_id), school.corp_id)
  await destination.publish([head])
  const [name] = await readdir(published)
  expect(name).toMatch(/^audit-heads-\d{4}-\d\d-\d\d\.ndjson$/)
  expect((await stat(join(published, name!))).mode & 0o777).toBe(0o600)
  await appendFile(join(published, name!), '{"corp_id":"x","head":"')
  await destination.publish([head, head])
  const text = await readFile(join(published, name!), 'utf8')
  expect(text.split('\n')).toHaveLength(5)
  expect((await readPublishedHeads([published])).report().sources).toEqual([
    { source: published, heads: 3, from: head.at, until: head.at },
  ])
})

test('heads are found in a folder of backups, and only in lines that are heads', async () => {
  const backups = join(folder, 'backups')
  const one = join(backups, '2026-11-17T10-00-00-000Z')
  await destinationOf({ folder: one }).publish(await findAllHeads(database.app))
  const file = join(one, 'audit-heads.ndjson')
  await appendFile(file, 'null\n[]\n"head"\n{"head":1}\n{"corp_id":"a","at":"x","length":1,"head":"y"}\n\n')
  await appendHeads(file, [await grow()])
  const { sources } = (await readPublishedHeads([backups])).report()
  expect(sources).toMatchObject([{ source: backups }])
  expect((await readPublishedHeads([file])).report().sources).toMatchObject([{ heads: 1 }])
  await expect(readPublishedHeads([join(folder, 'nowhere')])).rejects.toThrow('cannot be read (ENOENT)')
})
