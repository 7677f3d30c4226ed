// The checks before the tests. Prints one line per step, and the output of a step that fails; later steps do not start.
// Plain JavaScript for any Node from 20. The steps run on the Node among the packages.
import { execFile } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${packages}${delimiter}${process.env.PATH}` }

const steps = [
  ['format, lint and boundaries', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']],
  ['module plan', 'node', ['scripts/modules.ts']],
  ['types', 'tsc', ['--noEmit', '--checkers', '1']],
  ['types of the console', 'tsc', ['--noEmit', '--checkers', '1', '--project', 'console']],
  ['types of the client', 'tsc', ['--noEmit', '--checkers', '1', '--project', 'packages/client']],
  ['words of the console', 'node', ['scripts/check-words.ts']],
  ['words of the service', 'node', ['scripts/check-service-words.ts']],
  ['words that must not come back', 'node', ['scripts/check-prose.ts']],
  ['paths in documents', 'node', ['scripts/check-docs.ts']],
  ['nothing unused', 'knip', []],
  ['hashes of packages', 'node', ['scripts/check-lock-file.ts']],
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
  ['API description', 'node', ['scripts/lint-openapi.ts']],
]

// Two at a time, because most steps use one core. More than one type checker would repeat most of the work.
let hasFailed = false
await Promise.all([runSteps(), runSteps()])
if (hasFailed) process.exit(1)

async function runSteps() {
  while (steps.length > 0 && !hasFailed) await runStep(...steps.shift())
}

async function runStep(title, command, args) {
  const started = performance.now()
  const options = { cwd: root, env, shell: process.platform === 'win32', maxBuffer: Number.POSITIVE_INFINITY }
  const failure = await promisify(execFile)(command, args, options).then(
    () => undefined,
    (error) => error,
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${failure ? '✗' : '✓'} ${title} (${command}) ${seconds} s`)
  if (!failure) return
  hasFailed = true
  process.stderr.write(`${failure.stdout}${failure.stderr}` || `${failure.message}\n`)
}
