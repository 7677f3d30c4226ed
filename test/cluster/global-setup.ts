import type { TestProject } from 'vitest/node'
import { distribute } from '../../src/database/distribute.ts'
import { createAuditor, makeSchema, refuseUsed, withClient } from './prepare.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a coordinator; absent where the tests run on the embedded PostgreSQL. */
    cluster?: string
  }
}

/** Every node has several. More take longer to create and to empty, and show nothing else. */
const shards = '-c citus.shard_count=8'

/** Recreates the schema of a cluster and distributes it. The test files use it one after the other. */
export default async function setup(project: TestProject) {
  const { DATABASE_URL: url } = process.env
  if (!url) throw new Error('The tests of a cluster need DATABASE_URL, the address of a Citus coordinator.')
  const engine = await withClient({ connectionString: url }, async (client) => {
    await refuseUsed(client)
    await makeSchema(client, url)
    await distribute({ connectionString: url, options: shards })
    await createAuditor(client)
    const { rows } = await client.query(
      `select extversion || ' on PostgreSQL ' || current_setting('server_version') || ', ' ||
              (select count(*) from pg_dist_node where shouldhaveshards) || ' nodes with data' as name
         from pg_extension where extname = 'citus'`,
    )
    return rows[0].name
  })
  project.provide('cluster', url)
  return () => console.log(`\nAll of this ran on Citus ${engine}.`)
}
