import {
  createAccount,
  endAccount,
  type WantedAccount,
} from '../../src/access/organizations/manage-accounts.ts'
import { type Permission, permissions } from '../../src/contract/caller.ts'
import type { HttpOptions } from '../../src/server/http-server.ts'
import { testKeyring } from '../harness/keyring.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { foundSchool, type School, sampleSchool, stockOrders } from './school.ts'

/** The server, two schools, and callers of every kind. */
export interface Stage {
  server: TestServer
  school: School
  otherSchool: School
  tokens: {
    /** Granted the sample school. */
    sample: string
    /** Granted both schools. */
    both: string
    /** Granted the other school only. */
    stranger: string
    revoked: string
    /** All permissions but the one. */
    lacking: Record<Permission, string>
  }
}

/** Calls on the other school are few. */
const otherStockSize = 50

export async function setStage(options: Partial<HttpOptions> = {}, stockSize = 200): Promise<Stage> {
  const server = await startTestServer('sample', {
    ...{ publicUrl: new URL('http://localhost:8080'), sendsMail: true },
    ...options,
  })
  const school = await sampleSchool(server)
  const otherSchool = await foundSchool(server)
  school.stock = await stockOrders(server, school, stockSize)
  otherSchool.stock = await stockOrders(server, otherSchool, otherStockSize)
  const tokenFor = async (wanted: Omit<WantedAccount, 'name'>) => {
    const account = await createAccount(
      server.database.owner,
      testKeyring,
      { name: 'Test', ...wanted },
      new Date(),
    )
    return { app_id: account.app_id, token: await server.tokenOf(account) }
  }
  const here = { corp_ids: [school.corp_id] }
  const revoked = await tokenFor(here)
  await endAccount(server.database.owner, revoked.app_id, new Date())
  const lacking = permissions.map(async (permission) => {
    const { token } = await tokenFor({
      ...here,
      permissions: permissions.filter((other) => other !== permission),
    })
    return [permission, token]
  })
  const tokens = {
    sample: await server.tokenOf(server.sample),
    both: (await tokenFor({ corp_ids: [school.corp_id, otherSchool.corp_id] })).token,
    stranger: (await tokenFor({ corp_ids: [otherSchool.corp_id] })).token,
    revoked: revoked.token,
    lacking: Object.fromEntries(await Promise.all(lacking)),
  }
  server.forgetAccounts()
  return { server, school, otherSchool, tokens }
}
