import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, glob, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { catalogue } from '../../endpoints.ts'

export const root = join(import.meta.dirname, '../../..')
export const consoleFolder = join(root, 'console')

/**
 * Folders of builds, each named after the version of its sources: next to the packages, or in the data folder if that is
 * read-only.
 */
export function buildHomes(dataDir: string): string[] {
  return [join(root, 'node_modules/.cache/matricula-console'), join(dataDir, 'console')]
}

/** The build of these sources. Undefined if there is none yet. */
export async function findBuild(dataDir: string): Promise<string | undefined> {
  const version = await consoleVersion()
  for (const home of buildHomes(dataDir))
    if (await exists(join(home, version, 'index.html'))) return join(home, version)
  return undefined
}

/** Of the folder with the packages for integrators, next to the build of the console. */
export const packagesSuffix = '-packages'

/** A package for integrators. Undefined while it is not packed. */
export async function readPackage(dataDir: string, name: string): Promise<Buffer | undefined> {
  const version = await consoleVersion()
  for (const home of buildHomes(dataDir)) {
    const file = join(home, `${version}${packagesSuffix}`, name)
    if (await exists(file)) return readFile(file)
  }
  return undefined
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

let version: Promise<string> | undefined

/** The version of a build: a hash of sources and packages, and the path of the operations. */
export function consoleVersion(): Promise<string> {
  version ??= hashOfSources()
  return version
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const patterns = [
    'console/{src/**/*.*,*.html,*.ts,package.json}',
    'docs/pictures/**/*.{png,webp}',
    'packages/*/{src/**/*.ts,package.json,README.md}',
  ]
  const sources = await Array.fromAsync(glob(patterns, { cwd: root, exclude: ['**/*.test.ts'] }))
  const contents = await Promise.all(
    [...sources.sort(), 'package-lock.json'].map(async (path) => [path, await readFile(join(root, path))]),
  )
  for (const [path, content] of contents) hash.update(`${path}\0${content!.length}\0`).update(content!)
  for (const { id, method, path, scope } of catalogue) hash.update(`${id} ${method} ${path} ${scope}\n`)
  return hash.digest('hex').slice(0, 16)
}

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
