import { publicEndpoint, staffEndpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import {
  exampleSignedInOrSchools,
  SchoolOfAccount,
  SignedInOrSchools,
  signIn,
  signInOrChoose,
} from '../create-session.ts'
import {
  exampleRequestOptions,
  exampleUsedCredential,
  RequestOptions,
  UsedCredential,
} from './passkey-fields.ts'
import { askForPasskey, checkPasskey, usePasskey } from './use-passkey.ts'

const shared = { group: 'Console', method: 'POST' } as const
const Options = Type.Object({ options: RequestOptions })
const example = { input: {}, data: { options: exampleRequestOptions } }

export const beginPasskeySignIn = publicEndpoint({
  ...shared,
  id: 'beginPasskeySignIn',
  path: '/api/v5/console/session/passkey/begin',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Fetch the options to sign in with a passkey',
  input: Type.Object({}),
  data: Options,
  example,
  errors: ['otherOrigin', 'siteUnknown'],

  async handle(context) {
    return { options: await askForPasskey(context, 'passkey-sign-in') }
  },
})

export const signInByPasskey = publicEndpoint({
  ...shared,
  id: 'signInByPasskey',
  path: '/api/v5/console/session/passkey',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The passkey identifies the person.',
    limit: 'failed sign-ins',
  },
  summary: 'Sign in with a passkey',
  description:
    'The passkey identifies the person, without address and password. If it matches accounts in several schools, the ' +
    'response lists the schools: repeat the call with the corp_id of one of them.',
  input: Type.Object({
    credential: described(UsedCredential, 'Result of navigator.credentials.get, by its toJSON'),
    corp_id: SchoolOfAccount,
  }),
  data: SignedInOrSchools,
  example: { input: { credential: exampleUsedCredential }, data: exampleSignedInOrSchools },
  errors: ['passkeyRefused', 'otherOrigin', 'siteUnknown', 'tooManyRequests'],

  async handle(context, { credential, corp_id }) {
    const uses = await checkPasskey(context, 'passkey-sign-in', credential, { session_hash: null, corp_id })
    if (uses.length === 0) throw new ApiError('passkeyRefused')
    const accounts = uses.map((use) => {
      const { corp_id, staff_id } = use.passkey
      return { corp_id, staff_id, use }
    })
    return signInOrChoose(context, accounts, ({ use, ...account }) =>
      signIn(context, account, { credential_id: credential.id }, (tx) => usePasskey(tx, use, context.now)),
    )
  },
})

export const beginPasskeyConfirmation = staffEndpoint({
  ...shared,
  id: 'beginPasskeyConfirmation',
  path: '/api/v5/console/session/confirm/begin',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Fetch the options to confirm the session with a passkey',
  input: Type.Object({}),
  data: Options,
  example,
  errors: ['sessionEnded', 'otherOrigin', 'siteUnknown'],

  async handle(context) {
    return { options: await askForPasskey(context, 'passkey-confirmation', context.staff) }
  },
})
