import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { bareEnvironment } from './bare-environment.ts'

const entry = join(import.meta.dirname, '../../src/cli/matricula.ts')

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}

/** A command as an operator runs it, with exactly these settings. */
export function startCli(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    env: { ...bareEnvironment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function runCli(args: string[], settings: Record<string, string>): Promise<CliResult> {
  const child = startCli(args, settings)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const [code] = await once(child, 'close')
  return { code, ...output }
}
