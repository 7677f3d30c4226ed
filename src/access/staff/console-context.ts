import type { Queryable } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import type { Auth } from '../tokens/auth.ts'
import type { Role } from './roles.ts'
import type { StaffCaller } from './sessions.ts'

/** The public address of the service. Passkeys and providers are bound to it. */
export interface Site {
  origin: string
  /** The host name alone. */
  rpId: string
}

/** Database handles and cookies for operations that sign people in and out. */
export interface ConsoleAccess {
  /**
   * A handle for an organization, or for a credential (credentialScope) while the organization is unknown. The audit names
   * the member of staff, once they have proved who they are.
   */
  of(scope: string, staff_id?: string): Queryable
  /** Sets the session cookie; null deletes it. */
  keepSession(token: string | null): void
  /** Throws siteUnknown if the public address of the service is not configured. */
  site(): Site
  /** The cookie that the browser keeps during a sign-in at the provider of an organization. */
  ticket: string | undefined
  keepTicket(ticket: string | null): void
}

declare module '../../contract/endpoint.ts' {
  interface PublicContext {
    access: ConsoleAccess
  }
  interface OrganizationContext {
    /** The role of a member of staff. Undefined for a program, which is limited by its permissions alone. */
    role: Role | undefined
    /** Seals secrets, and derives the key that recognises erased people. */
    keyring: Keyring
    /** Whether providers may be in private networks. Operations of the console only. */
    allowsPrivateProviders?: boolean
    /** The name servers for domain lookups; empty: those of the system. Operations of the console only. */
    dnsServers?: string[]
    /** The public address of the service; throws siteUnknown if it is not configured. Operations of the console only. */
    site?(): Site
  }
  interface StaffContext {
    staff: StaffCaller
    access: ConsoleAccess
    auth: Auth
    address: string
  }
}
