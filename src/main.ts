import type { Logger } from 'pino'
import { WaitingOrganizations } from './access/audit/keep-linking.ts'
import { type Announcement, announce } from './announce.ts'
import { type Config, environmentOfWorker, readConfig, rereadConfig } from './config.ts'
import { joinInstallation, openInstallation } from './installation.ts'
import { noteProcess } from './note-process.ts'
import { findMasterKeys } from './open-keyring.ts'
import type { Life } from './serve.ts'
import { createLog } from './server/log.ts'
import { startWorkers, type Workers } from './server/primary.ts'
import { listenForSignals } from './server/stopping.ts'

/**
 * The composition root: configuration → database → server. Resolves once the server has stopped. With several workers,
 * each of them runs this too, with its id in the configuration.
 *
 * This file imports little, so that workers and PostgreSQL start first. The primary loads `serve.ts`, which imports nearly
 * everything else, while PostgreSQL starts.
 */
export async function serve(
  config: Config,
  tell: (announcement: Announcement) => void = announce,
): Promise<void> {
  const log = createLog(config.logLevel)
  if (config.workerId !== undefined) {
    const { runWorker } = await import('./server/worker.ts')
    return runWorker(config.workerId, config, log, (app) => joinInstallation(config, app), rereadSettings)
  }
  const stopping = listenForSignals()
  const forgetProcess = await noteProcess(config, stopping, log)
  const waiting = new WaitingOrganizations()
  let workers: Workers | undefined
  const restart = () => {
    if (!workers) log.warn('a single process cannot be replaced: stop the server and start it')
    workers?.restart()
  }
  process.on('SIGUSR2', restart)
  try {
    if (config.workers > 1) workers = await startWorkers(config, environmentOfWorker, waiting.note, log)
    await serveUntilStopped({ stopping, tell, workers, waiting }, config, log)
  } catch (error) {
    // A stop during the start is no failure.
    if (error !== stopping.signal.reason) throw error
  } finally {
    // After a failed start, workers may wait for their assignment.
    await workers?.stop(0, stopping.insisted)
    process.off('SIGUSR2', restart)
    await forgetProcess()
    stopping.forget()
  }
}

async function rereadSettings() {
  const fresh = rereadConfig()
  const { logLevel, readOnly } = fresh
  return { logLevel, readOnly, masterKeys: (await findMasterKeys(fresh)) ?? [] }
}

async function serveUntilStopped(life: Omit<Life, 'fatal'>, config: Config, log: Logger): Promise<void> {
  const fatal = Promise.withResolvers<never>()
  // It may be rejected while nothing awaits it.
  fatal.promise.catch(() => undefined)
  life.workers?.failed.catch(fatal.reject)
  let loading: Promise<typeof import('./serve.ts')> | undefined
  const installation = await openInstallation(config, 'serve', {
    onFatal: fatal.reject,
    log: (message) => log.warn(message),
    signal: life.stopping.signal,
    // Loading blocks this process, so it must not delay the launch, nor time out the connection to an external database.
    onLaunched() {
      loading ??= import('./serve.ts')
      // If opening fails, nothing awaits it.
      loading.catch(() => undefined)
    },
  })
  try {
    const { serveFrom } = await (loading ?? import('./serve.ts'))
    await serveFrom(installation, { ...life, fatal: fatal.promise }, config, log)
  } finally {
    await installation.stop()
  }
}

if (import.meta.main) {
  try {
    await serve(readConfig(process.env))
  } catch (error) {
    // One sentence without a stack: the reader is an operator who has to fix something.
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
