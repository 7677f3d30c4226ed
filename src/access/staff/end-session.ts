import { staffEndpoint } from '../../contract/endpoint.ts'
import { Type } from '../../contract/type.ts'
import './console-context.ts'
import { noteSignOut } from './note-sign-in.ts'
import { accountOf } from './sessions.ts'

export const endSession = staffEndpoint({
  id: 'endSession',
  method: 'POST',
  path: '/api/v5/console/session/end',
  group: 'Console',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Sign out, here or everywhere',
  input: Type.Object({
    everywhere: Type.Optional(Type.Boolean({ description: 'Ends all sessions of this account' })),
  }),
  data: Type.Object({}),
  example: { input: { everywhere: true }, data: {} },
  errors: ['sessionEnded', 'otherOrigin'],

  async handle({ auth, staff, access }, { everywhere = false }) {
    if (everywhere) await auth.sessions.endAll(accountOf(staff))
    else await auth.sessions.end(staff.session)
    await noteSignOut(access, accountOf(staff), everywhere)
    access.keepSession(null)
    return {}
  },
})
