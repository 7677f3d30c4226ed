import type { TSchema } from './type.ts'

/** Marks contact members in the schemas of responses. */
export const contactKeyword = 'x-contact'

/** A number, an address, an id such as that of WeChat, or an object with such members at any depth. */
type ContactKind = 'mobile' | 'email' | 'id' | 'members'

/** Marks a member as a contact: staff see it masked. */
export function contact<Schema extends TSchema>(kind: ContactKind, schema: Schema): Schema {
  return { ...schema, [contactKeyword]: kind }
}

export type Mask = (value: unknown) => unknown

/** Masks the contacts in data of a schema. Undefined if it has none. */
export function maskOf(schema: TSchema): Mask | undefined {
  return masking(schema, (member) => {
    const { [contactKeyword]: kind } = member as { [contactKeyword]?: ContactKind }
    return kind && masks[kind]
  })
}

/** Changes the members for whose schema `maskFor` returns a mask. Undefined if there are none. */
function masking(schema: TSchema, maskFor: (schema: TSchema) => Mask | undefined): Mask | undefined {
  const own = maskFor(schema)
  if (own) return own
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  const ofItem = items && masking(items, maskFor)
  if (ofItem) return (list) => (Array.isArray(list) ? list.map(ofItem) : list)
  const members = Object.entries(properties ?? {}).flatMap(([name, member]): [string, Mask][] => {
    const mask = masking(member, maskFor)
    return mask ? [[name, mask]] : []
  })
  return members.length > 0 ? (value) => withMasked(value, members) : undefined
}

function withMasked(value: unknown, members: [string, Mask][]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const masked: Record<string, unknown> = { ...value }
  for (const [name, mask] of members) if (Object.hasOwn(masked, name)) masked[name] = mask(masked[name])
  return masked
}

const dots = '••••'
/** Digits at the end of a number that its mask shows. */
export const shownEnd = 4
const fewestToShowEnd = 8

/** 13800135678 → 138••••5678. A short number shows less. */
export function maskMobile(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  return isEndShown(value)
    ? `${value.slice(0, 3)}${dots}${value.slice(-shownEnd)}`
    : `${dots}${value.slice(-2)}`
}

/** Whether the mask of a number shows its last four digits. */
export function isEndShown(mobile: string): boolean {
  return mobile.length >= fewestToShowEnd
}

/** The end of a copied mask: 5678 of 138••••5678. */
export function endOfMask(text: string): string | undefined {
  return /^[0-9]{3}•{4}([0-9]{4})$/.exec(text.trim())?.[1]
}

/** wang@example.com → w•••@example.com. */
export function maskEmail(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  const at = value.lastIndexOf('@')
  return `${Array.from(value)[0]}•••${at < 0 ? '' : value.slice(at)}`
}

/** Masks everything in a free text that may be an address or a number. */
export function maskText(text: string): string {
  const masked = text
    .replace(/[^\s,;<>]+@[^\s,;<>]+/g, (address) => maskEmail(address) as string)
    .replace(/\+?\d(\D{0,3}\d){6,}/g, (number) => maskMobile(number) as string)
  return masked === text && text.includes('@') ? (maskEmail(text) as string) : masked
}

/** wxid_wang88 → w•••8. A short id shows nothing. */
function maskId(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value
  const letters = Array.from(value)
  return letters.length < 5 ? '•••' : `${letters[0]}•••${letters.at(-1)}`
}

const contactNames: Record<string, Mask> = {
  mobile: maskMobile,
  backup_mobile: maskMobile,
  email: maskEmail,
  wechat_id: maskId,
}

function maskMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, (contactNames[name] ?? maskMembers)(member)]),
  )
}

const masks: Record<ContactKind, Mask> = {
  mobile: maskMobile,
  email: maskEmail,
  id: maskId,
  members: maskMembers,
}

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
