import type { Account, Organization, Permission } from './caller.ts'
import type { ErrorName, InputFault } from './errors.ts'
import type { Guard, Reach } from './guard.ts'
import type { RenderedJson } from './rendered-json.ts'
import type { Static, TObject, TSchema } from './type.ts'

/**
 * The context of every use case. Tests set time and ids here. A feature that needs more members declares them on these
 * interfaces, in the file that makes them, so contracts do not import features.
 */
export interface Context {
  now: Date
  newId(): string
}

/** The context of an operation that needs no token. */
export interface PublicContext extends Context {
  address: string
}

export interface AccountContext extends Context {
  account: Account
}

/** The context of an operation for signed-in staff. */
export interface StaffContext extends Context {}

/** The context of an operation on the records of one organization. */
export interface OrganizationContext extends AccountContext {
  organization: Organization
  /** The people whose records the caller may touch, by the guard of the operation. */
  reach: Reach
}

interface Contract<Scope extends string, Handed, Input extends TObject, Data extends TSchema> {
  id: string
  scope: Scope
  method: 'GET' | 'POST'
  path: `/api/v5/${string}`
  /** The section of the interface. */
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
  /** The service version that introduced the operation. */
  since: `Ver5.${string}`
  /** Permission that the caller needs. Token operations need none. */
  permission?: Permission
  /** Permission that staff need, if they need another one than programs. */
  staffPermission?: Permission
  /** The effect, and the people it concerns. */
  guard: Guard
  /**
   * Whether the use case calls external servers. It then runs in no transaction, which would hold a connection. An
   * Idempotency-Key has no effect, so the operation must be idempotent.
   */
  callsOut?: true
  /** Whether accounts with `signs_money` must sign the call. The call refuses members that it does not declare. */
  movesMoney?: true
  summary: string
  description?: string
  input: Input
  /** Besides required members, a call must have all members of one of these sets. */
  oneOfSets?: Extract<keyof Static<Input>, string>[][]
  /** An empty text or list in an optional member of the body counts as absent, as null always does. */
  emptyIsAbsent?: true
  /** A list whose items the use case checks one by one, since each has its own outcome. */
  outcomePerItem?: Extract<keyof Static<Input>, string>
  /** Rules beyond the schema. Returns every fault, by parameter. */
  rules?(input: Partial<Static<Input>>, isSent: (name: string) => boolean): InputFault[]
  data: Data
  /** A call and its response, for the documentation. Tests check both against the contract. */
  example: { input: Static<Input>; data: Static<Data> }
  /** Failures besides those that all operations share. */
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
/** An operation on the records of one organization, which `corp_id` names. */
export type OrganizationEndpoint<I extends TObject = TObject, D extends TSchema = TSchema> = Contract<
  'organization',
  OrganizationContext,
  I,
  D
> & {
  permission: Permission
  /** Whether it may read from a replica, with a limited lag. */
  mayLag?: true
  /**
   * Personal data in the response, which the audit notes before it is sent. `revealed` is noted for staff, who look at one
   * person at a time; `exported` for every caller.
   */
  discloses?: { action: 'revealed' | 'exported'; record_type: string; recordId(input: Static<I>): string }
  /**
   * Work that continues after the response. It may be interrupted at any moment, and failures are ignored: maintenance
   * resumes it.
   */
  afterwards?(context: OrganizationContext, input: Static<I>): Promise<void>
}

export type Endpoint = PublicEndpoint | AccountEndpoint | StaffEndpoint | OrganizationEndpoint

/** Declares an operation: its contract and its use case, type-checked against each other. */
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

/** Declares an operation for signed-in staff. */
export function staffEndpoint<I extends TObject, D extends TSchema>(
  declaration: Omit<StaffEndpoint<I, D>, 'scope'>,
): StaffEndpoint<I, D> {
  return { ...declaration, scope: 'staff' }
}
