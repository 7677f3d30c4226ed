import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/endpoints.ts'
import { type Stage, setStage } from '../conformance/stage.ts'
import { attemptsOf, noteAttempts, type Random, seededRandom } from '../harness/attempts.ts'
import { checkResponse } from '../harness/contract-check.ts'
import { createRequests } from './hostile-requests.ts'

const requests = attemptsOf('MATRICULA_GENERATED_REQUESTS', 500)
/** Concurrent requests of one organization. Many more would be refused as too busy. */
const atOnce = 16
const mostCpuMs = 1000
const mostGrowthBytes = 64 * 1024 * 1024

/** Then the next school: of a million requests to one, its orders would have ten thousand refunds each. */
const requestsPerSchool = 25_000

let stage: Stage
const random = seededRandom()
const failures: string[] = []
let [sent, mostSpentMs, mostGrown] = [0, 0, 0]

beforeAll(openSchool)
afterAll(() => stage?.server.close())

async function openSchool(): Promise<void> {
  stage = await setStage()
  await stage.server.database.superuser.query('update accounts set rate_limit_per_minute = null')
}

test('every generated request gets an answer within the contract, without a server failure, at low cost', async () => {
  while (sent < requests && failures.length < 20) {
    if (sent > 0) {
      await stage.server.close()
      await openSchool()
      console.info(`${sent} of ${requests} requests, ${failures.length} failures`)
    }
    await harass(Math.min(requests - sent, requestsPerSchool))
  }
  noteAttempts(
    'generated requests and garbage',
    sent,
    failures.length,
    `at most ${Math.round(mostGrown / 1024)} kB kept, ${Math.round(mostSpentMs)} ms of CPU between two answers`,
  )
  expect(failures, `seed ${random.seed}`).toEqual([])
  // Clients included.
  expect(mostSpentMs).toBeLessThan(mostCpuMs)
  expect(mostGrown).toBeLessThan(mostGrowthBytes)
}, 7_200_000)

/** Sends a number of requests to the school, some of them concurrently. */
async function harass(count: number): Promise<void> {
  const requestFor = createRequests(stage.school, random)
  /** Returns the maximum time in milliseconds that the thread worked between two responses. */
  const sendUntil = async (end: number): Promise<number> => {
    let [spent, most] = [process.threadCpuUsage(), 0]
    const keepSending = async () => {
      while (sent < end && failures.length < 20) {
        sent++
        await attempt(requestFor)
        // The CPU time that one request costs delays the answers of all others.
        const { user, system } = process.threadCpuUsage(spent)
        spent = process.threadCpuUsage()
        most = Math.max(most, (user + system) / 1000)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, keepSending))
    return most
  }
  const end = sent + count
  // Compiled validators and warm caches stay in memory.
  await sendUntil(sent + Math.min(1000, count / 2))
  const before = heapInUse()
  mostSpentMs = Math.max(mostSpentMs, await sendUntil(end))
  mostGrown = Math.max(mostGrown, heapInUse() - before)
}

async function attempt(requestFor: ReturnType<typeof createRequests>): Promise<void> {
  const endpoint = random.pick(endpoints)
  const request = requestFor(endpoint)
  try {
    const status = random.below(20) === 0 ? await sendGarbage(random) : await send(endpoint, request)
    if (status >= 500) throw new Error(`status ${status}`)
  } catch (error) {
    failures.push(`${endpoint.id}: ${(error as Error).message}`)
    console.error(failures.at(-1), request)
  }
}

async function send(
  endpoint: Endpoint,
  { query, body, headers }: ReturnType<ReturnType<typeof createRequests>>,
): Promise<number> {
  const token = endpoint.scope === 'public' ? {} : { Authorization: `Bearer ${stage.tokens.sample}` }
  const path = query === undefined ? endpoint.path : `${endpoint.path}?${query}`
  const answer = await stage.server.send(path, {
    method: endpoint.method,
    headers: { ...token, ...headers },
    ...(body !== undefined && { body: body as string }),
  })
  checkResponse(endpoint, answer)
  return answer.status
}

/** Bytes that are not HTTP: refused in the envelope, or the connection is closed. */
async function sendGarbage({ below, pick }: Random): Promise<number> {
  const bytes = Buffer.from(Array.from({ length: 1 + below(400) }, () => below(256)))
  const { port } = new URL(stage.server.url)
  const head = pick([
    '',
    'GET ',
    'POST /api/v5/entity/order/create HTTP/1.1\r\nContent-Length: 99999\r\n',
    'PRI * HTTP/2.0\r\n\r\n',
  ])
  const socket = connect(Number(port), '127.0.0.1')
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => {})
  socket.end(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n\r\n')]))
  await once(socket, 'close')
  const text = Buffer.concat(pieces).toString()
  if (text === '') return 0
  const [, status, body] = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n([\s\S]*)$/.exec(text) ?? []
  if (
    Object.keys(JSON.parse(body!.slice(body!.indexOf('{'), body!.lastIndexOf('}') + 1))).join() !==
    'code,msg,data'
  )
    throw new Error(`garbage was answered with ${text}`)
  return Number(status)
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
