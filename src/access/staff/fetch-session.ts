import { staffEndpoint } from '../../contract/endpoint.ts'
import { Type } from '../../contract/type.ts'
import './console-context.ts'
import { exampleSignedIn, SignedIn, signedIn } from './fields.ts'

export const fetchSession = staffEndpoint({
  id: 'fetchSession',
  method: 'GET',
  path: '/api/v5/console/session/fetch',
  group: 'Console',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the session: person, school and permissions',
  input: Type.Object({}),
  data: SignedIn,
  example: { input: {}, data: exampleSignedIn },
  errors: ['sessionEnded'],

  async handle({ staff }) {
    return signedIn(staff)
  },
})
