import type { TSchema } from 'typebox'
import type { InputFault } from './errors.ts'

/** As much of a schema as bounds a value. */
interface Bounds {
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  maxItems?: number
  maxProperties?: number
  maxLength?: number
}

/** What a value says; undefined where it is left out, or too large to be looked into. */
type Read = (value: unknown, path: string, faults: InputFault[]) => unknown

/**
 * Reads a body before it is validated: members that the schema knows, without those that count as left out. Counts and
 * lengths are checked here, before any item is looked at, so that the work of a request is bounded by its contract and
 * not by the caller.
 */
export function bodyReader(schema: TSchema, isAbsent: (value: unknown) => boolean): Read {
  const { properties, required, items, maxItems, maxProperties, maxLength } = schema as Bounds
  if (properties) return objectReader(properties, new Set(required), isAbsent)
  if (items) return listReader(bodyReader(items, isAbsent), maxItems!)
  if (maxProperties !== undefined) return mapReader(maxProperties)
  if (maxLength !== undefined) return textReader(maxLength)
  return (value) => value
}

/** Many serialisers write null where there is nothing. */
export function isNull(value: unknown): boolean {
  return value === null
}

/** Forms and spreadsheets send their empty fields along, whatever the type. */
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

/** No text of so many UTF-16 units has few enough characters: its formats need not be tried. */
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
