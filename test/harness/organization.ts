import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import type { Permission } from '../../src/contract/caller.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { testKeyring } from './keyring.ts'
import type { Answer, Credentials, TestServer } from './server.ts'

export interface TestOrganization {
  corp_id: string
  /** An account that is granted this organization only. */
  account: Credentials
  /** A token of that account. */
  token: string
  /** Calls an operation on this organization. */
  call(endpoint: Endpoint, input?: Record<string, unknown>): Promise<Answer>
}

/** A new organization of the server, with an account that has every permission except admin. */
export async function openOrganization(
  server: TestServer,
  time_zone = 'UTC',
  permissions?: Permission[],
): Promise<TestOrganization> {
  const corp_id = newId()
  const { owner } = server.database
  await createOrganization(owner, { corp_id, name: `Organization in ${time_zone}`, time_zone }, new Date())
  const wanted = { name: 'Tester', corp_ids: [corp_id], ...(permissions && { permissions }) }
  const account = await createAccount(owner, testKeyring, wanted, new Date())
  const token = await server.tokenOf(account)
  return {
    corp_id,
    account,
    token,
    call: (endpoint, input = {}) => server.call(endpoint, { corp_id, ...input }, { token }),
  }
}
