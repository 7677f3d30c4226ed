import type { InputFault } from './errors.ts'
import type { TSchema } from './type.ts'

/** The parts of a schema that limit a value. */
interface Bounds {
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  maxItems?: number
  maxProperties?: number
  maxLength?: number
}

/** Reads a value. Undefined if it is absent, or too large to be read. */
type Read = (value: unknown, path: string, faults: InputFault[]) => unknown

/**
 * Reads a body before it is validated: declared members that are not absent. Counts and lengths are checked first, before
 * any item, so that the contract and not the caller limits the work.
 */
export function bodyReader(schema: TSchema, isAbsent: (value: unknown) => boolean): Read {
  const { properties, required, items, maxItems, maxProperties, maxLength } = schema as Bounds
  if (properties) return objectReader(properties, new Set(required), isAbsent)
  if (items) return listReader(bodyReader(items, isAbsent), maxItems!)
  if (maxProperties !== undefined) return mapReader(maxProperties)
  if (maxLength !== undefined) return textReader(maxLength)
  return (value) => value
}

/** Many serializers write null for absent members. */
export function isNull(value: unknown): boolean {
  return value === null
}

/** Forms and spreadsheets send empty fields, for any type. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (Array.isArray(value) && value.length === 0)
}

function objectReader(
  properties: Record<string, TSchema>,
  required: Set<string>,
  isAbsent: (value: unknown) => boolean,
): Read {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, required.has(name), bodyReader(schema, isAbsent)] as const,
  )
  return (value, path, faults) => {
    if (!isObject(value)) return value
    const object: Record<string, unknown> = {}
    for (const [name, isRequired, read] of members) {
      // An own member only: those of the prototype were not sent.
      if (!Object.hasOwn(value, name)) continue
      const sent = value[name]
      if (!isRequired && isAbsent(sent)) continue
      const found = read(sent, path === '' ? name : `${path}.${name}`, faults)
      if (found !== undefined) object[name] = found
    }
    return object
  }
}

function listReader(read: Read, most: number): Read {
  return (value, path, faults) => {
    if (!Array.isArray(value)) return value
    if (value.length > most)
      return void faults.push({ param: path, reason: `must have at most ${most} items` })
    return value.map((item, index) => read(item, `${path}.${index}`, faults))
  }
}

function mapReader(most: number): Read {
  return (value, path, faults) => {
    if (!isObject(value) || Object.keys(value).length <= most) return value
    faults.push({ param: path, reason: `must have at most ${most} members` })
    return undefined
  }
}

/** A longer text in UTF-16 units has too many characters for sure: its formats are not checked. */
function textReader(most: number): Read {
  return (value, path, faults) => {
    if (typeof value !== 'string' || value.length <= 2 * most) return value
    faults.push({ param: path, reason: `must be at most ${most} characters long` })
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
