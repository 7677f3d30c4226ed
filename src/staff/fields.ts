import { type Static, Type } from 'typebox'
import { Email, Id, IsoInstant, Name, namedObject, oneOf } from '../contract/fields.ts'
import { longestPassword, shortestPassword } from './password.ts'
import { roleNames, roles } from './roles.ts'
import { confirmationMs, type StaffCaller, waysToConfirm } from './sessions.ts'

export const Password = Type.String({ minLength: 1, maxLength: longestPassword, description: 'Password' })
export const NewPassword = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  description: `Password, at least ${shortestPassword} characters`,
})
export const LinkToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'What the address of the link ends with',
})
export const RoleName = oneOf(roleNames, 'What somebody works as in the organization')

/** Who is signed in, and what they may do where. */
export const SignedIn = namedObject('SignedIn', {
  staff_id: Id,
  name: Name,
  email: Email,
  organizations: Type.Array(
    Type.Object({
      corp_id: Id,
      name: Type.String(),
      time_zone: Type.String(),
      currency: Type.String(),
      pools: Type.Array(Type.String()),
      role: RoleName,
      permissions: Type.Array(Type.String()),
    }),
  ),
  confirmed_until: IsoInstant,
  ways_to_confirm: Type.Array(oneOf(waysToConfirm), {
    description: 'How they can prove once more to be there; provider: by signing in there again',
  }),
})

export function signedIn({ app_id, name, session, organizations }: StaffCaller): Static<typeof SignedIn> {
  return {
    staff_id: app_id,
    name,
    email: session.email,
    organizations: organizations.map(({ corp_id, name, time_zone, currency, pools, role }) => ({
      ...{ corp_id, name, time_zone, currency, pools },
      role,
      permissions: [...roles[role]],
    })),
    confirmed_until: new Date(session.confirmed_at.getTime() + confirmationMs).toISOString(),
    ways_to_confirm: session.waysToConfirm,
  }
}

export const exampleSignedIn: Static<typeof SignedIn> = {
  staff_id: '0198c0de77777c41a2f0d8e6b4937215',
  name: '王芳',
  email: 'wang.fang@example.com',
  organizations: [
    {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      name: 'Lakeside Business School',
      time_zone: 'Asia/Shanghai',
      currency: 'CNY',
      pools: ['alive', 'dead', 'public'],
      role: 'counsellor',
      permissions: ['read', 'write'],
    },
  ],
  confirmed_until: '2026-11-15T02:10:00.000Z',
  ways_to_confirm: ['password', 'passkey'],
}
