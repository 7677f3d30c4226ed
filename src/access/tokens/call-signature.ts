import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { noteSignature } from '../organizations/account-store.ts'
import { findSecrets } from '../organizations/secret-store.ts'
import type { Auth } from './auth.ts'
import { isSame } from './signature.ts'

/** The signed parts of a call. */
export interface SignedCall {
  method: string
  /** Without the query string. */
  path: string
  /** The bytes as they were sent. */
  body: Buffer
}

const toleranceMs = 300_000

/** The hexadecimal HMAC-SHA-256, with the account's secret, over four lines: time stamp, method, path, SHA-256 of the body. */
export function callSignatureOf(
  secret: string,
  timeStamp: string,
  { method, path, body }: SignedCall,
): string {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', secret).update([timeStamp, method, path, bodyHash].join('\n')).digest('hex')
}

/** Refuses a call that is unsigned, altered or repeated: a stolen token alone moves no money. */
export async function requireCallSignature(
  { accounts, keyring }: Auth,
  { app_id }: Account,
  headers: IncomingHttpHeaders,
  call: SignedCall,
  now: Date,
): Promise<void> {
  const [timeStamp, signature] = [headers['x-signature-timestamp'], headers['x-signature']].map(String)
  if (headers['x-signature'] === undefined || headers['x-signature-timestamp'] === undefined)
    throw new ApiError('callUnsigned')
  const sealed = await findSecrets(accounts, app_id, now)
  const matching = sealed.filter((each) =>
    isSame(callSignatureOf(keyring.open(app_id, each), timeStamp!, call), signature!.toLowerCase()),
  )
  if (matching.length === 0) throw new ApiError('callSignatureWrong')
  const isRecent =
    /^[0-9]{10}$/.test(timeStamp!) && Math.abs(Number(timeStamp) * 1000 - now.getTime()) <= toleranceMs
  const oldest = new Date(now.getTime() - 2 * toleranceMs)
  const seen = { app_id, signature: signature!.toLowerCase(), now, oldest }
  if (!isRecent || !(await noteSignature(accounts, seen))) throw new ApiError('callSignatureStale')
}
