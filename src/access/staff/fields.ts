import { exampleIds } from '../../contract/endpoint.ts'
import {
  described,
  Email,
  Id,
  InstantOrEmpty,
  IsoInstant,
  Name,
  namedObject,
  oneOf,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { findIssuer } from '../organizations/issuer-store.ts'
import type { ConsoleAccess } from './console-context.ts'
import { maxPasswordLength, minPasswordLength } from './password.ts'
import { roleNames, roles } from './roles.ts'
import { secretTokenPattern } from './secret-token.ts'
import { confirmationMs, type StaffCaller, waysToConfirm } from './sessions.ts'

export const Password = Type.String({ minLength: 1, maxLength: maxPasswordLength, description: 'Password' })
export const NewPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordLength,
  description: `Password, at least ${minPasswordLength} characters`,
})
export const LinkToken = Type.String({
  pattern: secretTokenPattern,
  description: 'The last part of the link',
})
export const RoleName = oneOf(roleNames, 'Role in the organization')

/** The signed-in person, the organization and the permissions. */
export const SignedIn = namedObject('SignedIn', {
  staff_id: Id,
  name: Name,
  email: Email,
  organization: Type.Object({
    corp_id: Id,
    name: Type.String(),
    time_zone: Type.String(),
    currency: Type.String(),
    pools: Type.Array(Type.String()),
    role: RoleName,
    permissions: Type.Array(Type.String()),
    color: described(Type.String(), 'Colour of the school as #rrggbb; empty: none'),
    logo_id: described(Type.String(), 'The logo is at /schools/{corp_id}/logo/{logo_id}; empty: none'),
  }),
  confirmed_until: IsoInstant,
  ways_to_confirm: Type.Array(oneOf(waysToConfirm), {
    description: 'How the person can confirm the session; provider: by signing in there again',
  }),
  support_until: described(
    InstantOrEmpty,
    'When the access of a support person ends, as confirmed_until; "" for staff',
  ),
})

export async function signedIn(
  access: ConsoleAccess,
  { app_id, name, role, session, organizations }: StaffCaller,
): Promise<Static<typeof SignedIn>> {
  const [{ corp_id, name: school, time_zone, currency, pools }] = organizations
  const { color, logo_id } = await findIssuer(access.of(corp_id, app_id), corp_id)
  return {
    staff_id: app_id,
    name,
    email: session.email,
    organization: {
      corp_id,
      name: school,
      time_zone,
      currency,
      pools,
      role,
      permissions: [...roles[role]],
      ...{ color, logo_id },
    },
    confirmed_until: new Date(session.confirmed_at.getTime() + confirmationMs).toISOString(),
    ways_to_confirm: session.waysToConfirm,
    support_until: session.support?.ends_at.toISOString() ?? '',
  }
}

export const exampleSignedIn: Static<typeof SignedIn> = {
  staff_id: exampleIds.staff_id,
  name: '王芳',
  email: 'wang.fang@example.com',
  organization: {
    corp_id: exampleIds.corp_id,
    name: 'Lakeside Business School',
    time_zone: 'Asia/Shanghai',
    currency: 'CNY',
    pools: ['alive', 'dead', 'public'],
    role: 'counsellor',
    permissions: ['read', 'write'],
    color: '#0a3f8f',
    logo_id: '',
  },
  confirmed_until: '2026-11-15T02:10:00.000Z',
  ways_to_confirm: ['password', 'passkey'],
  support_until: '',
}

export const exampleLink =
  'MDE5OGMwZGUwMDAwN2M0MWEyZjBkOGU2YjQ5MzcyMTU.Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12'
