import type { Auth } from '../access/tokens/auth.ts'
import type { ErasureList } from '../changes/erasure/publish-erasures.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../database/replicas.ts'
import type { ServerMemory } from './server-memory.ts'

/** Dependencies of the server, made by the composition root. */
export interface Services {
  db: Database
  /** Absent: all reads use the primary. */
  replicas?: Replicas
  auth: Auth
  memory: ServerMemory
  now(): Date
  newId(): string
  /** The schema version that this release needs. */
  wantedSchema: number
  /** Whether the server was asked to stop. */
  isDraining(): boolean
  /** Whether connections close after their next response. */
  isLeaving(): boolean
  /** Absent: there is no list of erasures outside the database. */
  erasureList?: ErasureList
  /** The metrics of all processes. Absent: this is the only process. */
  metricsOfAll?(): Promise<string>
}
