/** The parts of a JSON schema that the tables describe. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: string[]
  default?: unknown
  maximum?: number
}

const typeNames: Record<string, string> = {
  string: 'String',
  integer: 'Integer',
  number: 'Float',
  boolean: 'Boolean',
  array: 'List',
  object: 'Dict',
}

/** The types of the interface that a schema takes; with a question mark where null is among them. */
export function schemaTypesOf({ type = [] }: Schema): string[] {
  const types = [type].flat()
  const mark = types.includes('null') ? '?' : ''
  return types.filter((name) => name !== 'null').map((name) => `${typeNames[name]}${mark}`)
}
