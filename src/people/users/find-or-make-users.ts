import { batchedWrite } from '../../database/batched-write.ts'
import type { Queryable } from '../../database/database.ts'
import { retryLostRaces } from '../../database/unique-violation.ts'
import { type NewUser, type Person, type PlannedUser, UserPlan } from './user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf, storeUserPlan } from './user-plan-store.ts'

/** The unique indexes on which concurrent writers of the same person conflict. */
export const userRaces = ['users_by_mobile', 'users_by_email']

export interface PersonToFind {
  person: Person
  newUser: NewUser
}

/** Finds the user of a person or creates it; fills blanks and adds owners of an existing one. Concurrent calls are batched. */
export function findOrMakeUser(on: Queryable, corp_id: string, { person, newUser }: PersonToFind) {
  return findTogether(on, corp_id, { person, newUser: { ...newUser, origin: on.origin } })
}

const findTogether = batchedWrite(findOrMakeUsers)

function findOrMakeUsers(
  on: Queryable,
  corp_id: string,
  people: PersonToFind[],
): Promise<{ user: PlannedUser; isMade: boolean }[]> {
  return retryLostRaces(userRaces, async () => {
    const rows = await on.query<NamedUserRow>(
      findNamedUsers(
        corp_id,
        people.map(({ person }) => person),
      ),
    )
    const plan = new UserPlan(namedUsersOf(rows))
    const outcomes = people.map(({ person, newUser }) => plan.findOrMake(person, newUser))
    if (plan.isChanging) await on.transaction((tx) => storeUserPlan(tx, corp_id, plan))
    return outcomes
  })
}
