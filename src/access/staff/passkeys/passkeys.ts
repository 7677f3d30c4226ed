import { publicEndpoint, type StaffContext, staffEndpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, Name } from '../../../contract/fields.ts'
import { readersSignIn } from '../../../contract/guard.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import {
  exampleSignedInOrSchools,
  SchoolOfAccount,
  SignedInOrSchools,
  signIn,
  signInOrChoose,
} from '../create-session.ts'
import { noteSpent } from '../session-store.ts'
import { accountOf } from '../sessions.ts'
import { readTicket, writeTicket } from '../ticket.ts'
import {
  CreationOptions,
  CredentialId,
  exampleCreationOptions,
  exampleNewCredential,
  examplePasskey,
  exampleRequestOptions,
  exampleUsedCredential,
  NewCredential,
  PasskeyRow,
  passkeyRow,
  RequestOptions,
  UsedCredential,
} from './passkey-fields.ts'
import { deletePasskey, insertPasskey, listPasskeysOf } from './passkey-store.ts'
import { askForPasskey, checkPasskey, textOf, usePasskey } from './use-passkey.ts'
import { challengeOf, creationOptions, verifiedRegistration } from './webauthn.ts'

const Passkeys = Type.Object({ list: Type.Array(PasskeyRow) })
const maxPasskeys = 20

export const listPasskeys = staffEndpoint({
  group: 'Console',
  id: 'listPasskeys',
  method: 'GET',
  path: '/api/v5/console/passkey/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the passkeys of the signed-in person',
  input: Type.Object({}),
  data: Passkeys,
  example: { input: {}, data: { list: [examplePasskey] } },
  errors: ['sessionEnded'],

  handle: shown,
})

export const beginPasskey = staffEndpoint({
  group: 'Console',
  id: 'beginPasskey',
  method: 'POST',
  path: '/api/v5/console/passkey/create/begin',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Fetch the options to create a passkey',
  input: Type.Object({}),
  data: Type.Object({ options: CreationOptions }),
  example: { input: {}, data: { options: exampleCreationOptions } },
  errors: ['sessionEnded', 'otherOrigin', 'siteUnknown', 'sessionLimited', 'stateForbids'],

  async handle({ staff, access, auth, now }) {
    refuseLimited(staff)
    const passkeys = await listPasskeysOf(access.of(staff.session.corp_id), accountOf(staff))
    if (passkeys.length >= maxPasskeys)
      throw new ApiError('stateForbids', { msg: `A person has at most ${maxPasskeys} passkeys.` })
    const person = { staff_id: staff.app_id, name: staff.name, email: staff.session.email }
    const content = { session_hash: staff.session.hash }
    const challenge = writeTicket(auth.keyring, 'passkey-registration', content, now)
    return { options: await creationOptions(access.site(), person, passkeys, challenge) }
  },
})

export const createPasskey = staffEndpoint({
  group: 'Console',
  id: 'createPasskey',
  method: 'POST',
  path: '/api/v5/console/passkey/create',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Store a passkey that the browser created',
  input: Type.Object({
    name: described(Name, 'Name that the owner chooses, such as the device'),
    credential: described(NewCredential, 'Result of navigator.credentials.create, by its toJSON'),
  }),
  data: Passkeys,
  example: {
    input: { name: examplePasskey.name, credential: exampleNewCredential },
    data: { list: [examplePasskey] },
  },
  errors: ['sessionEnded', 'otherOrigin', 'siteUnknown', 'sessionLimited', 'passkeyRefused'],

  async handle(context, { name, credential }) {
    const { staff, access, auth, now } = context
    refuseLimited(staff)
    const challenge = challengeOf(credential)
    const ticket = readTicket<{ session_hash: string }>(
      auth.keyring,
      'passkey-registration',
      textOf(challenge),
      now,
    )
    if (ticket?.content.session_hash !== staff.session.hash) throw new ApiError('passkeyRefused')
    const made = await verifiedRegistration(access.site(), credential, challenge)
    const account = accountOf(staff)
    const on = access.of(account.corp_id)
    if (!made || !(await noteSpent(on, account.corp_id, ticket, now))) throw new ApiError('passkeyRefused')
    const isNew = await insertPasskey(on, {
      ...account,
      credential_id: made.id,
      name,
      ctime: now,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: credential.response.transports ?? [],
    })
    if (!isNew) throw new ApiError('passkeyRefused')
    return shown(context)
  },
})

export const removePasskey = staffEndpoint({
  group: 'Console',
  id: 'removePasskey',
  method: 'POST',
  path: '/api/v5/console/passkey/remove',
  guard: { effect: 'irreversible', people: 'none' },
  summary: 'Remove a passkey',
  input: Type.Object({ credential_id: CredentialId }),
  data: Passkeys,
  example: { input: { credential_id: examplePasskey.credential_id }, data: { list: [] } },
  errors: ['sessionEnded', 'otherOrigin', 'sessionLimited', 'passkeyNotFound'],

  async handle(context, { credential_id }) {
    const { staff, access } = context
    refuseLimited(staff)
    if (!(await deletePasskey(access.of(staff.session.corp_id), { ...accountOf(staff), credential_id })))
      throw new ApiError('passkeyNotFound')
    return shown(context)
  },
})

async function shown({ staff, access }: StaffContext) {
  const passkeys = await listPasskeysOf(access.of(staff.session.corp_id), accountOf(staff))
  return { list: passkeys.map(passkeyRow) }
}

/** A passkey would still open the account after the provider removes the person. */
function refuseLimited({ session }: StaffContext['staff']): void {
  if (session.is_vouched) throw new ApiError('sessionLimited')
}

const shared = { group: 'Console', method: 'POST' } as const
const Options = Type.Object({ options: RequestOptions })
const example = { input: {}, data: { options: exampleRequestOptions } }

export const beginPasskeySignIn = publicEndpoint({
  ...shared,
  id: 'beginPasskeySignIn',
  path: '/api/v5/console/session/passkey/begin',
  guard: { effect: 'changes', people: 'none', ...readersSignIn },
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
    ...readersSignIn,
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
  errors: ['passkeyRefused', 'organizationSuspended', 'otherOrigin', 'siteUnknown', 'tooManyRequests'],

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
  guard: { effect: 'changes', people: 'none', ...readersSignIn },
  summary: 'Fetch the options to confirm the session with a passkey',
  input: Type.Object({}),
  data: Options,
  example,
  errors: ['sessionEnded', 'otherOrigin', 'siteUnknown'],

  async handle(context) {
    return { options: await askForPasskey(context, 'passkey-confirmation', context.staff) }
  },
})
