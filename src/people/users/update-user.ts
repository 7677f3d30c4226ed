import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, taken } from '../../contract/errors.ts'
import { described, Email, Id, OrganizationId, optionalLine } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { recordOf } from '../../contract/record-of.ts'
import { type Static, Type } from '../../contract/type.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { changeUser } from './change-user.ts'
import { isEmailOfMerged } from './merged-user-store.ts'
import { profileMembers } from './user-store.ts'

type ProfileMember = (typeof profileMembers)[number]

const lengths: Partial<Record<ProfileMember, number>> = {
  name: longest.name,
  first_name: longest.name,
  last_name: longest.name,
  gender: longest.id,
  professional_profile_url: longest.url,
}

const profile = recordOf(profileMembers, (name) => optionalLine(lengths[name]))

const Input = Type.Object({
  corp_id: OrganizationId,
  user_id: described(Id, 'Global user ID'),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version that the call is based on, from user/list',
    }),
  ),
  ...profile,
})

/** Changes the profile of a user. */
export const updateUser = endpoint({
  id: 'updateUser',
  method: 'POST',
  path: '/api/v5/entity/user/update',
  group: 'Users',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Change the profile of a user',
  description:
    'Changes only the members that are sent; an empty text clears a member. Orders keep their copy of the profile. ' +
    'With `version`, the call is refused if the user has changed since that version.',
  input: Input,
  rules: someMemberIsSent,
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    version: Type.Integer({ description: 'Version of the user after the call' }),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      user_id: exampleIds.user_id,
      job_title: 'Head of operations',
      city: '',
    },
    data: { user_id: exampleIds.user_id, version: 3 },
  },
  errors: ['userNotFound', 'staleVersion'],

  async handle(context, { corp_id, user_id, version, ...members }) {
    const { db, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const user = await changeUser(changer, (before) => {
      if (version !== undefined && version !== before.version) throw new ApiError('staleVersion')
      const changed = profileMembers.flatMap((name) => {
        const text = members[name]
        return text !== undefined && textOf(text) !== before[name] ? [[name, textOf(text)]] : []
      })
      if (changed.length === 0) return undefined
      return { event: 'profile_changed', set: Object.fromEntries(changed) }
    })
    return { user_id, version: user.version }
  },
})

/** An empty text is stored as null. */
function textOf(text: string): string | null {
  return text.trim() === '' ? null : text
}

function someMemberIsSent(_: Partial<Static<typeof Input>>, isSent: (name: string) => boolean): InputFault[] {
  if (profileMembers.some(isSent)) return []
  return [{ param: 'name', reason: 'or another profile member must be sent' }]
}

/** Interface › Users › e-mail. */
export const updateEmail = endpoint({
  id: 'updateEmail',
  method: 'POST',
  path: '/api/v5/entity/user/email/update',
  group: 'Users',
  since: 'Ver5.2024-07-25',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Set the e-mail address of a user',
  description: 'An address belongs to one user of the organization. Letter case is ignored.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    email: described(Email, 'E-mail address'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({ user_id: described(Id, 'Global user ID') }),
  example: {
    input: {
      user_id: exampleIds.user_id,
      email: 'mei.lin@example.com',
      corp_id: exampleIds.corp_id,
    },
    data: { user_id: exampleIds.user_id },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, { corp_id, user_id, email }) {
    const { db, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    try {
      await changeUser(changer, async (user, tx) => {
        if (user.email === email) return undefined
        if (await isEmailOfMerged(tx, { corp_id, user_id }, email))
          throw taken('email', 'belongs to another user')
        return { event: 'email_changed', set: { email } }
      })
    } catch (error) {
      if (isUniqueViolation(error, 'users_by_email')) throw taken('email', 'belongs to another user')
      throw error
    }
    return { user_id }
  },
})
