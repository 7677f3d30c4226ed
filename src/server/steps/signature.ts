import type { Auth } from '../../access/tokens/auth.ts'
import { requireCallSignature } from '../../access/tokens/call-signature.ts'
import type { Account } from '../../contract/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Call } from '../call.ts'

/** Refuses a call that is not signed with a secret of the account, or whose signature was seen before. */
export async function requireSignature(
  auth: Auth,
  account: Account,
  { method, path }: Endpoint,
  { request, body = Buffer.alloc(0) }: Call,
  now: Date,
): Promise<void> {
  await requireCallSignature(auth, account, request.headers, { method, path, body }, now)
}
