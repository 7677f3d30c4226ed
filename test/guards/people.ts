import type { Ownership } from '../../scripts/permissions-page.ts'
import { bulkUpdateUsers } from '../../src/changes/bulk-edits/bulk-update.ts'
import { mergeUsers, unmergeUsers } from '../../src/changes/merging/merge-users.ts'
import { undoChanges } from '../../src/changes/undo/undo-changes.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { School } from '../conformance/school.ts'
import { type Input, validInput } from '../conformance/valid-inputs.ts'
import type { TestServer } from '../harness/server.ts'
import type { TestColleague } from '../harness/staff.ts'

/** The person belongs to another owner, is merged into such a person, or does not exist. */
export type Whose = Ownership | 'merged into other' | 'missing'

/** Numbers of these people only, so that a response with one is found. */
export const wholeNumber = /"1990\d{7}"/
let nextNumber = 19_900_000_000

export interface Callers {
  server: TestServer
  /** The caller. */
  caller: TestColleague
  /** The colleague who owns other people. */
  colleague: TestColleague
}

/** A person without any changes yet. */
export async function makePerson(
  { server, caller, colleague }: Callers,
  corp_id: string,
  whose: Whose,
): Promise<string> {
  if (whose === 'missing') return newId()
  const { superuser } = server.database
  const user_id = newId()
  if (whose === 'merged into other') {
    const survivor = await makePerson({ server, caller, colleague }, corp_id, 'other')
    await superuser.query(
      'insert into merged_users (corp_id, merged_user_id, user_id, merge_id) values ($1, $2, $3, $4)',
      [corp_id, user_id, survivor, newId()],
    )
    return user_id
  }
  const owner = ownerOf({ caller, colleague }, whose)
  await superuser.query(
    `insert into users (corp_id, user_id, pool, owner_ids, area_code, mobile, ctime, mtime)
     values ($1, $2, $3, $4, '86', $5, now(), now())`,
    [...[corp_id, user_id, poolOf(whose), owner === undefined ? [] : [owner]], String(nextNumber++)],
  )
  if (owner !== undefined) await superuser.query(claimInsertion, [corp_id, user_id, owner])
  return user_id
}

const claimInsertion = `
  insert into user_claims (corp_id, user_id, owner_id, claimed_at, active_at) values ($1, $2, $3, now(), now())`

const poolOf = (whose: Ownership) => (whose === 'pool' ? 'public' : 'dead')

function ownerOf({ caller, colleague }: Pick<Callers, 'caller' | 'colleague'>, whose: Ownership) {
  return { mine: caller.staff_id, other: colleague.staff_id, pool: undefined, nobody: undefined }[whose]
}

/** Gives a person to this caller, to the pool, to another owner or to nobody. */
async function giveTo(
  { server, caller, colleague }: Callers,
  corp_id: string,
  user_id: string,
  whose: Ownership,
): Promise<void> {
  const { superuser } = server.database
  const owner = ownerOf({ caller, colleague }, whose)
  await superuser.query('delete from user_claims where corp_id = $1 and user_id = $2', [corp_id, user_id])
  await superuser.query('update users set owner_ids = $3, pool = $4 where corp_id = $1 and user_id = $2', [
    ...[corp_id, user_id, owner === undefined ? [] : [owner]],
    poolOf(whose),
  ])
  if (owner !== undefined) await superuser.query(claimInsertion, [corp_id, user_id, owner])
}

/**
 * An input of the operation that names such a person, directly or by their records: a new person, unless
 * one is given.
 */
export async function inputOn(
  callers: Callers,
  school: School,
  endpoint: Endpoint,
  whose: Whose,
  known?: string,
): Promise<Input> {
  const { caller, server } = callers
  const { corp_id } = school
  const person = (of: Whose) => makePerson(callers, corp_id, of)
  const user_id = known ?? (await person(whose))
  const named = { ...exampleOn(endpoint, { ...school, user_id }), ...ownName[endpoint.id]?.(caller.staff_id) }
  switch (endpoint.id) {
    case 'mergeUsers':
      return { ...named, merged_user_id: await person('mine') }
    case 'createOrder':
      // At the list price, which a counsellor sells at.
      return { corp_id, user_id, course_id: school.course_id }
    case 'importLead':
      return { corp_id, user_id }
    case 'importLeads':
      return { corp_id, leads: [{ user_id }] }
    case 'unmergeUsers':
    case 'undoChanges':
      return isKnown(whose) ? batchOn(callers, corp_id, endpoint, whose) : named
    case 'appendLeadFile':
    case 'planLeadFile':
    case 'commitLeadFile':
    case 'discardLeadFile':
      // Files have their own owners: manage-claim-rules.test.ts.
      await server.database.superuser.query('update lead_imports set executor_id = $1 where import_id = $2', [
        ...[caller.staff_id, named.import_id],
      ])
  }
  return named
}

export const isKnown = (whose: Whose): whose is Ownership =>
  whose !== 'missing' && whose !== 'merged into other'

/** A batch of the caller from the time when the person was theirs. */
async function batchOn(
  callers: Callers,
  corp_id: string,
  endpoint: Endpoint,
  whose: Ownership,
): Promise<Input> {
  const { caller } = callers
  const user_id = await makePerson(callers, corp_id, 'mine')
  const merged_user_id = await makePerson(callers, corp_id, 'mine')
  const edit = { user_ids: [user_id], add_owner_ids: ['adviser'] }
  const made =
    endpoint === unmergeUsers
      ? await caller.call(mergeUsers, { user_id, merged_user_id })
      : await caller.call(bulkUpdateUsers, edit)
  await giveTo(callers, corp_id, user_id, whose)
  const { merge_id = newId(), batch_id = newId() } = made.data ?? {}
  return endpoint === undoChanges ? { corp_id, batch_id } : { corp_id, merge_id }
}

/** Staff claim and release for themselves. */
const ownName: Record<string, (owner_id: string) => Input> = {
  claimUser: (owner_id) => ({ owner_id }),
  releaseUser: (owner_id) => ({ owner_id }),
}

/** Its example on this school; enough for a record of the console that does not exist. */
function exampleOn(endpoint: Endpoint, school: School): Input {
  try {
    const input = validInput(endpoint, school)
    // The stock names its own people.
    return 'user_id' in input ? { ...input, user_id: school.user_id } : input
  } catch {
    return { ...(endpoint.example.input as object), corp_id: school.corp_id }
  }
}
