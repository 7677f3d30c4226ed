import type { MetricObject } from 'prom-client'
import type { Stopping } from '../stopping.ts'
import { openIpc } from './ipc.ts'
import type { Assignment, CallPrimary, PrimaryCalls, WorkerCalls } from './ipc-messages.ts'

/** A worker's side of the workers it belongs to. */
export interface Primary {
  assignment: Promise<Assignment>
  call: CallPrimary
  /** The primary alone decides when a worker stops. */
  stopping: Stopping
  /** Tells how the primary, asked for all metrics, gets those of this worker. */
  tellMetrics(read: () => Promise<MetricObject[]>): void
  /** Ends this process. */
  leave(): void
}

export function joinPrimary(): Primary {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  let readMetrics = async (): Promise<MetricObject[]> => []
  // Ctrl-C reaches every process of the terminal; requests under way must outlive it here, too.
  const ignore = () => undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, ignore)
  // A primary that was killed must leave nothing behind that holds the port or works on its database.
  process.once('disconnect', () => process.exit(1))

  const answers: WorkerCalls = {
    stop() {
      controller.abort(new Error('The worker was told to stop.'))
      asked.resolve('stop')
    },
    insist: () => insisted.resolve(),
    metrics: () => readMetrics(),
  }
  const call = openIpc<WorkerCalls, PrimaryCalls>(process, answers)
  return {
    call,
    assignment: call('join'),
    stopping: { signal: controller.signal, asked: asked.promise, insisted: insisted.promise },
    tellMetrics(read) {
      readMetrics = read
    },
    leave: () => process.exit(),
  }
}
