import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const clientFolder = join(import.meta.dirname, '..')
const root = join(clientFolder, '../..')
const run = promisify(execFile)
const bin = join(root, 'node_modules/.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }

export interface Consumer {
  folder: string
  /** The packed client. */
  tarball: string
  /** Type-checks and compiles the sources of the project into out/. Answers the errors. */
  compile(): Promise<string>
  remove(): Promise<void>
}

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  rootDir: '.',
  outDir: 'out',
  noEmitOnError: true,
}

/** An empty project with the client as the server at the address packs it, its examples, and the programs of its README. */
export async function makeConsumer(url: string): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-client-'))
  const tarball = join(folder, 'matricula-client.tgz')
  const packed = await fetch(`${url}/packages/matricula-client.tgz`)
  await writeFile(tarball, await packed.bytes())
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  const examples = await readdir(join(clientFolder, 'examples'))
  for (const name of examples) await copyFile(join(clientFolder, 'examples', name), join(folder, name))
  const readme = await readFile(join(clientFolder, 'README.md'), 'utf8')
  for (const [n, [, code]] of [...readme.matchAll(/^ *```ts\n([\s\S]*?)```/gm)].entries())
    await writeFile(join(folder, `readme-${n}.ts`), code!)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  return { folder, tarball, compile: () => compile(folder), remove: () => rm(folder, { recursive: true }) }
}

/** The sources of the client beside nothing else, to change and to compile. */
export async function copySources(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-client-source-'))
  await mkdir(join(folder, 'src/generated'), { recursive: true })
  for (const name of await readdir(join(clientFolder, 'src')))
    if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
      await copyFile(join(clientFolder, 'src', name), join(folder, 'src', name))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'src/generated', name), text)
  await copyFile(join(clientFolder, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  return folder
}

/** Answers the errors of the compiler. */
export async function compile(folder: string): Promise<string> {
  return run('tsc', ['--project', folder, '--checkers', '1'], { env }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

/** The Node of this test, and others that are on the path, by major version. */
export async function nodesHere(): Promise<Map<string, string>> {
  const found = new Map([[process.versions.node.split('.')[0]!, process.execPath]])
  for (const folder of (process.env.PATH ?? '').split(':')) {
    const node = join(folder, 'node')
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }))
    const [, major] = /^v(\d+)/.exec(stdout) ?? []
    if (major !== undefined && Number(major) >= 20 && !found.has(major)) found.set(major, node)
  }
  return found
}
