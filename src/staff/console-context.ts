import type { Queryable } from '../database/database.ts'
import type { Auth } from '../tokens/auth.ts'
import type { StaffCaller } from './sessions.ts'

/** What operations of the console use to let people in and out. */
export interface Door {
  /** Staff and their links. */
  people: Queryable
  /** What the browser is to keep from now on; null: nothing more. */
  keepSession(token: string | null): void
}

declare module '../contract/endpoint.ts' {
  interface PublicContext {
    door: Door
  }
  interface StaffContext {
    staff: StaffCaller
    door: Door
    auth: Auth
    address: string
  }
}
