import type { Keyring } from '../organizations/keyring.ts'
import { hashOfToken } from './secret-token.ts'

/**
 * A ticket is sealed state that a browser carries: it can neither read nor change it. It is valid for one purpose, once, for
 * a few minutes. Unused tickets are not stored, so that unauthenticated callers cannot fill the database.
 */
export type TicketPurpose = 'passkey-registration' | 'passkey-sign-in' | 'passkey-confirmation' | 'provider'

export const ticketLifeMs = 5 * 60 * 1000

interface Ticket<Content> {
  content: Content
  ticket_hash: string
  ends_at: Date
}

export function writeTicket(keyring: Keyring, purpose: TicketPurpose, content: object, now: Date): string {
  const endsAtMs = now.getTime() + ticketLifeMs
  const sealed = keyring.seal(`ticket:${purpose}`, JSON.stringify({ content, endsAtMs }))
  return `${sealed.secret_key_id}.${sealed.secret_box.toString('base64url')}`
}

/** Undefined for forged and expired tickets, and for those of another purpose. */
export function readTicket<Content>(
  keyring: Keyring,
  purpose: TicketPurpose,
  text: string,
  now: Date,
): Ticket<Content> | undefined {
  const [secret_key_id = '', box = ''] = text.split('.')
  const secret_box = Buffer.from(box, 'base64url')
  // base64url has several spellings of the same bytes; only the canonical one is accepted.
  if (text !== `${secret_key_id}.${secret_box.toString('base64url')}`) return undefined
  try {
    const opened = keyring.open(`ticket:${purpose}`, { secret_key_id, secret_box })
    const { content, endsAtMs } = JSON.parse(opened)
    if (endsAtMs <= now.getTime()) return undefined
    return { content, ticket_hash: hashOfToken(text), ends_at: new Date(endsAtMs) }
  } catch {
    return undefined
  }
}
