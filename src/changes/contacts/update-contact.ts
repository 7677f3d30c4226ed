import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, taken } from '../../contract/errors.ts'
import { AreaCode, described, Email, Id, Mobile, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { retryTakenKeys } from '../../database/unique-violation.ts'
import { userRaces } from '../../people/users/find-or-make-users.ts'
import { mobileFaults } from '../../people/users/mobile-number.ts'
import { mayName, requireReach } from '../../people/users/reach.ts'
import { insertingEvents, type UserEvent } from '../../people/users/user-event-store.ts'
import { limitContactSearches } from '../../people/users/user-filter.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf } from '../../people/users/user-plan-store.ts'
import { applyTransitions, lockRecords, recordIn } from '../undo/apply-transitions.ts'
import { completeBatch, insertBatch, noteChanges } from '../undo/change-batch-store.ts'
import { type Image, nextStamp } from '../undo/record-images.ts'

const UserId = described(Id, 'Global user ID')
const UndoableBatch = Type.String({
  description: 'The batch to undo with changes/undo; "" if nothing was changed',
})
const exampleBatch = '0198c0de5a3b7c41a2f0d8e6b4937705'

/** Corrects the mobile number of a user. */
export const updateMobile = endpoint({
  id: 'updateMobile',
  method: 'POST',
  path: '/api/v5/entity/user/mobile/update',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own', limit: 'searches by contact' },
  summary: 'Set the mobile number of a user',
  description:
    'A number belongs to one user of the organization. It must be a mobile number of its country. If another user has the ' +
    'number, the call is refused with 40901; `data.user_id` names that user to a caller who may see the user, and ' +
    'user/merge merges both. changes/undo undoes the batch.',
  input: Type.Object({ corp_id: OrganizationId, user_id: UserId, area_code: AreaCode, mobile: Mobile }),
  refusesUnknown: true,
  rules: mobileFaults,
  data: Type.Object({ user_id: UserId, batch_id: UndoableBatch }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: exampleIds.user_id,
      area_code: '86',
      mobile: '13900139000',
    },
    data: { user_id: exampleIds.user_id, batch_id: exampleBatch },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, { user_id, area_code, mobile }) {
    await limitContactSearches(context, mobile)
    return setContact(context, user_id, { area_code, mobile })
  },
})

/** Interface › Users › e-mail. */
export const updateEmail = endpoint({
  id: 'updateEmail',
  method: 'POST',
  path: '/api/v5/entity/user/email/update',
  group: 'Users',
  since: 'Ver5.2024-07-25',
  permission: 'write',
  guard: { effect: 'changes', people: 'own', limit: 'searches by contact' },
  summary: 'Set the e-mail address of a user',
  description:
    'An address belongs to one user of the organization. Letter case is ignored. If another user has the address, the ' +
    'call is refused with 40901; `data.user_id` names that user to a caller who may see the user. changes/undo undoes ' +
    'the batch.',
  input: Type.Object({ user_id: UserId, email: described(Email, 'E-mail address'), corp_id: OrganizationId }),
  data: Type.Object({ user_id: UserId, batch_id: UndoableBatch }),
  example: {
    input: {
      user_id: exampleIds.user_id,
      email: 'mei.lin@example.com',
      corp_id: exampleIds.corp_id,
    },
    data: { user_id: exampleIds.user_id, batch_id: exampleBatch },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, { user_id, email }) {
    await limitContactSearches(context, email)
    return setContact(context, user_id, { email })
  },
})

type NewContact = { area_code: string; mobile: string } | { email: string }

/** Sets a contact as a batch that can be undone. Another writer may take the contact first: the repetition finds it taken. */
function setContact(context: OrganizationContext, user_id: string, contact: NewContact) {
  const { corp_id } = context.organization
  return retryTakenKeys(userRaces, () =>
    context.db.transaction(async (tx) => {
      const locked = await lockRecords(tx, corp_id, { users: [user_id] })
      const { before } = recordIn(locked, 'users', user_id)
      if (!before) throw new ApiError('userNotFound')
      requireReach(context.reach, before)
      const names = Object.keys(contact) as (keyof Image<'users'>)[]
      if (names.every((name) => before[name] === { ...before, ...contact }[name]))
        return { user_id, batch_id: '' }
      await requireFree(context, tx, user_id, contact)
      return { user_id, batch_id: await applyAsBatch({ ...context, db: tx }, before, contact) }
    }),
  )
}

/** A contact that a merged user had belongs to the survivor. */
async function requireFree(
  { organization, reach }: OrganizationContext,
  tx: Queryable,
  user_id: string,
  contact: NewContact,
): Promise<void> {
  const rows = await tx.query<NamedUserRow>(findNamedUsers(organization.corp_id, [contact]))
  const other = namedUsersOf(rows).users.find((user) => user.user_id !== user_id)
  if (!other) return
  const name = 'email' in contact ? 'email' : 'mobile'
  const extra = mayName(reach, other) ? { user_id: other.user_id } : undefined
  throw taken(name, 'belongs to another user', extra)
}

async function applyAsBatch(
  { db: tx, organization, account, now, newId }: OrganizationContext,
  before: Image<'users'>,
  contact: NewContact,
): Promise<string> {
  const { corp_id } = organization
  const executor_id = account.app_id
  const batch_id = newId()
  const after = { ...before, ...contact, ...nextStamp(before, now) }
  await insertBatch(tx, corp_id, { batch_id, kind: 'contact_update', executor_id }, now)
  const changes = await applyTransitions(tx, corp_id, [{ type: 'users', id: before.user_id, before, after }])
  const pick = (user: Image<'users'>) =>
    'email' in contact ? { email: user.email } : { area_code: user.area_code, mobile: user.mobile }
  const event: UserEvent = {
    user_id: before.user_id,
    version: after.version,
    at: now,
    event: 'email' in contact ? 'email_changed' : 'mobile_changed',
    owner_id: null,
    executor_id,
    before: pick(before),
    after: pick(after),
  }
  await tx.pipeline([
    ...insertingEvents(corp_id, [event]),
    ...noteChanges(corp_id, { batch_id, records: 0 }, changes, now),
  ])
  await completeBatch(tx, corp_id, batch_id, now)
  return batch_id
}
