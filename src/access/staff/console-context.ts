import type { Queryable } from '../../database/database.ts'
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
  /**
   * A handle on an organization, or on a credential where the organization is not known yet; in the name of nobody, or
   * of the member of staff who has proved to be there.
   */
  of(scope: string, staff_id?: string): Queryable
  /** What the browser is to keep from now on; null: nothing more. */
  keepSession(token: string | null): void
  /** Throws from the catalogue where nobody has said which address is ours. */
  site(): Site
  /** What the browser keeps while somebody is at the provider of their organization. */
  ticket: string | undefined
  keepTicket(ticket: string | null): void
}

declare module '../../contract/endpoint.ts' {
  interface PublicContext {
    door: Door
  }
  interface OrganizationContext {
    /** The role of a member of staff. Undefined for a program, which is limited by its permissions alone. */
    role: Role | undefined
    /** What seals secrets, and the key by which erased people are recognised. */
    keyring: Keyring
    /** Whether providers may be in private networks; of operations of the console only. */
    allowsPrivateProviders?: boolean
    /** The name servers that domains are looked up by, empty for those of the system; of operations of the console only. */
    dnsServers?: string[]
    /** Where the browser sees us; of operations of the console only. Throws where nobody has said which address is ours. */
    site?(): Site
  }
  interface StaffContext {
    staff: StaffCaller
    door: Door
    auth: Auth
    address: string
  }
}
