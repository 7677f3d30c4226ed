import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
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

let turn: Promise<unknown> = Promise.resolve()

/** The same in this process, which has loaded all modules already. One at a time, since there is one standard output. */
export function callCli(args: string[], settings: Record<string, string>): Promise<CliResult> {
  const result = turn.then(() => callAlone(args, settings))
  turn = result.catch(() => undefined)
  return result
}

async function callAlone(args: string[], settings: Record<string, string>): Promise<CliResult> {
  const { argv, exitCode } = process
  const [stdout, stderr] = [catchOutput(process.stdout), catchOutput(process.stderr)]
  process.argv = [process.execPath, entry, ...args]
  process.exitCode = undefined
  try {
    await runCommand(process.argv, settings)
    return { code: Number(process.exitCode ?? 0), stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    Object.assign(process, { argv, exitCode })
  }
}

function catchOutput(stream: NodeJS.WriteStream): { end(): string } {
  let text = ''
  const spy = vi.spyOn(stream, 'write').mockImplementation((piece) => {
    text += piece
    return true
  })
  return {
    end: () => {
      spy.mockRestore()
      return text
    },
  }
}
