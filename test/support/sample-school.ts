import { pino } from 'pino'
import { loadPresentSample } from '../../sample/first-start.ts'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { permissions } from '../../src/contract/caller.ts'
import { maintainOnce } from '../../src/maintenance.ts'
import { testKeyring } from '../harness/keyring.ts'
import { type Credentials, startTestServer, type TestServer } from '../harness/server.ts'

/** The sample school as a first start loads it, with the work of its offices. */
export interface SampleSchool {
  server: TestServer
  corp_id: string
  /** An account with all permissions. */
  openAccount(): Promise<Credentials>
}

export async function startSampleSchool(): Promise<SampleSchool> {
  const server = await startTestServer('matricula', { publicUrl: new URL('http://localhost:8080') })
  const { owner } = server.database
  const { corp_id } = await loadPresentSample(owner, testKeyring, async () => {})
  // The uploaded file is planned in the background.
  await maintainOnce(owner, new Date(), pino({ level: 'silent' }), new AbortController().signal, testKeyring)
  const wanted = { name: 'Integrator', corp_ids: [corp_id], permissions: [...permissions, 'admin' as const] }
  return {
    server,
    corp_id,
    openAccount: () => createAccount(owner, testKeyring, wanted, new Date()),
  }
}
