// TypeScript declarations of the schemas of the OpenAPI document.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Types of requests accept more than those of responses: an amount may be a bigint. */
export type Direction = 'sent' | 'received'

/** Declares the components that types refer to, once each. */
export function createDeclarations(components: Record<string, JsonSchema>) {
  const declared = new Map<string, { direction: Direction; text: string }>()

  function typeOf(schema: JsonSchema, direction: Direction, name?: string): string {
    if (schema.$ref) return declare(schema.$ref.slice('#/components/schemas/'.length), direction)
    const { allOf, anyOf, oneOf } = schema
    const parts = allOf ?? anyOf ?? oneOf
    if (parts && (schema.properties || schema.type)) {
      const { allOf: _, anyOf: __, oneOf: ___, ...whole } = schema
      // Members that a variant requires are members of the whole.
      if (parts.every(({ properties, $ref }) => !properties && !$ref)) return typeOf(whole, direction, name)
    }
    if (allOf) return allOf.map((part) => typeOf(part, direction, name)).join(' & ')
    if (parts) return parts.map((part) => typeOf(part, direction, name)).join(' | ')
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    const types = [schema.type ?? 'unknown'].flat()
    return types.map((type) => typeOfOne(type, schema, direction, name)).join(' | ')
  }

  function typeOfOne(type: string, schema: JsonSchema, direction: Direction, name = ''): string {
    if (type === 'integer')
      return isMoney(name, schema) ? (direction === 'sent' ? 'Amount' : 'Minor') : 'number'
    if (type === 'array') return listOf(typeOf(schema.items ?? {}, direction, name))
    if (type === 'object') return objectOf(schema, direction)
    return ['number', 'string', 'boolean', 'null'].includes(type) ? type : 'unknown'
  }

  function objectOf(schema: JsonSchema, direction: Direction): string {
    const { properties, additionalProperties, patternProperties } = schema
    if (properties) return `{\n${membersOf(schema, direction).replace(/^(?=.)/gm, '  ')}\n}`
    const values = patternProperties ? Object.values(patternProperties)[0] : additionalProperties
    return `Record<string, ${typeof values === 'object' ? typeOf(values, direction) : 'unknown'}>`
  }

  function membersOf({ properties = {}, required = [] }: JsonSchema, direction: Direction): string {
    return Object.entries(properties)
      .map(([name, schema]) => memberOf(name, schema, required.includes(name), direction))
      .join('\n')
  }

  function memberOf(name: string, schema: JsonSchema, isRequired: boolean, direction: Direction): string {
    // The client adds the organization that it was made for.
    const isOptional = !isRequired || (direction === 'sent' && name === 'corp_id')
    // Callers may pass undefined for a member that is left out, also under exactOptionalPropertyTypes.
    const absent = isOptional && direction === 'sent' ? ' | undefined' : ''
    return `${commentOf(schema.description)}${keyOf(name)}${isOptional ? '?' : ''}: ${typeOf(schema, direction, name)}${absent}`
  }

  function declare(name: string, direction: Direction): string {
    const { [name]: schema } = components
    if (!schema) throw new Error(`The document has no schema ${name}`)
    const known = declared.get(name)
    if (known && known.direction !== direction)
      throw new Error(`${name} is both sent and received: its amounts need two types`)
    if (!known) {
      const place = { direction, text: '' }
      declared.set(name, place)
      place.text = declarationOf(name, schema, direction)
    }
    return name
  }

  function declarationOf(name: string, schema: JsonSchema, direction: Direction): string {
    const type = typeOf(schema, direction)
    const comment = commentOf(schema.description)
    return type.startsWith('{\n') && type.endsWith('\n}') && !type.includes('\n} ')
      ? `${comment}export interface ${name} ${type}`
      : `${comment}export type ${name} = ${type}`
  }

  return {
    typeOf,
    /** Declares a schema under a name, unless it is a component already. Returns its type. */
    declareAs(name: string, schema: JsonSchema, direction: Direction): string {
      if (schema.$ref || (schema.type !== 'object' && !schema.allOf)) return typeOf(schema, direction)
      declared.set(name, { direction, text: declarationOf(name, schema, direction) })
      return name
    },
    text: () =>
      [...declared]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { text }]) => text)
        .join('\n\n'),
    names: () => [...declared.keys()],
  }
}

/** Amounts in minor units. Names say so, and descriptions where the name does not. */
export function isMoney(name: string, { type, description = '' }: JsonSchema): boolean {
  return (
    [type].flat().includes('integer') &&
    (/(^|_)(price|charge)$/.test(name) || /minor units/i.test(description))
  )
}

/** A JSDoc comment; empty without a text. */
export function commentOf(text: string | undefined): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*∕').split('\n')
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function listOf(type: string): string {
  return /[|&{ ]/.test(type) ? `Array<${type}>` : `${type}[]`
}

function keyOf(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}
