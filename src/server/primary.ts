import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openIpc } from './ipc.ts'
import type { Assignment, CallWorker, PrimaryCalls, WorkerCalls } from './ipc-messages.ts'
import { type Address, holdPort } from './listen.ts'
import { createMetricsSum } from './metrics-sum.ts'
import { callsOnMemory, createServerMemory } from './server-memory.ts'
import type { Served } from './serving-process.ts'
import type { Stopping } from './stopping.ts'

/** The workers of a server, which share its port: started, replaced when they die, and ended, by the primary. */
export interface Workers {
  /** Lets the workers serve, and resolves with the address once all of them listen. */
  serve(work: Assignment): Promise<string>
  /** Rejects when there is no point in going on. */
  failed: Promise<never>
  /** Replaces the workers one by one, each once its successor listens; no request fails for it. */
  restart(): Promise<void>
  /** Lets requests under way finish, for a bounded time; not at all once `insisted`. */
  stop(timeoutMs: number, insisted: Promise<void>): Promise<void>
}

interface WorkerSettings extends Address {
  workers: number
}

/** A worker that ends sooner after its start than this has not worked. */
const shortLifeMs = 5000
const mostShortLives = 5
/** How long after its own time limit a worker that is to stop may still take to end. */
const graceMs = 3000

interface Member {
  id: number
  place: number
  process: ChildProcess
  call: CallWorker
  isListening: boolean
  /** Nobody takes its place when it ends: it is leaving, or has never taken a place. */
  isExtra: boolean
  listening: Promise<void>
  exited: Promise<void>
  startedAt: number
}

/** Workers are started at once, since it takes them as long to get ready as it takes the database. */
export async function startWorkers(
  { workers: size, ...address }: WorkerSettings,
  environmentOf: (id: number) => NodeJS.ProcessEnv,
  noteEntries: (corpId: string) => void,
  log: Logger,
): Promise<Workers> {
  const held = await holdPort(address, size)
  const members = new Map<number, Member>()
  const memory = callsOnMemory(createServerMemory())
  const metrics = createMetricsSum()
  const given = Promise.withResolvers<Assignment>()
  const failure = Promise.withResolvers<never>()
  // It may come at a moment at which nobody waits for it.
  failure.promise.catch(() => undefined)
  let isStopping = false
  let shortLives = 0
  let lastId = 0
  let restarting: Promise<void> | undefined

  function start(place: number, isExtra = false): Member {
    const id = ++lastId
    const listening = Promise.withResolvers<void>()
    // The same program with the same arguments, which finds out that it is a worker.
    const child = fork(process.argv[1]!, process.argv.slice(2), {
      env: environmentOf(id),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', held.fdOf(place)],
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const member: Member = {
      ...{ id, place, process: child, isExtra, isListening: false, startedAt: performance.now() },
      ...{ listening: listening.promise, exited, call: undefined! },
    }
    const answers: PrimaryCalls = {
      ...memory,
      join: () => given.promise,
      listening() {
        member.isListening = true
        listening.resolve()
      },
      failed(sentence) {
        if (member.isExtra) return log.error({ worker: id, sentence }, 'a worker could not take its place')
        // Another one would meet the same.
        isStopping = true
        failure.reject(new Error(sentence))
      },
      metrics: () => metrics.of(tellers()),
      noteEntries: (corpIds) => corpIds.forEach(noteEntries),
    }
    member.call = openIpc<PrimaryCalls, WorkerCalls>(child, answers)
    members.set(id, member)
    child.once('exit', (code, signal) => replace(member, signal ?? `code ${code}`))
    return member
  }

  function tellers() {
    const listening = [...members].filter(([, { isListening }]) => isListening)
    return new Map(listening.map(([id, { call }]) => [id, () => call('metrics')]))
  }

  async function replace({ id, place, isExtra, startedAt }: Member, how: string): Promise<void> {
    members.delete(id)
    metrics.retire(id)
    if (isStopping || isExtra) return
    log.error({ worker: id, how }, 'a worker ended unexpectedly and is replaced')
    shortLives = performance.now() - startedAt < shortLifeMs ? shortLives + 1 : 0
    if (shortLives >= mostShortLives) {
      failure.reject(new Error(`Workers keep ending as soon as they are started (the last one with ${how}).`))
      return
    }
    // Those who would stand in line until a successor is ready are better served by the others.
    held.vacate(place)
    // Not in a circle as fast as the machine can.
    await pause(shortLives * 100)
    if (!isStopping) start(place)
  }

  /** One that does not come up leaves everything as it is. */
  async function restartAll(): Promise<void> {
    for (const old of [...members.values()].filter(({ isListening }) => isListening)) {
      const successor = start(old.place, true)
      await Promise.race([successor.listening, successor.exited])
      if (isStopping) return
      if (!successor.isListening) return log.error('a restart was given up: a new worker did not come up')
      successor.isExtra = false
      old.isExtra = true
      old.call('retire').catch(() => undefined)
      await old.exited
    }
    log.info('all workers have been restarted')
  }

  for (let place = 0; place < size; place++) start(place)
  return {
    failed: failure.promise,
    async serve(work) {
      given.resolve(work)
      await Promise.race([everyPlaceListens(), failure.promise])
      return held.url
    },
    restart() {
      restarting ??= restartAll().finally(() => {
        restarting = undefined
      })
      return restarting
    },
    async stop(timeoutMs, insisted) {
      isStopping = true
      // Connections that nobody will take must be refused, not kept waiting.
      held.release()
      const leaving = [...members.values()]
      insisted.then(() => tellAll(leaving, 'insist'))
      await Promise.all(leaving.map((member) => dismiss(member, timeoutMs + graceMs)))
    },
  }

  /** The first in a place may die before it listens, and have a successor. */
  async function everyPlaceListens(): Promise<void> {
    const listens = () =>
      new Set([...members.values()].flatMap((each) => (each.isListening ? [each.place] : [])))
    while (listens().size < size && !isStopping)
      await Promise.race(
        [...members.values()]
          .filter((each) => !each.isListening)
          .map(({ listening }) => listening)
          .concat(pause(100)),
      )
  }
}

/** The server as workers, which are running already, under this primary. */
export async function serveByWorkers(
  workers: Workers,
  work: Assignment,
  stopping: Stopping,
  drainTimeoutMs: number,
): Promise<Served> {
  const toldToStop = stopping.asked.then(() => stopping.signal.throwIfAborted())
  try {
    const baseUrl = (await Promise.race([workers.serve(work), toldToStop])) as string
    return { baseUrl, end: () => workers.stop(drainTimeoutMs, stopping.insisted) }
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
  const { process: child, isListening, exited } = member
  if (child.exitCode !== null || child.signalCode !== null) return
  if (isListening) tellAll([member], 'stop')
  else child.kill('SIGKILL')
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await exited
  clearTimeout(timer)
}
