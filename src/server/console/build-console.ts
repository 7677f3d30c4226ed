import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import {
  buildHomes,
  consoleFolder,
  consoleVersion,
  exists,
  findBuild,
  packagesSuffix,
} from './console-build.ts'
import { packageFolders, packPackage } from './pack-package.ts'

/** Builds the console and the packages for integrators if there is no build of these sources. Returns its folder. */
export async function buildConsole(dataDir: string): Promise<string> {
  const known = await findBuild(dataDir)
  if (known) return known
  const home = await writableHome(dataDir)
  const version = await consoleVersion()
  // First, because packing takes a second.
  await make(join(home, `${version}${packagesSuffix}`), packInto)
  await make(join(home, version), async (folder) => {
    await bundleInto(folder)
    await compressIn(join(folder, 'assets'))
  })
  await forgetOldBuilds(home)
  return (await findBuild(dataDir))!
}

/** Concurrent builds use separate folders. A kill half-way leaves nothing that looks like a build. */
async function make(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const making = await mkdtemp(join(folder, '../making-'))
  try {
    await fill(making)
    await rename(making, folder).catch(async (error) => {
      if (!(await exists(folder))) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

async function writableHome(dataDir: string): Promise<string> {
  const homes = buildHomes(dataDir)
  for (const home of homes) {
    try {
      await mkdir(home, { recursive: true })
      await rm(await mkdtemp(join(home, 'trying-')), { recursive: true })
      return home
    } catch {
      // Another user may own the checkout.
    }
  }
  throw new Error(`None of these folders can be written to: ${homes.join(', ')}.`)
}

async function bundleInto(outDir: string): Promise<void> {
  // Loaded only for a build.
  const { build } = await import('vite')
  await build({
    configFile: join(consoleFolder, 'vite.config.ts'),
    configLoader: 'native',
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
}

const compressible = /\.(js|css|svg)$/

/** Compresses the files once, with the best compression. */
async function compressIn(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name))
  for (const name of names) {
    const content = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
  }
}

async function packInto(folder: string): Promise<void> {
  for (const [name, source] of Object.entries(packageFolders))
    await writeFile(join(folder, name), await packPackage(source))
}

/** Keeps other builds: a server of an earlier version may still serve one. */
const mostBuilds = 4

async function forgetOldBuilds(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => /^[0-9a-f]{16}$/.test(name))
  const aged = await Promise.all(
    names.map(async (name) => ({ name, mtimeMs: (await stat(join(home, name))).mtimeMs })),
  )
  const old = aged.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(mostBuilds)
  for (const { name } of old)
    for (const suffix of ['', packagesSuffix])
      await rm(join(home, `${name}${suffix}`), { recursive: true, force: true })
}
