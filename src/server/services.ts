import type { Auth } from '../access/tokens/auth.ts'
import type { ErasureList } from '../changes/erasure/publish-erasures.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../database/replicas.ts'
import type { ServerMemory } from './server-memory.ts'

/** What the composition root hands to the server. */
export interface Services {
  db: Database
  /** Absent: everything is read from the primary. */
  replicas?: Replicas
  auth: Auth
  memory: ServerMemory
  now(): Date
  newId(): string
  /** The number of the schema that this version works with. */
  wantedSchema: number
  /** True from the moment the server is asked to stop. */
  isDraining(): boolean
  /** Whether connections are to be closed after their next answer. */
  isLeaving(): boolean
  /** Absent: nobody keeps a list of erasures outside the database. */
  erasureList?: ErasureList
  /** What /metrics answers; absent: the metrics of this process are all there are. */
  metricsOfAll?(): Promise<string>
}
