import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id, OrganizationId, optionalLine } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
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

const profile = Object.fromEntries(
  profileMembers.map((name) => [name, optionalLine(lengths[name])]),
) as Record<ProfileMember, ReturnType<typeof optionalLine>> satisfies Record<ProfileMember, TSchema>

const Input = Type.Object({
  corp_id: OrganizationId,
  user_id: described(Id, 'Global user ID'),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version this call builds on; user/list answers it',
    }),
  ),
  ...profile,
})

/** Writes the profile of a user by hand. */
export const updateUser = endpoint({
  id: 'updateUser',
  method: 'POST',
  path: '/api/v5/entity/user/update',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Change the profile of a user',
  description:
    'Only what is named changes; an empty text clears a member. Orders keep the copy that they took. With `version` ' +
    'the call is refused where somebody else has changed the user since.',
  input: Input,
  rules: somethingIsNamed,
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    version: Type.Integer({ description: 'Of the user now' }),
  }),
  example: {
    input: {
      corp_id: 'northgate',
      user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
      job_title: 'Head of operations',
      city: '',
    },
    data: { user_id: '0198c0de5a3b7c41a2f0d8e6b4937401', version: 3 },
  },
  errors: ['userNotFound', 'staleVersion'],

  async handle(context, { corp_id, user_id, version, ...named }) {
    const { db, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    const user = await changeUser(changer, (before) => {
      if (version !== undefined && version !== before.version) throw new ApiError('staleVersion')
      const changed = profileMembers.filter(
        (name) => named[name] !== undefined && textOf(named[name]) !== before[name],
      )
      if (changed.length === 0) return undefined
      const set = Object.fromEntries(changed.map((name) => [name, textOf(named[name]!)]))
      return { event: 'profile_changed', set }
    })
    return { user_id, version: user.version }
  },
})

/** What is absent is null, never an empty text. */
function textOf(text: string): string | null {
  return text.trim() === '' ? null : text
}

function somethingIsNamed(_: Partial<Static<typeof Input>>, isSent: (name: string) => boolean): InputFault[] {
  if (profileMembers.some(isSent)) return []
  return [{ param: 'name', reason: 'or another member of the profile must be sent' }]
}
