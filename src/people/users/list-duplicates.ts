import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, namedObject, OrganizationId, oneOf } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { namesOf } from '../../contract/record-of.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { findPairs, type LikelyPair, listPairs } from './duplicate-store.ts'
import { likenesses, likenessKeysOf } from './likeness.ts'
import { MergeObstacles, obstaclesOf } from './merge-obstacle.ts'
import { findUserRows } from './profile-store.ts'
import { exampleUser, named, UserRow } from './user-row.ts'
import { type StoredUser, selectUsers } from './user-store.ts'

const reasons = namesOf(likenesses)

const Duplicate = namedObject('LikelyDuplicate', {
  users: Type.Array(UserRow, { description: 'The two users, the lesser id first' }),
  reasons: Type.Array(oneOf(reasons), { description: 'Reasons why they are likely the same person' }),
  score: Type.Integer({ description: 'Likelihood in percent' }),
  obstacles: MergeObstacles,
})

/** Users that are likely the same person. */
export const listDuplicates = endpoint({
  id: 'listDuplicates',
  method: 'GET',
  path: '/api/v5/entity/user/duplicates',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List users that are likely the same person',
  description:
    'Pairs of users, the most likely first; with `user_id`, the pairs of one user. Reasons are: the same mobile number ' +
    'in different notations; the same mailbox; the same name and company; the same name and the same last four digits ' +
    'of a mobile number. A user has at most ten pairs per reason.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: Type.Optional(described(Id, 'Only pairs of this user')),
    ...pageParameters,
  }),
  data: pageOf(Duplicate),
  example: {
    input: { corp_id: exampleUser.corp_id },
    data: examplePage<Static<typeof Duplicate>>({
      users: [exampleUser, { ...exampleUser, user_id: exampleIds.other_user_id, mobile: '013800138000' }],
      reasons: ['mobile'],
      score: 95,
      obstacles: [],
    }),
  },
  errors: ['userNotFound'],

  async handle(context, { corp_id, user_id, ...asked }) {
    const { db } = context
    const { page, page_size, limit, offset } = windowOf(asked)
    const found =
      user_id === undefined
        ? await listPairs(db, corp_id, { limit, offset })
        : cut(await pairsOf(db, corp_id, user_id), { limit, offset })
    const list = await withUsers(context, found.list)
    return { total: found.total, page, page_size, list }
  },
})

/** Searched in the current data. */
async function pairsOf(db: Queryable, corp_id: string, user_id: string): Promise<LikelyPair[]> {
  const [user] = await db.query<StoredUser>(selectUsers(corp_id, [user_id]))
  if (!user) throw new ApiError('userNotFound')
  return (await findPairs(db, corp_id, likenessKeysOf(user))).sort((a, b) => b.score - a.score)
}

function cut(pairs: LikelyPair[], { limit, offset }: { limit: number; offset: number }) {
  return { total: pairs.length, list: pairs.slice(offset, offset + limit) }
}

async function withUsers(
  context: OrganizationContext,
  pairs: LikelyPair[],
): Promise<Static<typeof Duplicate>[]> {
  const { db, organization } = context
  const ids = pairs.flatMap(({ user_id, other_user_id }) => [user_id, other_user_id])
  const rows = await findUserRows(db, organization.corp_id, [...new Set(ids)], organization.time_zone)
  return pairs.map(({ user_id, other_user_id, reasons, score }) => {
    const users = [user_id, other_user_id].flatMap((id) => rows.get(id) ?? []).map(named)
    return { users, reasons, score, obstacles: obstaclesOf(context, users) }
  })
}
