import { Type } from 'typebox'
import { staffEndpoint } from '../contract/endpoint.ts'
import './console-context.ts'
import { noteSignOut } from './note-sign-in.ts'

export const endSession = staffEndpoint({
  id: 'endSession',
  method: 'POST',
  path: '/api/v5/console/session/end',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Sign out, here or everywhere',
  input: Type.Object({
    everywhere: Type.Optional(Type.Boolean({ description: 'Ends all sessions of this person' })),
  }),
  data: Type.Object({}),
  example: { input: { everywhere: true }, data: {} },
  errors: ['sessionEnded', 'otherOrigin'],

  async handle({ auth, staff, door }, { everywhere = false }) {
    if (everywhere) await auth.sessions.endAll(staff.app_id, staff.session.corp_id)
    else await auth.sessions.end(staff.session.hash)
    const corp_ids = staff.organizations.map(({ corp_id }) => corp_id)
    await noteSignOut(door, staff.app_id, { corp_ids, everywhere })
    door.keepSession(null)
    return {}
  },
})
