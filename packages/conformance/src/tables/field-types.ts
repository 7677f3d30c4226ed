/**
 * The field tables of the interface as data: every name, type, default and limit, in the interface's order. Nothing
 * here is derived from the source of the service, which these tables are compared with.
 */

/** The types of the interface; a question mark allows null. */
export type FieldType = `${'String' | 'Integer' | 'Float' | 'Boolean' | 'List' | 'Dict'}${'' | '?'}`
export type Fields = Record<string, FieldType>

export interface RequestField {
  type: FieldType
  /** Absent: optional, or required under a condition. */
  required?: true
  default?: number | string
  maximum?: number
  /** The words that the interface lists. */
  values?: string[]
  /** The gap that a default, maximum or list of words fills: the interface does not show it here. */
  gap?: string
}

export interface OperationTable {
  method: 'GET' | 'POST'
  path: string
  since?: string
  request: Record<string, RequestField>
  /** The data of the answer: its members, or the type of the whole. */
  data: Fields | 'String'
  /** For data with rows: the member that holds them, and their members. */
  rows?: { member: string; fields: Fields }
  /** Members of which the interface shows more than one type, with the other ones. */
  alsoDeclared?: Record<string, FieldType[]>
  /** Members that the service adds behind those of the interface: of the rows, or of the data where it has none. */
  additions?: Fields
  /** Parameters that the service adds. They are optional: without them, the answer is that of the interface. */
  addedParameters?: string[]
}

export function fields(type: FieldType, names: string): Fields {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, type]))
}

export function required(names: string): Record<string, RequestField> {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, { type: 'String', required: true }]))
}

export function optional(type: FieldType, names: string): Record<string, RequestField> {
  return Object.fromEntries(names.split(/[\s,]+/).map((name) => [name, { type }]))
}
