import type { CallTimes } from './call-times.ts'
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
  /** Where waits of the use case itself are noted. Absent: nobody reads them. */
  times?: CallTimes | undefined
}

interface Contract<Scope extends string, Handed, Input extends TObject, Data extends TSchema> {
  id: string
  scope: Scope
  method: 'GET' | 'POST'
  path: `/api/v5/${string}`
  /** The section of the interface. */
  group:
    | 'Tokens'
    | 'Organizations'
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
    | 'Events'
    | 'Webhooks'
    | 'Privacy'
  /** The service version that introduced the operation, if it is not the first release of this service. */
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
  /** The call refuses members that it does not declare, instead of ignoring them. */
  refusesUnknown?: true
  summary: string
  description?: string
  input: Input
  /** Besides required members, a call must have all members of one of these sets. */
  oneOfSets?: Extract<keyof Static<Input>, string>[][]
  /** Members of different sets must not be sent together. */
  setsExclude?: true
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

/** The version that introduced an operation which declares none. */
const firstRelease = 'Ver5.2026-11-15'

type Declared<E extends { since: string }> = Omit<E, 'scope' | 'since'> & Partial<Pick<E, 'since'>>

/** Declares an operation: its contract and its use case, type-checked against each other. */
export function endpoint<I extends TObject, D extends TSchema>(
  declaration: Declared<OrganizationEndpoint<I, D>>,
): OrganizationEndpoint<I, D> {
  return { since: firstRelease, ...declaration, scope: 'organization' } as OrganizationEndpoint<I, D>
}

/** Declares an operation that needs no token. */
export function publicEndpoint<I extends TObject, D extends TSchema>(
  declaration: Declared<PublicEndpoint<I, D>>,
): PublicEndpoint<I, D> {
  return { since: firstRelease, ...declaration, scope: 'public' }
}

/** Declares an operation that needs a token but concerns no organization. */
export function accountEndpoint<I extends TObject, D extends TSchema>(
  declaration: Declared<AccountEndpoint<I, D>>,
): AccountEndpoint<I, D> {
  return { since: firstRelease, ...declaration, scope: 'account' }
}

/** Declares an operation for signed-in staff. */
export function staffEndpoint<I extends TObject, D extends TSchema>(
  declaration: Declared<StaffEndpoint<I, D>>,
): StaffEndpoint<I, D> {
  return { since: firstRelease, ...declaration, scope: 'staff' }
}

/** The ids in the examples of operations. One record has the same id in every example. */
export const exampleIds = {
  corp_id: 'lakeside',
  app_id: '0198c0de5a3b7c41a2f0d8e6b4937215',
  staff_id: '0198c0de77777c41a2f0d8e6b4937215',
  administrator_id: '0198c0de66667c41a2f0d8e6b4937215',
  owner_id: 'owner-garcia',
  user_id: '019672b93ea877f0b98a30ed5184dccd',
  other_user_id: '0192459ca2107b4f8e7043974d7028c7',
  tags_group_id: '01906bce4a807bbfa490929889b76de0',
  tag_id: '01a0299d0358723b8be71f283a162ba9',
  lead_id: '0196d984089872f7b61f150a76f7708d',
  other_lead_id: '0198c0de5a3b7c41a2f0d8e6b4937602',
  follow_up_id: '0198c0de5a3b7c41a2f0d8e6b4937701',
  audit_entry_id: '0198c0deaaaa7c41a2f0d8e6b4937215',
  request_id: '0198c0debbbb7c41a2f0d8e6b4937215',
  webhook_endpoint_id: '0198c0decccc7c41a2f0d8e6b4937215',
} as const
