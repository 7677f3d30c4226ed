import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id, OrganizationId, optionalLine } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { recordOf } from '../../contract/record-of.ts'
import { type Static, Type } from '../../contract/type.ts'
import { changeUser } from './change-user.ts'
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
    'With `version`, the call is refused if the user has changed since that version. Members that the operation cannot ' +
    'change are refused: user/mobile/update and user/email/update change contacts.',
  input: Input,
  refusesUnknown: true,
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
