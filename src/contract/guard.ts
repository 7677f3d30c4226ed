/**
 * The guard of an operation: its effect and the people it concerns. Every contract declares one. The server enforces it,
 * docs/permissions.md lists it, and test/guards.test.ts tests every operation against it.
 */
export type Guard = NamedRules &
  (
    | { effect: 'reads'; people: People }
    /** `confirmed`: staff confirm it, although it can be reversed. */
    | ({ effect: 'changes'; confirmed?: true } & PeopleWithReason)
    /** `unconfirmed`: why staff need not confirm it. */
    | ({ effect: ConfirmedEffect; unconfirmed?: string } & PeopleWithReason)
  )

/**
 * discloses: exports or reveals personal data or the audit. grants: gives or restores access, credentials or rights, or
 * sets the rules of access. irreversible: no other operation reverses it. An operation that only adds a record `changes`.
 */
type ConfirmedEffect = 'discloses' | 'grants' | 'irreversible'

/**
 * The people whose records a counsellor may touch: own people, also those in the public pool, or everyone; `everyone,
 * owners of own`: of everyone, but owners are added to own people only. Other roles and programs are limited by
 * permissions alone. none: the operation concerns no person.
 */
type People = 'none' | 'own' | 'own or pool' | Everyone
type Everyone = 'everyone' | 'everyone, owners of own'

/** `why`: why the owner of the person does not matter. */
type PeopleWithReason =
  | { people: Exclude<People, Everyone>; why?: undefined }
  | { people: Everyone; why: string }

/** Further rules, by name. */
interface NamedRules {
  limit?:
    | 'claims per day'
    | 'reveals per hour'
    | 'failed sign-ins'
    | 'counsellor discount'
    | 'searches by contact'
  secondApprover?: 'refund limit' | 'money limit' | 'limit change' | 'closing reversal'
  /** Refused to counsellors unless the organization allows it. */
  setting?: 'counsellors record payments'
  /** Whether support may call it, although it does more than read. Operations on the own session only. */
  support?: 'allowed'
  /** Why a call that writes works while the service is read-only. */
  whileReadOnly?: string
}

/** Whether staff must have proved their presence within the last minutes. */
export function asksForConfirmation(guard: Guard): boolean {
  if (guard.effect === 'reads') return false
  if (guard.effect === 'changes') return guard.confirmed === true
  return guard.unconfirmed === undefined
}

/** The people whose records a caller may touch in one call. `pool` is the public pool, which people are claimed from. */
export type Reach = 'everyone' | { owner_id: string; pool: string; includesPool: boolean }

/**
 * Whether the operation works while the service is read-only. A GET changes no records: at most it adds to the audit that
 * it disclosed something.
 */
export function worksReadOnly({ method, guard }: { method: 'GET' | 'POST'; guard: Guard }): boolean {
  return method === 'GET' || guard.effect === 'reads' || guard.whileReadOnly !== undefined
}

/** Operations that begin, confirm or end a session, or issue a token. */
export const readersSignIn = { whileReadOnly: 'Readers sign in.' }

/**
 * Whether support of the operator may call an operation: nothing that discloses or gives access, nothing that asks for a
 * confirmation, and of the own session its reading and its end.
 */
export function isOpenToSupport({ scope, guard }: { scope: string; guard: Guard }): boolean {
  if (scope === 'staff') return guard.effect === 'reads' || guard.support === 'allowed'
  return guard.effect !== 'discloses' && guard.effect !== 'grants' && !asksForConfirmation(guard)
}
