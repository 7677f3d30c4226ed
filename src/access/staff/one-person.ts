import { ApiError } from '../../contract/errors.ts'
import type { Queryable } from '../../database/database.ts'
import { findGrantors } from './access-grant-store.ts'

/** Somebody who acts: a member of staff or a program. */
export interface Actor {
  id: string
  /** Whose action it counted as at an earlier time, too. */
  acting_for?: string[]
}

/** The account itself and everybody who gave it its access, directly or through others. */
export async function actingFor(on: Queryable, corp_id: string, id: string): Promise<string[]> {
  return [...peopleOf(id, await findGrants(on, corp_id, [id]))]
}

/**
 * Whether two who act are one person to a rule that needs two: one of them gave the other access, or somebody gave it to
 * both. An administrator who invites two colleagues holds the links of both, until somebody else confirms one of them.
 */
export async function areOnePerson(
  on: Queryable,
  corp_id: string,
  one: Actor,
  other: Actor,
): Promise<boolean> {
  const grants = await findGrants(on, corp_id, [one.id, other.id])
  const peopleBehind = ({ id, acting_for = [] }: Actor) => peopleOf(id, grants).union(new Set(acting_for))
  return !peopleBehind(one).isDisjointFrom(peopleBehind(other))
}

/** Refuses the decision of somebody on a request that counts as their own. */
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
  'administrator. Somebody else decides, or an administrator who is independent of both confirms the person first ' +
  '(console/staff/confirm, matricula staff confirm).'

type Grants = Map<string, string[]>

/** The grants that lead to these accounts, read step by step: those who granted were granted access by others. */
async function findGrants(on: Queryable, corp_id: string, ids: string[]): Promise<Grants> {
  const grants: Grants = new Map()
  for (let found = ids; found.length > 0; ) {
    for (const id of found) grants.set(id, [])
    for (const { account_id, granted_by } of await findGrantors(on, corp_id, found))
      grants.get(account_id)!.push(granted_by)
    found = [...new Set(found.flatMap((id) => grants.get(id)!))].filter((id) => !grants.has(id))
  }
  return grants
}

function peopleOf(id: string, grants: Grants): Set<string> {
  const people = new Set([id])
  for (const each of people) for (const grantor of grants.get(each) ?? []) people.add(grantor)
  return people
}
