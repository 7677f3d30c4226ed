import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import type { InputFault } from '../../contract/errors.ts'
import { AreaCode, described, Email, Id, Mobile, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { findOrMakeUser } from './find-or-make-users.ts'
import { mobileNumberFaults } from './mobile-number.ts'
import { initialPool } from './reach.ts'

/** Interface › Users › create: one path, two shapes. */
export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path: '/api/v5/entity/user/create',
  group: 'Users',
  since: 'Ver5.2023-11-22',
  permission: 'write',
  guard: {
    effect: 'changes',
    people: 'everyone',
    why: 'It returns the ID of a person whose contact the caller knows, and changes no existing user.',
  },
  summary: 'Create a user by mobile number or by e-mail',
  description:
    'Send either `area_code` and `mobile`, or `email`. If the organization already has that user, the response has its ' +
    'ID and `is_user_exists` is true. A new user is unverified.',
  input: Type.Object({
    area_code: Type.Optional(AreaCode),
    mobile: Type.Optional(Mobile),
    email: Type.Optional(described(Email, 'E-mail address; letter case is ignored')),
    corp_id: OrganizationId,
  }),
  oneOfSets: [['area_code', 'mobile'], ['email']],
  setsExclude: true,
  rules: contactHasOneShape,
  data: Type.Object({
    user_id: described(Id, 'Global user ID'),
    is_user_exists: Type.Boolean({ description: 'Whether the user existed before this call' }),
  }),
  example: {
    input: { area_code: '86', mobile: '13800138000', corp_id: exampleIds.corp_id },
    data: { user_id: exampleIds.user_id, is_user_exists: false },
  },

  async handle({ db, organization, account, now, newId, reach }, input) {
    const { user, isMade } = await findOrMakeUser(db, input.corp_id, {
      person: input,
      newUser: { user_id: newId(), pool: initialPool(organization), now, app_id: account.app_id, reach },
    })
    return { user_id: user.user_id, is_user_exists: !isMade }
  },
})

export function contactHasOneShape(
  input: { area_code?: string; mobile?: string },
  isSent: (name: string) => boolean,
): InputFault[] {
  const isByMobile = isSent('area_code') || isSent('mobile')
  if (isByMobile && isSent('email')) {
    return [{ param: 'email', reason: 'must not be sent with area_code or mobile: send one or the other' }]
  }
  if (isSent('email')) return []
  if (!isByMobile) {
    return [
      { param: 'area_code', reason: 'is required with mobile unless email is sent', missing: true },
      { param: 'mobile', reason: 'is required with area_code unless email is sent', missing: true },
      { param: 'email', reason: 'is required unless area_code and mobile are sent', missing: true },
    ]
  }
  return [...missingHalf(isSent), ...mobileNumberFaults(input)]
}

function missingHalf(isSent: (name: string) => boolean): InputFault[] {
  return ['area_code', 'mobile']
    .filter((param) => !isSent(param))
    .map((param) => ({ param, reason: 'is required', missing: true }))
}
