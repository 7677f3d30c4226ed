import type { FieldType } from './tables/field-types.ts'

const typeNames: Record<string, string> = { string: 'String', boolean: 'Boolean', object: 'Dict' }

/** The interface's name for the type of a JSON value; null for null. */
export function typeOf(value: unknown): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return 'List'
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Float'
  return typeNames[typeof value] ?? typeof value
}

export function isOfType(value: unknown, type: FieldType): boolean {
  const found = typeOf(value)
  const wanted = type.replace('?', '')
  if (found === null) return type.endsWith('?')
  // JSON writes 120.0 as 120.
  return found === wanted || (wanted === 'Float' && found === 'Integer')
}
