import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { call, type DataOf, type InputOf } from './call.ts'

/** Whether this browser, at this address, has passkeys at all. */
export const hasPasskeys = browserSupportsWebAuthn()

/** Undefined where the person would rather not, or has none here: that is no failure of ours. */
async function unlessCancelled<Credential>(asked: Promise<Credential>): Promise<Credential | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined
    throw error
  }
}

/** A way to sign in that has been tried; where it opens several schools, `into` enters one of them. */
export interface TriedSignIn {
  answer: DataOf<'signInByPasskey'>
  into(corp_id: string): Promise<DataOf<'signInByPasskey'>>
}

/** Signs in by whichever passkey the person picks; undefined where they pick none. */
export async function signInByPasskey(): Promise<TriedSignIn | undefined> {
  const { options } = await call('beginPasskeySignIn', {})
  const credential = await unlessCancelled(startAuthentication({ optionsJSON: options }))
  if (!credential) return undefined
  const into = (corp_id?: string) =>
    call('signInByPasskey', { credential, corp_id } as InputOf<'signInByPasskey'>)
  return { answer: await into(), into }
}

/** Proves by a passkey of the person that they are there; false where they would rather not. */
export async function confirmByPasskey(): Promise<boolean> {
  const { options } = await call('beginPasskeyConfirmation', {})
  const credential = await unlessCancelled(startAuthentication({ optionsJSON: options }))
  if (credential) await call('confirmSession', { credential } as InputOf<'confirmSession'>)
  return credential !== undefined
}

/** Makes a passkey on this device, under the name that its owner gives it; undefined where they would rather not. */
export async function makePasskey(name: string): Promise<DataOf<'createPasskey'> | undefined> {
  const { options } = await call('beginPasskey', {})
  const credential = await unlessCancelled(startRegistration({ optionsJSON: options }))
  return credential && call('createPasskey', { name, credential } as InputOf<'createPasskey'>)
}
