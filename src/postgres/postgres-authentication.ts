import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appRole } from '../database/migrate.ts'
import { OWNER_ROLE } from './matricula-roles.ts'
import { currentUserName, type PostgresCluster } from './postgres-cluster.ts'

const ROLES = ['postgres', OWNER_ROLE, appRole]

/** Lets only the operating-system user of this process in, under our three roles and without passwords. */
export async function writeAuthentication(cluster: PostgresCluster): Promise<void> {
  const user = currentUserName()
  await replaceFile(cluster, 'pg_ident.conf', ROLES.map((role) => `matricula "${user}" ${role}\n`).join(''))
  await replaceFile(
    cluster,
    'pg_hba.conf',
    `local all ${ROLES.join(',')} peer map=matricula\nlocal all all reject\n`,
  )
}

// Root writes into a folder of another user here, who may have placed a link to a file of root:
// a new file under a new name never follows one.
async function replaceFile({ dir, user }: PostgresCluster, name: string, content: string): Promise<void> {
  const temporary = join(dir, `${name}.${randomBytes(4).toString('hex')}`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    if (user) await handle.chown(user.uid, user.gid)
    await handle.sync()
    await rename(temporary, join(dir, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
