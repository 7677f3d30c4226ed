import { createKeyring } from '../src/access/organizations/keyring.ts'
import { findOrganizations } from '../src/access/organizations/organization-store.ts'
import { importLeadFile } from '../src/changes/lead-import/import-lead-file.ts'
import { programAccount } from '../src/contract/caller.ts'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase } from '../src/database/database.ts'
import type { PostgresAddress } from '../src/postgres/embedded-postgres.ts'
import { createCursors } from '../src/search/cursors.ts'

/** The first argument of the process, as JSON. */
export interface FileToImport {
  database: PostgresAddress
  corp_id: string
  file: string
  dryRun: boolean
}

/** The messages of the process: its progress, and finally the outcomes of the rows. */
export type Told =
  | { done: number; memoryMb: number }
  | { rows: Record<string, number>; batch_id: string | null; was_resumed: boolean }

/** A separate process, like the command line: it can be killed, and its memory can be measured alone. */
const { database, corp_id, file, dryRun }: FileToImport = JSON.parse(process.argv[2]!)
const db = openDatabase(database)
const [organization] = await findOrganizations(db.shared, [corp_id])
const context = {
  ...{ db: db.of(corp_id), organization: organization!, account: programAccount('bench', 'Bench') },
  ...{ now: new Date(), newId, cursors: createCursors(), role: undefined, reach: 'everyone' as const },
  keyring: createKeyring([Buffer.alloc(32)]),
}
const tell = (told: Told) => process.send!(told)
const { rows, batch_id, was_resumed } = await importLeadFile(context, file, {
  dryRun,
  onProgress: (_bytes, _total, done) => tell({ done, memoryMb: process.memoryUsage.rss() / 2 ** 20 }),
})
tell({ rows: { ...rows }, batch_id, was_resumed })
await db.close()
process.disconnect?.()
