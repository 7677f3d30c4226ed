import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Stopping } from '../stopping.ts'
import { openIpc } from './ipc.ts'
import type { Assignment, CallWorker, PrimaryCalls, WorkerCalls } from './ipc-messages.ts'
import { type Address, type HeldPort, holdPort } from './listen.ts'
import { createMetricsSum } from './metrics-sum.ts'
import { callsOnMemory, createServerMemory } from './server-memory.ts'
import type { Served, ServerSettings } from './serving-process.ts'

/** What workers have to know beside the port that they share. */
type Work = Omit<Assignment, 'port'>

/** The workers of a server, which share its port: started, replaced when they die, and ended, by the primary. */
export interface Workers {
  /** Lets the workers serve, and resolves with the address once all of them listen. */
  serve(work: Work, address: Address): Promise<string>
  /** Rejects when there is no point in going on. */
  failed: Promise<never>
  /** Lets requests under way finish, for a bounded time; not at all once `insisted`. */
  stop(timeoutMs: number, insisted: Promise<void>): Promise<void>
}

/** A worker that ends sooner after its start than this has not worked. */
const shortLifeMs = 5000
const mostShortLives = 5
/** How long after its own time limit a worker that is to stop may still take to end. */
const graceMs = 3000

interface Member {
  worker: Worker
  call: CallWorker
  isListening: boolean
  startedAt: number
}

/** Workers are started at once, since it takes them as long to get ready as it takes the database. */
export function startWorkers(size: number, log: Logger): Workers {
  const members = new Map<number, Member>()
  const memory = callsOnMemory(createServerMemory())
  const metrics = createMetricsSum()
  const given = Promise.withResolvers<Assignment>()
  const allListen = Promise.withResolvers<void>()
  const failure = Promise.withResolvers<never>()
  // They may come at a moment at which nobody waits for them.
  for (const { promise } of [allListen, failure]) promise.catch(() => undefined)
  let isStopping = false
  let shortLives = 0
  let held: HeldPort | undefined

  function fork(): void {
    const worker = cluster.fork()
    const member: Member = { worker, isListening: false, startedAt: performance.now(), call: undefined! }
    const answers: PrimaryCalls = {
      ...memory,
      join: () => given.promise,
      listening() {
        member.isListening = true
        if ([...members.values()].filter(({ isListening }) => isListening).length === size)
          allListen.resolve()
      },
      failed(sentence) {
        // Another one would meet the same.
        isStopping = true
        failure.reject(new Error(sentence))
      },
      metrics: () => metrics.of(tellers()),
    }
    member.call = openIpc<PrimaryCalls, WorkerCalls>(worker, answers)
    members.set(worker.id, member)
    worker.once('exit', (code, signal) => replace(member, signal ?? `code ${code}`))
  }

  function tellers() {
    const listening = [...members].filter(([, { isListening }]) => isListening)
    return new Map(listening.map(([id, { call }]) => [id, () => call('metrics')]))
  }

  async function replace({ worker, startedAt }: Member, how: string): Promise<void> {
    members.delete(worker.id)
    metrics.retire(worker.id)
    if (isStopping) return
    log.error({ worker: worker.id, how }, 'a worker ended unexpectedly and is replaced')
    shortLives = performance.now() - startedAt < shortLifeMs ? shortLives + 1 : 0
    if (shortLives >= mostShortLives) {
      failure.reject(new Error(`Workers keep ending as soon as they are started (the last one with ${how}).`))
      return
    }
    // Not in a circle as fast as the machine can.
    await pause(shortLives * 100)
    if (!isStopping) fork()
  }

  for (let n = 0; n < size; n++) fork()
  return {
    failed: failure.promise,
    async serve(work, address) {
      held = await holdPort(address)
      given.resolve({ ...work, port: held.port })
      await Promise.race([allListen.promise, failure.promise])
      return held.url
    },
    async stop(timeoutMs, insisted) {
      isStopping = true
      const leaving = [...members.values()]
      insisted.then(() => tellAll(leaving, 'insist'))
      await Promise.all(leaving.map((member) => dismiss(member, timeoutMs + graceMs)))
      held?.release()
      held = undefined
    },
  }
}

/** The server as workers, which are running already, under this primary. */
export async function serveByWorkers(
  workers: Workers,
  work: Work,
  stopping: Stopping,
  settings: ServerSettings,
): Promise<Served> {
  const toldToStop = stopping.asked.then(() => stopping.signal.throwIfAborted())
  try {
    const baseUrl = (await Promise.race([workers.serve(work, settings), toldToStop])) as string
    return { baseUrl, end: () => workers.stop(settings.drainTimeoutMs, stopping.insisted) }
  } catch (error) {
    await workers.stop(0, stopping.insisted)
    throw error
  }
}

function tellAll(members: Member[], what: 'stop' | 'insist'): void {
  for (const { call } of members) call(what).catch(() => undefined)
}

/** One that does not listen yet has nothing to finish. */
async function dismiss(member: Member, patienceMs: number): Promise<void> {
  const { worker, isListening } = member
  if (worker.isDead()) return
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  if (isListening) tellAll([member], 'stop')
  else worker.process.kill('SIGKILL')
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), patienceMs)
  await exited
  clearTimeout(timer)
}
