import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const parts = [
  'src',
  'schema',
  'sample',
  'console',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Releases are compatible with the next one: the migration only adds, and names the oldest writer. */
export const expand = '-- Oldest writer: schema 1.\nalter table users add column nickname text;\n'
/** Removes what older versions write. */
export const contract = 'alter table users drop column nickname;\n'

/** Creates a later release in the folder: this code with further migrations. Returns its program. */
export async function releaseWith(folder: string, migrations: Record<string, string>): Promise<string> {
  await mkdir(join(folder, 'migrations'), { recursive: true })
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(folder, 'migrations', `${file}.sql`), text)
  return join(folder, 'src/main.ts')
}
