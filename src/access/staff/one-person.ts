import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findGrantors } from './staff-store.ts'

/** A member of staff or a program. */
export interface Actor {
  id: string
  /** Accounts that the action also counted for when it was requested. */
  acting_for?: string[]
}

/** The account itself and all its grantors, direct and indirect. */
export async function actingFor(on: Queryable, corp_id: string, id: string): Promise<string[]> {
  return [...peopleOf(id, await findGrants(on, corp_id, [id]))]
}

/**
 * Whether two actors count as one person for a rule that needs two: one gave the other access, or both have access from the
 * same grantor. An administrator who invites two colleagues had the links of both, until another one confirms one of them.
 */
export async function areOnePerson(
  on: Queryable,
  corp_id: string,
  one: Actor,
  other: Actor,
): Promise<boolean> {
  const grants = await findGrants(on, corp_id, [one.id, other.id])
  const grantorsOf = ({ id, acting_for = [] }: Actor) => peopleOf(id, grants).union(new Set(acting_for))
  return !grantorsOf(one).isDisjointFrom(grantorsOf(other))
}

/** Refuses a decision on a request that counts as the decider's own. */
export async function requireSecondPerson(
  on: Queryable,
  corp_id: string,
  { requested_by, acting_for }: { requested_by: string; acting_for: string[] },
  decided_by: string,
): Promise<void> {
  if (requested_by === decided_by) throw new ApiError('ownRequest', { extra: { reason: 'own_request' } })
  if (await areOnePerson(on, corp_id, { id: requested_by, acting_for }, { id: decided_by }))
    throw new ApiError('ownRequest', { msg: samePerson, extra: { reason: 'same_person' } })
}

const samePerson =
  'The request counts as your own: one of the two accounts gave the other its access, or both have it from the same ' +
  'administrator. Another colleague must decide, or an administrator who is independent of both must confirm the person ' +
  'first (console/staff/confirm, matricula staff confirm).'

type Grants = Map<string, string[]>

/** The grants to these accounts and, step by step, to their grantors. */
async function findGrants(on: Queryable, corp_id: string, ids: string[]): Promise<Grants> {
  const grants: Grants = new Map()
  for (let found = ids; found.length > 0; ) {
    for (const id of found) grants.set(id, [])
    for (const { account_id, granted_by } of await findGrantors(on, corp_id, found))
      grants.get(account_id)?.push(granted_by)
    found = [...new Set(found.flatMap((id) => grants.get(id) ?? []))].filter((id) => !grants.has(id))
  }
  return grants
}

function peopleOf(id: string, grants: Grants): Set<string> {
  const people = new Set([id])
  for (const each of people) for (const grantor of grants.get(each) ?? []) people.add(grantor)
  return people
}
