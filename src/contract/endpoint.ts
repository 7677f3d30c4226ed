import type { Static, TObject, TSchema } from 'typebox'
import type { Account, Organization, Permission } from './caller.ts'
import type { ErrorName, InputFault } from './errors.ts'
import type { Guard, Reach } from './guard.ts'
import type { RenderedJson } from './rendered-json.ts'

/**
 * What every use case is given. Time and ids arrive here, so that tests can set them. A feature whose operations need more
 * declares it on these interfaces, in the file that makes it: contracts know no feature.
 */
export interface Context {
  now: Date
  newId(): string
}

/** What an operation is given that needs no token: where the call came from. */
export interface PublicContext extends Context {
  address: string
}

export interface AccountContext extends Context {
  account: Account
}

/** What an operation for whoever is signed in to the console is given. */
export interface StaffContext extends Context {}

/** What a use case on an organization's records is given. */
export interface OrganizationContext extends AccountContext {
  organization: Organization
  /** Whose records the caller may touch, as the guard declares it. */
  reach: Reach
}

interface Contract<Scope extends string, Handed, Input extends TObject, Data extends TSchema> {
  id: string
  scope: Scope
  method: 'GET' | 'POST'
  path: `/api/v5/${string}`
  /** The group of the interface it stands in. */
  group:
    | 'Tokens'
    | 'Tag groups'
    | 'User tags'
    | 'Users'
    | 'Orders'
    | 'Leads'
    | 'Offerings'
    | 'Finance'
    | 'Numbers'
    | 'Console'
    | 'Changes'
    | 'Audit'
    | 'Privacy'
  /** The service version that brought the operation. */
  since: `Ver5.${string}`
  /** What an account needs to call it; the token operations need none. */
  permission?: Permission
  /** What staff need, where it is more than programs need. */
  staffPermission?: Permission
  /** What it does, and to whom. */
  guard: Guard
  /**
   * Whether the use case waits for servers of others. It then runs in no transaction, which would hold a connection while it
   * waits; so an Idempotency-Key does nothing, and a repeated call must be harmless.
   */
  callsOut?: true
  /** Whether accounts that sign their calls have to sign this one. */
  movesMoney?: true
  summary: string
  description?: string
  input: Input
  /** The members that make a call, where those that are always required are not enough: one of these sets. */
  oneOfSets?: Extract<keyof Static<Input>, string>[][]
  /** An empty text or list in an optional member of the body counts as left out, as null does everywhere. */
  emptyIsAbsent?: true
  /** A list whose items are checked one by one by the use case, since each has an outcome of its own. */
  outcomePerItem?: Extract<keyof Static<Input>, string>
  /** What the shape of the input cannot say: every breach, by parameter. */
  rules?(input: Partial<Static<Input>>, isSent: (name: string) => boolean): InputFault[]
  data: Data
  /** A call and its answer, for the documentation; tests hold both against the contract. */
  example: { input: Static<Input>; data: Static<Data> }
  /** The failures of its own, beside those that every operation shares. */
  errors?: ErrorName[]
  handle(context: Handed, input: Static<Input>): Promise<Static<Data> | RenderedJson>
}

export type PublicEndpoint<I extends TObject = TObject, D extends TSchema = TSchema> = Contract<
  'public',
  PublicContext,
  I,
  D
>
type AccountEndpoint<I extends TObject = TObject, D extends TSchema = TSchema> = Contract<
  'account',
  AccountContext,
  I,
  D
>
type StaffEndpoint<I extends TObject = TObject, D extends TSchema = TSchema> = Contract<
  'staff',
  StaffContext,
  I,
  D
>
/** An operation on the records of one organization; `corp_id` is always among its input. */
export type OrganizationEndpoint<I extends TObject = TObject, D extends TSchema = TSchema> = Contract<
  'organization',
  OrganizationContext,
  I,
  D
> & {
  permission: Permission
  /** Whether it may read from a replica, and so be behind by a bounded time. */
  mayLag?: true
  /**
   * Personal data that the answer discloses, which the audit notes before it is sent: what is revealed to staff, who look
   * at one person at a time; what is exported, to anybody.
   */
  discloses?: { action: 'revealed' | 'exported'; record_type: string; recordId(input: Static<I>): string }
  /**
   * What goes on once the answer stands, while nobody waits for it. It may be cut off at any moment, and fails in
   * silence: maintenance takes it up.
   */
  afterwards?(context: OrganizationContext, input: Static<I>): Promise<void>
}

export type Endpoint = PublicEndpoint | AccountEndpoint | StaffEndpoint | OrganizationEndpoint

/** Declares an operation: its contract and its use case, checked against each other by the compiler. */
export function endpoint<I extends TObject, D extends TSchema>(
  declaration: Omit<OrganizationEndpoint<I, D>, 'scope'>,
): OrganizationEndpoint<I, D> {
  return { ...declaration, scope: 'organization' } as OrganizationEndpoint<I, D>
}

/** Declares an operation that needs no token. */
export function publicEndpoint<I extends TObject, D extends TSchema>(
  declaration: Omit<PublicEndpoint<I, D>, 'scope'>,
): PublicEndpoint<I, D> {
  return { ...declaration, scope: 'public' }
}

/** Declares an operation that needs a token but concerns no organization. */
export function accountEndpoint<I extends TObject, D extends TSchema>(
  declaration: Omit<AccountEndpoint<I, D>, 'scope'>,
): AccountEndpoint<I, D> {
  return { ...declaration, scope: 'account' }
}

/** Declares an operation for whoever is signed in to the console, in whatever organization. */
export function staffEndpoint<I extends TObject, D extends TSchema>(
  declaration: Omit<StaffEndpoint<I, D>, 'scope'>,
): StaffEndpoint<I, D> {
  return { ...declaration, scope: 'staff' }
}
