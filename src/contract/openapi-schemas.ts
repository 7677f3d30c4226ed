import type { formats } from './formats.ts'
import type { TSchema } from './type.ts'

type Json = Record<string, unknown>

/** Standard formats for our own. The introduction explains texts. */
const publicFormats: Record<keyof typeof formats, Json> = {
  line: {},
  text: {},
  email: { format: 'email' },
  date: { format: 'date' },
  base64: { pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$' },
  'area-code': { pattern: '^[1-9][0-9]{0,2}$' },
  mobile: { pattern: '^[0-9]{1,14}$' },
  'local-time': { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?$' },
  'clearable-date': { pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2})?$' },
  'clearable-time': { pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?)?$' },
}

/** Collects the schemas of a document. Those with a title become components, and others refer to them. */
export function createSchemas() {
  const schemas: Record<string, Json> = {}

  /** Adds a named schema. */
  function put(name: string, schema: Json): Json {
    const { [name]: known } = schemas
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are called ${name}`)
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The schema in the form of the document. */
  function publish(schema: TSchema): Json {
    const { title, ...rest } = schema as Json
    if (typeof title !== 'string') return written(rest)
    const { description, ...named } = written(rest)
    return { ...put(title, named), ...(description !== undefined && { description }) }
  }

  function written(schema: Json): Json {
    const { format, ...rest } = schema
    const shown: Json = { ...rest, ...publicFormats[format as keyof typeof formats] }
    const { properties, items, additionalProperties, propertyNames } = shown
    if (properties) shown.properties = mapped(properties as Json)
    if (items) shown.items = publish(items as TSchema)
    if (propertyNames) shown.propertyNames = publish(propertyNames as TSchema)
    if (typeof additionalProperties === 'object')
      shown.additionalProperties = publish(additionalProperties as TSchema)
    return shown
  }

  function mapped(properties: Json): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, publish(schema as TSchema)]),
    )
  }

  return { schemas, put, publish }
}
