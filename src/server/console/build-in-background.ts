import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findBuild } from './console-build.ts'

const commandLine = join(import.meta.dirname, '../../cli/matricula.ts')

/** Builds the console in a child process, while the API already answers. */
export async function buildInBackground(dataDir: string, log: Logger, signal: AbortSignal): Promise<void> {
  if (await findBuild(dataDir)) return
  log.info('building the console, once for this version')
  const child = spawn(process.execPath, [commandLine, 'console', 'build'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const failed = (reason: string) =>
    signal.aborted || log.error({ reason }, 'the console could not be built; the API goes on without it')
  child.once('error', ({ message }) => failed(message))
  child.once('close', (code) => {
    if (code === 0) log.info('the console is built')
    else if (code !== null) failed(complaint.trim())
  })
  // At low priority: calls to the API go first.
  if (child.pid !== undefined && process.platform !== 'win32') setPriority(child.pid, 10)
}
