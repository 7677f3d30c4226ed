import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { call, type DataOf, type InputOf } from './call.ts'

/** Whether the browser supports passkeys at this address. */
export const hasPasskeys = browserSupportsWebAuthn()

/** Undefined if the person cancels or has no passkey here; this is no error. */
async function unlessCancelled<Credential>(asked: Promise<Credential>): Promise<Credential | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined
    throw error
  }
}

/** A sign-in attempt. If it opens several schools, `into` enters one of them. */
export interface TriedSignIn {
  answer: DataOf<'signInByPasskey'>
  into(corp_id: string): Promise<DataOf<'signInByPasskey'>>
}

/** Signs in with the passkey that the person chooses; undefined if they cancel. */
export async function signInByPasskey(): Promise<TriedSignIn | undefined> {
  const { options } = await call('beginPasskeySignIn', {})
  const credential = await unlessCancelled(startAuthentication({ optionsJSON: options }))
  if (!credential) return undefined
  const into = (corp_id?: string) =>
    call('signInByPasskey', { credential, corp_id } as InputOf<'signInByPasskey'>)
  return { answer: await into(), into }
}

/** Confirms the person's identity with a passkey; false if they cancel. */
export async function confirmByPasskey(): Promise<boolean> {
  const { options } = await call('beginPasskeyConfirmation', {})
  const credential = await unlessCancelled(startAuthentication({ optionsJSON: options }))
  if (credential) await call('confirmSession', { credential } as InputOf<'confirmSession'>)
  return credential !== undefined
}

/** Creates a passkey on this device; undefined if the person cancels. */
export async function makePasskey(name: string): Promise<DataOf<'createPasskey'> | undefined> {
  const { options } = await call('beginPasskey', {})
  const credential = await unlessCancelled(startRegistration({ optionsJSON: options }))
  return credential && call('createPasskey', { name, credential } as InputOf<'createPasskey'>)
}
