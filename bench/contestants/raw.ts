import pg from 'pg'
import type { PostgresAddress } from '../../src/postgres/embedded-postgres.ts'

export interface RawRun {
  database: PostgresAddress
  list: string
  pageSize: number
  pages: number
  connections: number
  seconds: number
}

/** Joins stored texts of pages from PostgreSQL in Node, without HTTP and without finding the rows. */
process.on('message', async ({ database, list, pageSize, pages, connections, seconds }: RawRun) => {
  const start = performance.now()
  const end = start + seconds * 1000
  let read = 0
  const work = async (first: number) => {
    const client = new pg.Client({ ...database, user: 'postgres' })
    await client.connect()
    for (let page = first; performance.now() < end; page++) {
      const { rows } = await client.query({
        name: 'page',
        text: 'select row from bench_rows where list = $1 and n >= $2 and n < $3 order by n',
        values: [list, (page % pages) * pageSize, ((page % pages) + 1) * pageSize],
        rowMode: 'array',
      })
      const text = Buffer.from(`[${rows.join(',')}]`)
      if (text.length > 2) read++
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)))
  process.send!({ perSecond: (read * 1000) / (performance.now() - start), failed: 0 })
})
process.once('disconnect', () => process.exit())
