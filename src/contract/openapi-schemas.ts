import type { formats } from './formats.ts'
import { formKeyword, forms, maxInt32 } from './forms.ts'
import { memberDescription } from './member-descriptions.ts'
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

  /** The schema in the form of the document. `place` is the path of names that leads to it, for descriptions. */
  function publish(schema: TSchema, place: string): Json {
    const { title, ...rest } = schema as Json
    if (typeof title !== 'string') return written(rest, place)
    const { description, ...named } = written(rest, title)
    return { ...put(title, named), ...(description !== undefined && { description }) }
  }

  /** The schema of a member, with a description. */
  function publishMember(schema: TSchema, place: string, name: string): Json {
    const published = publish(schema, `${place}.${name}`)
    const description = published.description ?? memberDescription(place, name)
    return description === undefined ? published : { ...published, description }
  }

  function written(schema: Json, place: string): Json {
    const { format, [formKeyword]: form, patternProperties, additionalProperties, ...rest } = schema
    const shown: Json = { ...rest, ...publicFormats[format as keyof typeof formats] }
    if (form !== undefined) Object.assign(shown, forms[form as keyof typeof forms])
    else if (isLong(shown)) shown.format = 'int64'
    const { properties, items, propertyNames, allOf } = shown
    if (properties)
      shown.properties = Object.fromEntries(
        Object.entries(properties as Json).map(([name, member]) => [
          name,
          publishMember(member as TSchema, place, name),
        ]),
      )
    if (items) shown.items = publish(items as TSchema, place)
    if (allOf) shown.allOf = (allOf as TSchema[]).map((each) => publish(each, place))
    if (propertyNames) shown.propertyNames = publish(propertyNames as TSchema, place)
    const values = (patternProperties as Json | undefined)?.['^.*$'] ?? additionalProperties
    // Readers must accept members that later versions add, so no schema says that there are no others.
    if (typeof values === 'object') shown.additionalProperties = publish(values as TSchema, place)
    else if (values === true) shown.additionalProperties = true
    return shown
  }

  return { schemas, put, publish, publishMember }
}

/** Whether a number of the range may exceed what 32 bits hold. */
function isLong({ type, minimum = 0, maximum }: Json): boolean {
  return (
    [type].flat().includes('integer') &&
    ((typeof maximum === 'number' && maximum > maxInt32) || (minimum as number) < -maxInt32)
  )
}
