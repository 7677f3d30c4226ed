import { masking } from './contacts.ts'
import type { TSchema } from './type.ts'

/** Marks secrets in the schemas of responses. */
export const shownOnceKeyword = 'x-shown-once'

/** Marks a secret that is shown once. A response stored for an Idempotency-Key has "" instead. */
export function shownOnce<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, [shownOnceKeyword]: true }
}

/** Removes the secrets from the text of a response. Undefined if there are none. */
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
