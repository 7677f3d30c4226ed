// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as any reader of JSON would.
type Json = any

interface Member {
  /** The path of names that leads to the member. */
  place: string
  schema: Json
}

/** Every member of every schema of an OpenAPI document, and every parameter. */
export function membersOf(document: Json): Member[] {
  const members: Member[] = []
  const visit = (schema: Json, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      members.push({ place: `${place}.${name}`, schema: member })
      visit(member, `${place}.${name}`)
    }
    for (const part of ['items', 'additionalProperties', 'propertyNames']) visit(schema[part], place)
    for (const part of ['allOf', 'anyOf', 'oneOf']) for (const each of schema[part] ?? []) visit(each, place)
  }
  const note = (parameter: Json, place: string) => {
    const { $ref, name, schema, description } = parameter
    if (!$ref) members.push({ place: `${place}.${name}`, schema: { ...schema, description } })
  }
  const { schemas, parameters, responses } = document.components
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name)
  for (const parameter of Object.values(parameters)) note(parameter, 'parameters')
  for (const [name, { content }] of Object.entries<Json>(responses))
    visit(content?.['application/json'].schema, name)
  for (const operations of Object.values<Json>(document.paths))
    for (const { operationId, parameters } of Object.values<Json>(operations))
      for (const parameter of parameters) note(parameter, operationId)
  return members
}
