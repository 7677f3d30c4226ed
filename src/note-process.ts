import { readFile, rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { writeDurably } from './postgres/durable-files.ts'
import type { Signals } from './server/stopping.ts'

const parentCheckMs = 500

/**
 * Writes the process id to the file of the settings, and stops a server whose npm has ended. npm passes on SIGTERM and
 * SIGINT only. Other signals end npm, which would leave a server that nobody knows on the port. Returns the function that undoes it.
 */
export async function noteProcess(
  { pidFile, isStartedByNpm }: Pick<Config, 'pidFile' | 'isStartedByNpm'>,
  signals: Pick<Signals, 'stop'>,
  log: Logger,
): Promise<() => Promise<void>> {
  if (pidFile !== undefined)
    await writeDurably(pidFile, `${process.pid}\n`).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`MATRICULA_PID_FILE ${pidFile} cannot be written (${error.code}).`)
    })
  const parent = process.ppid
  const timer = isStartedByNpm
    ? setInterval(() => {
        if (process.ppid === parent) return
        clearInterval(timer)
        log.warn(
          'npm, which started the server, has ended: stopping. Send signals to the process of MATRICULA_PID_FILE',
        )
        signals.stop('npm ended')
      }, parentCheckMs).unref()
    : undefined
  return async () => {
    clearInterval(timer)
    if (pidFile !== undefined && (await holdsOwnId(pidFile))) await rm(pidFile, { force: true })
  }
}

/** Another server may have replaced the file. */
async function holdsOwnId(file: string): Promise<boolean> {
  return (await readFile(file, 'utf8').catch(() => '')).trim() === String(process.pid)
}
