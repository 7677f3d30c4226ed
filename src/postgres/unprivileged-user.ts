import { readFile } from 'node:fs/promises'

/** The operating-system user a child process runs as. */
export interface SystemUser {
  uid: number
  gid: number
}

const CANDIDATES = ['matricula', 'postgres', 'nobody']

/** PostgreSQL refuses to run as root, so root chooses another user. Other users run it themselves. */
export async function pickUnprivilegedUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  for (const name of CANDIDATES) {
    const user = users.get(name)
    if (user && user.uid !== 0) return user
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and none of the users matricula, postgres and nobody exists; ' +
      'create the user matricula, or set DATABASE_URL to use another PostgreSQL.',
  )
}

function parsePasswd(text: string): Map<string, SystemUser> {
  const users = new Map<string, SystemUser>()
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && uid && gid && !users.has(name)) users.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  return users
}
