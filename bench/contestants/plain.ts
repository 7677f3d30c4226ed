import { createKeyring } from '../../src/access/organizations/keyring.ts'
import { buildPlain, openPlainPool } from '../plain/app.ts'
import { onEveryCore } from './every-core.ts'
import type { PlainSettings } from './start.ts'

/** The plain server in separate processes. */
onEveryCore<PlainSettings>(async ({ database, masterKey, poolSize, logFile }) => {
  const pool = openPlainPool({ ...database, user: 'postgres', max: poolSize })
  const app = buildPlain(pool, createKeyring([Buffer.from(masterKey, 'hex')]), logFile)
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }) }
})
