import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { root } from './console-build.ts'

/** Folders of the packages for integrators, by the name of the file that npm installs. */
export const packageFolders: Record<string, string> = {
  'matricula-client.tgz': 'packages/client',
  'matricula-conformance.tgz': 'packages/conformance',
}

interface Manifest {
  bin?: Record<string, string>
  exports?: Record<string, string>
  [member: string]: unknown
}

/**
 * Packs a package as npm does: a bundle of each source that its manifest names, and declarations of what it exports. The
 * manifest in the repository names sources, the one in the archive the files made from them.
 */
export async function packPackage(folder: string): Promise<Buffer> {
  const path = join(root, folder)
  const { bin, exports, ...manifest }: Manifest = JSON.parse(
    await readFile(join(path, 'package.json'), 'utf8'),
  )
  const entries = [...Object.values(bin ?? {}), ...Object.values(exports ?? {})].filter(isSource)
  const packed = {
    ...manifest,
    ...(bin && { bin: mapValues(bin, bundleOf) }),
    ...(exports && { exports: mapValues(exports, exportOf) }),
  }
  const files = new Map([
    ['package.json', `${JSON.stringify(packed, null, 2)}\n`],
    ['README.md', await readFile(join(path, 'README.md'), 'utf8')],
    ['LICENSE', await readFile(join(root, 'LICENSE'), 'utf8')],
  ])
  for (const entry of entries) files.set(bundleOf(entry), await bundled(join(path, entry)))
  if (exports)
    for (const [name, text] of await declarationsOf(join(path, 'src'))) files.set(`dist/${name}`, text)
  return promisify(gzip)(archiveOf(files), { level: 9 })
}

function isSource(path: string): boolean {
  return path.endsWith('.ts')
}

/** `./src/index.ts` becomes `dist/index.js`. */
function bundleOf(source: string): string {
  return source.replace(/^(\.\/)?src\/(.+)\.ts$/, 'dist/$2.js')
}

function exportOf(path: string): string | { types: string; default: string } {
  const bundle = `./${bundleOf(path)}`
  return isSource(path) ? { types: bundle.replace(/js$/, 'd.ts'), default: bundle } : path
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

async function bundled(entry: string): Promise<string> {
  // Loaded only for a build.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: entry, platform: 'node', external: /^node:/ })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

async function declarationsOf(folder: string): Promise<[name: string, text: string][]> {
  const { isolatedDeclaration } = await import('rolldown/experimental')
  const names = await Array.fromAsync(glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }))
  return Promise.all(
    names.toSorted().map(async (name): Promise<[string, string]> => {
      const { code, errors } = await isolatedDeclaration(name, await readFile(join(folder, name), 'utf8'))
      if (errors[0]) throw new Error(`${name}: ${errors[0].message}`)
      return [name.replace(/ts$/, 'd.ts'), code.replaceAll(/(from ["']\.[^"']*)\.ts(["'])/g, '$1.js$2')]
    }),
  )
}

const blockSize = 512
/** The time of all files, as npm sets it: equal sources make equal archives. */
const mtime = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** An archive of the format ustar. */
function archiveOf(files: Map<string, string>): Buffer {
  const blocks = [...files].flatMap(([name, text]) => {
    const content = Buffer.from(text)
    const rest = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)
    return [headerOf(`package/${name}`, content.length), content, rest]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)])
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockSize)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(name, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(mtime, 11), 136)
  // The sum is taken with spaces in its own place.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}
