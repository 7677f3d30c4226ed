import type { AuditNote } from '../database/audit-notes.ts'
import type { Queryable } from '../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import type { Auth } from '../tokens/auth.ts'
import type { Role } from './roles.ts'
import type { StaffCaller } from './sessions.ts'

/** Where the browser sees us: what passkeys and providers are bound to. */
export interface Site {
  origin: string
  /** The host name alone. */
  rpId: string
}

/** What operations of the console use to let people in and out. */
export interface Door {
  /** Staff and their links. */
  people: Queryable
  /** Notes something in the audit of an organization, by whoever has turned out to be there. */
  note(corp_id: string, note: AuditNote, staff_id?: string): Promise<void>
  /** What the browser is to keep from now on; null: nothing more. */
  keepSession(token: string | null): void
  /** Throws from the catalogue where nobody has said which address is ours. */
  site(): Site
  /** What the browser keeps while somebody is at the provider of their organization. */
  ticket: string | undefined
  keepTicket(ticket: string | null): void
}

declare module '../contract/endpoint.ts' {
  interface PublicContext {
    door: Door
  }
  interface OrganizationContext {
    /** What the caller works as in the organization; undefined for an account. */
    role?: Role
    /** What seals secrets, and the key by which erased people are recognised. */
    keyring: Keyring
    /** Whether providers may be in private networks; of operations of the console only. */
    allowsPrivateProviders?: boolean
  }
  interface StaffContext {
    staff: StaffCaller
    door: Door
    auth: Auth
    address: string
  }
}
