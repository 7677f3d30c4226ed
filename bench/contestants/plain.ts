import { createKeyring } from '../../src/organizations/keyring.ts'
import { buildPlain, openPlainPool } from '../plain/app.ts'
import type { PlainSettings } from './start.ts'

/** The straightforward server as a process of its own. */
process.once('message', async ({ database, masterKey, poolSize }: PlainSettings) => {
  const pool = openPlainPool({ ...database, user: 'postgres', max: poolSize })
  const app = buildPlain(pool, createKeyring([Buffer.from(masterKey, 'hex')]))
  process.send!({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
})
process.once('disconnect', () => process.exit())
