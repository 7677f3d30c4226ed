import { createAccount } from '../../../src/access/organizations/manage-accounts.ts'
import type { Permission } from '../../../src/contract/caller.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization } from '../../../test/harness/organization.ts'
import type { Credentials, TestServer } from '../../../test/harness/server.ts'
import { Matricula, type MatriculaOptions } from '../src/index.ts'

export interface ClientSchool {
  corp_id: string
  account: Credentials
  /** A client of the school. */
  client(options?: Partial<MatriculaOptions>): Matricula
}

/** An organization of its own, and clients of an account that signs what moves money. */
export async function openClientSchool(
  server: TestServer,
  time_zone = 'UTC',
  time_stamps = 'once',
): Promise<ClientSchool> {
  const { corp_id } = await openOrganization(server, time_zone)
  const permissions: Permission[] = ['read', 'write', 'finance', 'admin']
  const wanted = {
    name: 'Client',
    corp_ids: [corp_id],
    permissions,
    rate_limit_per_minute: null,
    signs_money: true,
    time_stamps,
  }
  const account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const { app_id, user_api_secret } = account
  return {
    corp_id,
    account,
    client: (options) =>
      new Matricula({
        baseUrl: server.url,
        appId: app_id,
        secret: user_api_secret,
        corpId: corp_id,
        ...options,
      }),
  }
}
