import { levels } from '../../packages/conformance/src/check.ts'
import { type Report, type RunOptions, runChecks } from '../../packages/conformance/src/run.ts'
import { type Credentials, startTestServer, type TestServer } from '../harness/server.ts'
import { startFeed } from './feed-loop.ts'
import { startMutatingProxy } from './mutating-proxy.ts'
import type { Mutation } from './mutation.ts'
import { orderMutations } from './order-mutations.ts'
import { peopleMutations } from './people-mutations.ts'
import { feedMutations, serviceMutations } from './service-mutations.ts'
import { tagMutations, tokenMutations } from './token-and-tag-mutations.ts'

const all = [
  ...tokenMutations,
  ...tagMutations,
  ...peopleMutations,
  ...orderMutations,
  ...serviceMutations,
  ...feedMutations,
]

/** Every mutation, with a title. */
export const mutations = all.map((mutation) => ({
  title: `${mutation.of ?? 'every call'}: ${mutation.what}`,
  mutation,
}))

export interface BrokenServer {
  server: TestServer
  /** The kit against the server, through a proxy that changes one thing, or nothing. */
  run(mutation?: Mutation, options?: Partial<RunOptions>, account?: Credentials): Promise<Report>
  close(): Promise<void>
}

export async function startBrokenServer(): Promise<BrokenServer> {
  const server = await startTestServer()
  const feed = startFeed(server)
  const proxy = await startMutatingProxy(server.url)
  return {
    server,
    async run(mutation, options, { app_id, user_api_secret } = server.sample) {
      proxy.mutate(mutation)
      return runChecks({
        ...{ baseUrl: proxy.url, appId: app_id, secret: user_api_secret, corpId: server.sample.corp_id },
        ...{ readOnly: false, levels, ...(mutation && { only: mutation.only }) },
        ...options,
      })
    },
    async close() {
      await proxy.close()
      await feed.stop()
      await server.close()
    },
  }
}
