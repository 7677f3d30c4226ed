import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bareEnvironment } from './bare-environment.ts'
import type { TestDatabase } from './database.ts'

const entry = join(import.meta.dirname, '../../src/cli/matricula.ts')

/** Runs a command on a file in a separate process, to its end or until enough rows are stored. */
export function killableImport(
  database: TestDatabase,
  commandOf: (file: string) => string[],
  count: () => Promise<number>,
) {
  const start = (file: string) => {
    const env = { ...bareEnvironment, ...database.settings, MATRICULA_KEY: '07'.repeat(32) }
    return spawn(process.execPath, [entry, ...commandOf(file), '--json'], { env })
  }
  return {
    /** False if the command ended before it could be killed. */
    async killOnceThereAre(records: number, file: string): Promise<boolean> {
      const child = start(file)
      const closed = once(child, 'close')
      let isDone = false
      closed.then(() => {
        isDone = true
      })
      while (!isDone && (await count()) <= records) await new Promise((resolve) => setTimeout(resolve, 5))
      child.kill('SIGKILL')
      const [, signal] = await closed
      return signal === 'SIGKILL'
    },
    async finish(file: string) {
      const child = start(file)
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text) => {
        stdout += text
      })
      child.stderr.on('data', (text) => {
        stderr += text
      })
      const [code] = await once(child, 'close')
      expect(stderr).toMatch(/^(\d+ of \d+ rows were rejected\. .*\n)?$/)
      return { code, report: JSON.parse(stdout) }
    },
  }
}
