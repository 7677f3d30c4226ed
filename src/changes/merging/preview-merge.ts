import { contact } from '../../contract/contacts.ts'
import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  NullableInteger,
  NullableString,
  namedObject,
  OrganizationId,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { findTagsOf } from '../../people/user-tags/user-tag-store.ts'
import { type MergeObstacle, MergeObstacles, obstaclesOf } from '../../people/users/merge-obstacle.ts'
import { type Belongings, findBelongings, findSurvivors } from '../../people/users/merged-user-store.ts'
import { findingErased } from '../erasure/tombstone-store.ts'
import { selectImages } from '../undo/image-store.ts'
import type { Image } from '../undo/record-images.ts'
import { survivingPair } from './merge-into.ts'
import { survivorAfter } from './survivor-after.ts'

const Tag = Type.Object({ tags_group_id: Type.String(), value: Type.String() })
const count = (description: string) => Type.Integer({ description })

/** A user as a merge compares it. */
const MergeSide = namedObject('MergeSide', {
  user_id: Id,
  name: NullableString,
  first_name: NullableString,
  last_name: NullableString,
  area_code: NullableString,
  mobile: contact('mobile', NullableString),
  backup_area_code: NullableString,
  backup_mobile: contact('mobile', NullableString),
  email: contact('email', NullableString),
  wechat_id: contact('id', NullableString),
  external_id: NullableString,
  gender: NullableString,
  age: NullableInteger,
  city: NullableString,
  company_name: NullableString,
  job_title: NullableString,
  department: NullableString,
  industry: NullableString,
  work_exp: NullableString,
  professional_profile_url: NullableString,
  is_verified: Type.Boolean(),
  pool: Type.String(),
  owner_ids: Type.Array(Type.String(), { description: 'In order of addition' }),
  holder_id: described(NullableString, 'The owner that has claimed the user'),
  tags: Type.Array(Tag, { description: 'One per group, in the order of the ids of the groups' }),
  leads: count('Number of leads'),
  orders: count('Number of orders'),
  follow_ups: count('Number of follow-ups'),
  payers: count('Number of payers'),
})
type MergeSide = Static<typeof MergeSide>

const userMembers = [
  ...(['user_id', 'name', 'first_name', 'last_name', 'area_code', 'mobile', 'backup_area_code'] as const),
  ...([
    'backup_mobile',
    'email',
    'wechat_id',
    'external_id',
    'gender',
    'age',
    'city',
    'company_name',
    'job_title',
    'department',
  ] as const),
  ...(['industry', 'work_exp', 'professional_profile_url', 'is_verified', 'pool', 'owner_ids'] as const),
]

const exampleSide: MergeSide = {
  user_id: exampleIds.user_id,
  name: 'Mei Lin',
  first_name: null,
  last_name: null,
  area_code: '86',
  mobile: '13800138000',
  backup_area_code: null,
  backup_mobile: null,
  email: null,
  wechat_id: null,
  external_id: null,
  gender: null,
  age: null,
  city: '上海',
  company_name: null,
  job_title: null,
  department: null,
  industry: null,
  work_exp: null,
  professional_profile_url: null,
  is_verified: false,
  pool: 'alive',
  owner_ids: [exampleIds.owner_id],
  holder_id: exampleIds.owner_id,
  tags: [],
  leads: 1,
  orders: 1,
  follow_ups: 0,
  payers: 0,
}

/** Shows two users side by side, and the survivor of their merge. */
export const previewMerge = endpoint({
  id: 'previewMerge',
  method: 'GET',
  path: '/api/v5/entity/user/merge/preview',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Compare two users before a merge',
  description:
    'Shows both users, and the survivor as user/merge would leave it. `obstacles` says why the caller cannot merge them. ' +
    'The ID of a merged user means its survivor.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'The survivor'),
    merged_user_id: described(Id, 'The user to merge into the survivor'),
  }),
  data: Type.Object({
    survivor: MergeSide,
    merged: MergeSide,
    after: described(MergeSide, 'The survivor after the merge'),
    obstacles: MergeObstacles,
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: exampleIds.user_id,
      merged_user_id: exampleIds.other_user_id,
    },
    data: {
      survivor: exampleSide,
      merged: { ...exampleSide, user_id: exampleIds.other_user_id, mobile: '13800138001', orders: 0 },
      after: { ...exampleSide, backup_area_code: '86', backup_mobile: '13800138001', leads: 2 },
      obstacles: [],
    },
  },
  errors: ['userNotFound'],

  async handle(context, { corp_id, ...named }) {
    const { db, organization } = context
    const pair = survivingPair(named, await findSurvivors(db, corp_id, Object.values(named)))
    const [survivor, merged] = await readSides(context, [pair.user_id, pair.merged_user_id])
    if (!survivor || !merged) throw new ApiError('userNotFound')
    const takesClaim = survivor.holder_id === null && merged.holder_id !== null
    const after = survivorAfter(organization, survivor.user, merged.user, takesClaim)
    return {
      survivor: sideOf(survivor),
      merged: sideOf(merged),
      after: {
        ...sideOf({ ...survivor, user: after, holder_id: survivor.holder_id ?? merged.holder_id }),
        tags: tagsAfter(survivor.tags, merged.tags),
        ...sumOf(countsOf(survivor), countsOf(merged)),
      },
      obstacles: [
        ...obstaclesOf(context, [survivor.user, merged.user]),
        ...(await erasedOf(context, Object.values(pair))),
      ],
    }
  },
})

/** A user with its records. */
interface Side {
  user: Image<'users'>
  holder_id: string | null
  tags: MergeSide['tags']
  owned: Belongings
}

async function readSides(
  { db, organization: { corp_id } }: OrganizationContext,
  userIds: string[],
): Promise<(Side | undefined)[]> {
  const found = await db.pipeline<{ users: Image<'users'>; claims: Image<'user_claims'> }>({
    users: selectImages(corp_id, 'users', userIds),
    claims: selectImages(corp_id, 'user_claims', userIds),
  })
  const tags = await findTagsOf(db, corp_id, userIds)
  const sides: (Side | undefined)[] = []
  for (const id of userIds) {
    const user = found.users.find(({ user_id }) => user_id === id)
    sides.push(
      user && {
        user,
        holder_id: found.claims.find(({ user_id }) => user_id === id)?.owner_id ?? null,
        tags: byGroup(
          tags
            .filter(({ user_id }) => user_id === id)
            .map(({ tags_group_id, define_value, number_value, string_value }) => ({
              tags_group_id,
              value: String(define_value ?? number_value ?? string_value),
            })),
        ),
        owned: await findBelongings(db, corp_id, id),
      },
    )
  }
  return sides
}

function sideOf(side: Side): MergeSide {
  const { user, holder_id, tags } = side
  // The names are members of the image.
  const shown = Object.fromEntries(userMembers.map((name) => [name, user[name]])) as Pick<
    Image<'users'>,
    (typeof userMembers)[number]
  >
  return { ...shown, holder_id, tags, ...countsOf(side) }
}

type Counts = Pick<MergeSide, 'leads' | 'orders' | 'follow_ups' | 'payers'>

function countsOf({ owned }: Side): Counts {
  return {
    leads: owned.leads.length,
    orders: owned.orders.length,
    follow_ups: owned.user_follow_ups.length,
    payers: owned.payers.length,
  }
}

function sumOf(one: Counts, other: Counts): Counts {
  return {
    leads: one.leads + other.leads,
    orders: one.orders + other.orders,
    follow_ups: one.follow_ups + other.follow_ups,
    payers: one.payers + other.payers,
  }
}

/** The order of stored rows differs between installations. */
function byGroup(tags: MergeSide['tags']): MergeSide['tags'] {
  return tags.toSorted((a, b) => (a.tags_group_id < b.tags_group_id ? -1 : 1))
}

/** If both have a tag of one group, that of the survivor stays. */
function tagsAfter(own: MergeSide['tags'], others: MergeSide['tags']): MergeSide['tags'] {
  const groups = new Set(own.map(({ tags_group_id }) => tags_group_id))
  return byGroup([...own, ...others.filter(({ tags_group_id }) => !groups.has(tags_group_id))])
}

async function erasedOf(
  { db, organization }: OrganizationContext,
  userIds: string[],
): Promise<MergeObstacle[]> {
  const rows = await db.query<{ user_id: string }>(findingErased(organization.corp_id, userIds))
  return rows.map(({ user_id }) => ({ user_id, reason: 'erased' }))
}
