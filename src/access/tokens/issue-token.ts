import { accountEndpoint, exampleIds, type PublicContext, publicEndpoint } from '../../contract/endpoint.ts'
import { ApiError, type InputFault } from '../../contract/errors.ts'
import { described, Id, IsoInstant, optionalLine } from '../../contract/fields.ts'
import { readersSignIn } from '../../contract/guard.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import { isWithin } from '../client-address.ts'
import {
  type GrantedAccount,
  hasEnded,
  isSuspendedEverywhere,
  noteSignature,
} from '../organizations/account-store.ts'
import { findSecrets, type StoredSecret } from '../organizations/secret-store.ts'
import { isSame, signatureOf } from './signature.ts'

/** Interface › Token and verification › token. Accepts the body as in the table and as in the sample. */
export const issueToken = publicEndpoint({
  id: 'issueToken',
  method: 'POST',
  path: '/api/v5/authentication/token',
  group: 'Tokens',
  since: 'Ver5.2023-11-01',
  guard: {
    effect: 'grants',
    people: 'none',
    unconfirmed: 'The signature proves that the program has the secret.',
    limit: 'failed sign-ins',
    ...readersSignIn,
  },
  summary: 'Obtain an access token',
  description:
    'Send the account as `app_id` or `user_id`; both, if they agree. `signature` is the hexadecimal SHA-256 of ' +
    'app_id + time_stamp + secret. The secret itself need not travel; where it does, it must match.',
  input: Type.Object({
    app_id: Type.Optional(described(Id, 'Account (another name for user_id)')),
    user_id: Type.Optional(described(Id, 'Account')),
    user_api_secret: optionalLine(longest.shortText, 'API secret'),
    signature: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Hexadecimal SHA-256, 64 digits' }),
    time_stamp: Type.Unsafe<string | number>({
      type: ['string', 'number'],
      pattern: '^[0-9]{10,}(\\.[0-9]+)?$',
      minimum: 1_000_000_000,
      description:
        'Unix time, or any number of at least ten digits, with or without a fraction; signed as it is sent',
    }),
  }),
  oneOfSets: [['app_id'], ['user_id']],
  rules: accountIsNamedOnce,
  data: Type.Object({ token: Type.String(), expire_time: IsoInstant }),
  example: {
    input: {
      app_id: exampleIds.app_id,
      time_stamp: '1731628800',
      signature: '5f0d7c6f7f0f6a6de2fba0a1bb8e1a0c7d4a3f0d9f5b7d0f3f6f4f1f0c2b1a09',
    },
    data: { token: 'eyJhbGciOiJIUzI1NiJ9.…', expire_time: '2026-11-15T04:00:00.000Z' },
  },
  errors: ['badSignature', 'staleTimeStamp', 'addressNotAllowed', 'organizationSuspended', 'tooManyRequests'],

  async handle(context, input) {
    const appId = (input.app_id ?? input.user_id)!
    const timeStamp = String(input.time_stamp)
    const { auth, address, now } = context
    const signer = await auth.failures.check({ appId, address }, now, () =>
      findSigner(context, appId, timeStamp, input),
    )
    if (!signer) throw new ApiError('badSignature')
    const { account, secret } = signer
    const { allowed_networks } = account
    if (allowed_networks.length > 0 && !isWithin(allowed_networks, address))
      throw new ApiError('addressNotAllowed')
    if (isSuspendedEverywhere(account)) throw new ApiError('organizationSuspended')
    await checkTimeStamp(context, account, timeStamp, input.signature.toLowerCase())

    const { token, expires } = auth.accessTokens.issue(account, secret, context.newId(), now)
    return { token, expire_time: expires.toISOString() }
  },
})

function accountIsNamedOnce(
  { app_id, user_id }: { app_id?: string; user_id?: string },
  isSent: (name: string) => boolean,
): InputFault[] {
  if (!isSent('app_id') && !isSent('user_id')) {
    return [{ param: 'app_id', reason: 'is required (or user_id)', missing: true }]
  }
  if (app_id !== undefined && user_id !== undefined && app_id !== user_id) {
    return [{ param: 'user_id', reason: 'must agree with app_id where both are sent' }]
  }
  return []
}

interface Signer {
  account: GrantedAccount
  /** The secret that made the signature. */
  secret: StoredSecret
}

/**
 * Undefined for a wrong signature, and for an account that does not exist or has ended. Reads the account without the
 * cache: a token with an old epoch would be refused a second later.
 */
async function findSigner(
  context: PublicContext,
  appId: string,
  timeStamp: string,
  { signature, user_api_secret }: { signature: string; user_api_secret?: string },
): Promise<Signer | undefined> {
  const { auth, now } = context
  const [account, kept] = await Promise.all([
    auth.directory.read(appId),
    findSecrets(auth.accounts, appId, now),
  ])
  const opened = openedSecrets(context, appId, kept)
  const matching = opened.filter((each) =>
    isSame(signatureOf(appId, timeStamp, each), signature.toLowerCase()),
  )
  const [text] = matching
  const secret = text === undefined ? undefined : kept[opened.indexOf(text)]
  const matches = text !== undefined && (user_api_secret === undefined || isSame(text, user_api_secret))
  return matches && secret && account && !hasEnded(account, now) ? { account, secret } : undefined
}

/** The secrets of an account. For an unknown account a dummy at the same cost, so that timing does not tell. */
function openedSecrets({ auth }: PublicContext, appId: string, kept: StoredSecret[]): string[] {
  const sealed = kept.length > 0 ? kept : [auth.keyring.seal(appId, 'nobody has this secret')]
  return sealed.map((each) => auth.keyring.open(appId, each))
}

const minuteMs = 60_000

/** Refuses a time stamp that the rule of the account excludes, and names the rule. */
async function checkTimeStamp(
  { auth, now }: PublicContext,
  { app_id, time_stamps }: GrantedAccount,
  timeStamp: string,
  signature: string,
): Promise<void> {
  if (time_stamps === 'any') return
  const minutes = time_stamps === 'recent' ? 10 : 5
  const toleranceMs = minutes * minuteMs
  // Unix time in seconds or in milliseconds, whichever is near the current time.
  const isRecent = [1000, 1].some(
    (unitMs) => Math.abs(Number(timeStamp) * unitMs - now.getTime()) <= toleranceMs,
  )
  if (!isRecent) {
    const msg = `time_stamp is more than ${minutes} minutes off: this account accepts the current Unix time, in seconds or milliseconds.`
    throw new ApiError('staleTimeStamp', { msg })
  }
  if (time_stamps === 'recent') return
  const oldest = new Date(now.getTime() - 2 * toleranceMs)
  if (await noteSignature(auth.accounts, { app_id, signature, now, oldest })) return
  throw new ApiError('staleTimeStamp', {
    msg: 'time_stamp was used before: this account accepts each signature once, so send a later time stamp.',
  })
}

/** Interface › Token and verification › verify. The call itself checks the token. */
export const verifyToken = accountEndpoint({
  id: 'verifyToken',
  method: 'GET',
  path: '/api/v5/authentication/verify',
  group: 'Tokens',
  since: 'Ver5.2023-11-01',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Check that a token is valid',
  input: Type.Object({}),
  data: Type.Object({ app_id: Type.String(), result: Type.String(), time: IsoInstant }),
  example: {
    input: {},
    data: { app_id: exampleIds.app_id, result: 'valid', time: '2026-11-15T02:00:00.000Z' },
  },
  async handle({ account, now }) {
    return { app_id: account.app_id, result: 'valid', time: now.toISOString() }
  },
})
