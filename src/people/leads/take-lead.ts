import { instantOfLocal } from '../../contract/days.ts'
import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import {
  AreaCode,
  described,
  Id,
  LocalTime,
  Mobile,
  OrganizationId,
  optionalLine,
  optionalText,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { insertFollowUp } from '../users/follow-ups/follow-up-store.ts'
import { mobileFaults } from '../users/mobile-number.ts'
import { claimedPool, obstacleOf } from '../users/reach.ts'
import { limitContactSearches } from '../users/user-filter.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../users/user-plan-store.ts'
import { newLeadOf } from './import-leads.ts'
import { anybodysLead, type LeadFields } from './lead-fields.ts'
import { storeLeads } from './store-leads.ts'

/** Records a lead that somebody takes by phone or in person. */
export const takeLead = endpoint({
  id: 'takeLead',
  method: 'POST',
  path: '/api/v5/entity/leads/take',
  group: 'Leads',
  permission: 'write',
  guard: {
    effect: 'changes',
    people: 'everyone, owners of own',
    why: anybodysLead,
    limit: 'searches by contact',
  },
  summary: 'Record a lead taken by phone',
  description:
    'Stores one lead, its user and the note in one transaction. The user is the one with this mobile number; a missing ' +
    'user is created, with an adviser in the pool of claimed users. The adviser becomes an owner, and the note a ' +
    'follow-up. If the user is not the caller’s, both the owners and the follow-ups stay as they are, and the note is ' +
    'kept in the lead.',
  input: Type.Object({
    corp_id: OrganizationId,
    area_code: AreaCode,
    mobile: Mobile,
    name: optionalLine(longest.name, 'Name of the user; fills a blank'),
    utm_source: optionalLine(longest.shortText, 'Source'),
    course_code: optionalLine(longest.shortText, 'Course code'),
    note: optionalText(longest.longText, 'Note about the conversation'),
    next_time: Type.Optional(described(LocalTime, 'Time of the next call; requires note')),
    owner_id: Type.Optional(described(Id, 'The adviser; by default the calling member of staff')),
  }),
  refusesUnknown: true,
  emptyIsAbsent: true,
  rules: inputIsSound,
  data: Type.Object({
    lead_id: described(Id, 'ID of the lead'),
    user_id: described(Id, 'User of the lead'),
    is_user_exists: Type.Boolean({ description: 'Whether the user existed before this call' }),
    is_owner_set: Type.Boolean({ description: 'Whether the adviser is an owner of the user now' }),
    follow_up_id: Type.String({ description: 'The follow-up with the note; "" if there is none' }),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      area_code: '86',
      mobile: '13800138000',
      name: 'Mei Lin',
      utm_source: 'phone',
      course_code: 'EMBA',
      note: 'Asked for the fees; prefers evenings.',
      owner_id: exampleIds.owner_id,
    },
    data: {
      lead_id: exampleIds.lead_id,
      user_id: exampleIds.user_id,
      is_user_exists: false,
      is_owner_set: true,
      follow_up_id: exampleIds.follow_up_id,
    },
  },
  errors: ['taken'],

  async handle(context, { note, next_time, owner_id: named, ...fields }) {
    await limitContactSearches(context, fields.mobile)
    const { role, account, organization } = context
    const owner_id = named ?? (role ? account.app_id : undefined)
    const next_at = next_time === undefined ? null : instantOfLocal(next_time, organization.time_zone)
    return context.db.transaction(async (tx) => {
      const known = await findKnown(tx, fields)
      const isOthers = known !== undefined && obstacleOf(context.reach, known) !== undefined
      const lead: LeadFields = {
        ...fields,
        ...(owner_id !== undefined && !isOthers && { owner_ids: [owner_id] }),
        ...(note !== undefined && isOthers && { form1_name: 'Note', form1_value: note }),
      }
      const received = newLeadOf(context, lead)
      // A new user with an adviser is as if claimed by them: in the public pool, anybody else could claim it.
      if (owner_id !== undefined) received.newUser.pool = claimedPool(organization)
      const [stored] = await storeLeads(tx, fields.corp_id, [received])
      if (!stored) throw new Error('A lead has no outcome')
      if (stored instanceof ApiError) throw stored
      const { lead_id, user_id } = stored
      const follow_up_id =
        note === undefined || isOthers
          ? ''
          : await addNote({ ...context, db: tx }, { user_id, content: note, owner_id, next_at })
      const is_owner_set = owner_id !== undefined && (!isOthers || known.owner_ids.includes(owner_id))
      return { lead_id, user_id, is_user_exists: known !== undefined, is_owner_set, follow_up_id }
    })
  },
})

/** The user with the number, also one whom the number belonged to before a merge. */
async function findKnown(
  tx: Queryable,
  { corp_id, area_code, mobile }: { corp_id: string; area_code: string; mobile: string },
) {
  const rows = await tx.query<NamedUserRow>(findNamedUsers(corp_id, [{ area_code, mobile }]))
  return namedUsersOf(rows).users[0]
}

async function addNote(
  { db, organization, account, now, newId }: OrganizationContext,
  { user_id, content, owner_id, next_at }: NoteOfLead,
): Promise<string> {
  const follow_up_id = newId()
  const isFound = await insertFollowUp(db, {
    corp_id: organization.corp_id,
    user_id,
    follow_up_id,
    owner_id: owner_id ?? null,
    content,
    executor_id: account.app_id,
    ctime: now,
    next_at,
  })
  if (!isFound) throw new ApiError('userNotFound')
  return follow_up_id
}

interface NoteOfLead {
  user_id: string
  content: string
  owner_id: string | undefined
  next_at: Date | null
}

function inputIsSound(
  input: { area_code?: string; mobile?: string },
  isSent: (name: string) => boolean,
): InputFault[] {
  const faults = mobileFaults(input)
  if (isSent('next_time') && !isSent('note')) faults.push({ param: 'next_time', reason: 'requires note' })
  return faults
}
