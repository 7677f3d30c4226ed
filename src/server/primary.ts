import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openIpc } from './ipc.ts'
import type { Assignment, CallWorker, PrimaryCalls, WorkerCalls } from './ipc-messages.ts'
import { type Address, holdPort } from './listen.ts'
import { createMetricsSum } from './metrics-sum.ts'
import { callsOnMemory, createServerMemory } from './server-memory.ts'
import type { Served } from './serving-process.ts'
import { closingMs, type Stopping } from './stopping.ts'

/** The workers of a server. The primary starts them, replaces those that die, and stops them. */
export interface Workers {
  /** Lets the workers serve. Resolves with the URL once all of them listen. */
  serve(work: Assignment): Promise<string>
  /** Rejects when the server cannot continue. */
  failed: Promise<never>
  /** Wakes the readers that wait for events of these organizations. */
  wakeReaders(corpIds: string[]): void
  /** Adds metrics of the primary to those of the workers. */
  addMetrics(read: () => Promise<string>): void
  /** Replaces the workers one by one, each once its successor listens. No request fails. */
  restart(): Promise<void>
  /** Lets the workers read their settings again. */
  reload(): void
  /** Answers 503 at /readyz, and ends streams and waiting readers. Requests are still served. */
  drain(): void
  /** Lets requests in progress finish, for a limited time. Cuts them off once `insisted`. */
  stop(timeoutMs: number, insisted: Promise<void>): Promise<void>
}

interface WorkerSettings extends Address {
  workers: number
}

/** A worker that ends within this time has failed to start. */
const shortLifeMs = 5000
const maxShortLives = 5
/** A stopping worker is killed this long after its own time limit. */
const graceMs = 3000

interface Member {
  id: number
  place: number
  process: ChildProcess
  call: CallWorker
  isListening: boolean
  /** Not replaced when it ends: it is leaving, or has not taken over yet. */
  isExtra: boolean
  listening: Promise<void>
  exited: Promise<void>
  startedAt: number
}

/** Starts the workers. They load their code while the database starts. */
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
  // It may be rejected while nothing awaits it.
  failure.promise.catch(() => undefined)
  let ownMetrics = async () => ''
  let isDraining = false
  let isStopping = false
  let shortLives = 0
  let lastId = 0
  let restarting: Promise<void> | undefined

  function start(place: number, isExtra = false): Member {
    const id = ++lastId
    const listening = Promise.withResolvers<void>()
    // The same program; its environment says that it is a worker.
    const child = fork(process.argv[1]!, process.argv.slice(2), {
      env: environmentOf(id),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', held.fdOf(place)],
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const member: Member = {
      id,
      place,
      process: child,
      isExtra,
      isListening: false,
      startedAt: performance.now(),
      listening: listening.promise,
      exited,
      // Set below: the remote functions refer to the member.
      call: undefined!,
    }
    const answers: PrimaryCalls = {
      ...memory,
      join: () => given.promise,
      listening() {
        member.isListening = true
        if (isDraining) tellAll([member], 'drain')
        listening.resolve()
      },
      failed(sentence) {
        if (member.isExtra) return log.error({ worker: id, sentence }, 'a new worker could not start')
        // Another worker would fail as well.
        isStopping = true
        failure.reject(new Error(sentence))
      },
      metrics: async () => (await metrics.of(tellers())) + (await ownMetrics()),
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
    if (shortLives >= maxShortLives) {
      failure.reject(new Error(`Workers keep ending right after their start (the last one with ${how}).`))
      return
    }
    // Until a successor is ready, the other workers take the new connections.
    held.vacate(place)
    // Backoff.
    await pause(shortLives * 100)
    if (!isStopping) start(place)
  }

  /** If a new worker fails to start, the old ones stay. */
  async function restartAll(): Promise<void> {
    for (const old of [...members.values()].filter(({ isListening }) => isListening)) {
      const successor = start(old.place, true)
      await Promise.race([successor.listening, successor.exited])
      if (isDraining || isStopping) return
      if (!successor.isListening) return log.error('the restart was given up: a new worker did not start')
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
    wakeReaders(corpIds) {
      for (const { call, isListening } of members.values())
        if (isListening) call('wakeReaders', corpIds).catch(() => undefined)
    },
    addMetrics(read) {
      ownMetrics = read
    },
    restart() {
      restarting ??= restartAll().finally(() => {
        restarting = undefined
      })
      return restarting
    },
    reload: () => tellAll([...members.values()], 'reload'),
    drain() {
      isDraining = true
      tellAll([...members.values()], 'drain')
    },
    async stop(timeoutMs, insisted) {
      isStopping = true
      // Refuses new connections, which no worker would accept.
      held.release()
      const leaving = [...members.values()]
      insisted.then(() => tellAll(leaving, 'insist'))
      const patienceMs = (isDraining ? closingMs : 0) + timeoutMs + graceMs
      await Promise.all(leaving.map((member) => dismiss(member, patienceMs)))
    },
  }

  /** A worker may die before it listens, and be replaced. */
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

/** Serves by workers that are already running. */
export async function serveByWorkers(
  workers: Workers,
  work: Assignment,
  stopping: Stopping,
  drainTimeoutMs: number,
): Promise<Served> {
  const askedToStop = stopping.asked.then(() => stopping.signal.throwIfAborted())
  try {
    const baseUrl = (await Promise.race([workers.serve(work), askedToStop])) as string
    const { wakeReaders, addMetrics, reload, drain } = workers
    const end = () => workers.stop(drainTimeoutMs, stopping.insisted)
    return { baseUrl, wakeReaders, addMetrics, reload, drain, end }
  } catch (error) {
    await workers.stop(0, stopping.insisted)
    throw error
  }
}

function tellAll(members: Member[], what: 'reload' | 'drain' | 'stop' | 'insist'): void {
  for (const { call } of members) call(what).catch(() => undefined)
}

/** Stops a worker. One that does not listen yet has nothing to finish. */
async function dismiss(member: Member, patienceMs: number): Promise<void> {
  const { process: child, isListening, exited } = member
  if (child.exitCode !== null || child.signalCode !== null) return
  if (isListening) tellAll([member], 'stop')
  else child.kill('SIGKILL')
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await exited
  clearTimeout(timer)
}
