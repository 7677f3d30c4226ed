// The gate before the tests: one line per step, stopping at the first that fails, with its output.
// Plain JavaScript that any Node from 20 runs; the steps themselves run on the Node among the packages.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${packages}${delimiter}${process.env.PATH}` }

const steps = [
  ['format, lint and boundaries', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']],
  ['types', 'tsc', ['--noEmit']],
  ['types of the console', 'tsc', ['--noEmit', '--project', 'console']],
  ['words of the console', 'node', ['scripts/check-words.ts']],
  ['nothing unused', 'knip', []],
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
  ['API description', 'node', ['scripts/lint-openapi.ts']],
]

for (const [title, command, args] of steps) {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const passed = status === 0
  console.log(`${passed ? '✓' : '✗'} ${title} (${command}) ${seconds} s`)
  if (!passed) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
    process.exit(1)
  }
}
