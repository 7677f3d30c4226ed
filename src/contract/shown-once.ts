import type { TSchema } from 'typebox'
import { masking } from './contacts.ts'

/** How the schemas of answers say which members are secrets that are shown once. */
export const shownOnceKeyword = 'x-shown-once'

/** Marks a member of an answer that is kept nowhere: an answer that is kept for its Idempotency-Key has "" instead. */
export function shownOnce<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, [shownOnceKeyword]: true }
}

/** What takes the secrets out of the text of an answer that is to be kept; undefined where there are none. */
export function secretRemover(schema: TSchema): ((response: string) => string) | undefined {
  const remove = masking(schema, (member) => (shownOnceKeyword in member ? emptied : undefined))
  if (!remove) return undefined
  return (response) => {
    const envelope = JSON.parse(response)
    return JSON.stringify({ ...envelope, data: remove(envelope.data) })
  }
}

function emptied(value: unknown): unknown {
  return value === null ? null : ''
}
