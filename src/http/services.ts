import type { Database } from '../database/database.ts'
import type { Authority } from '../tokens/authority.ts'

/** What the composition root hands to the server. */
export interface Services {
  db: Database
  authority: Authority
  now(): Date
  newId(): string
  /** The number of the schema that this version works with. */
  wantedSchema: number
  /** True from the moment the server is asked to stop. */
  isDraining(): boolean
}
