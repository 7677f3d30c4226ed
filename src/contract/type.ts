import type { TSchemaOptions, Type as TypeBox } from 'typebox'

export type { Static, TObject, TProperties, TSchema } from 'typebox'

/** Marks a property that may be absent. */
const optional = '~optional'

/**
 * Builders of JSON Schema. The types are TypeBox's. The values are made here, because these schemas are plain objects, and
 * loading TypeBox would cost every process 370 modules at its start.
 */
const builders = {
  String: (options?: TSchemaOptions) => ({ type: 'string', ...options }),
  Integer: (options?: TSchemaOptions) => ({ type: 'integer', ...options }),
  Number: (options?: TSchemaOptions) => ({ type: 'number', ...options }),
  Boolean: (options?: TSchemaOptions) => ({ type: 'boolean', ...options }),
  Unknown: (options?: TSchemaOptions) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
  Array: (items: object, options?: TSchemaOptions) => ({ type: 'array', items, ...options }),
  Record: (_key: object, value: object, options?: TSchemaOptions) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object(properties: Record<string, object>, options?: TSchemaOptions) {
    const required = Object.entries(properties).flatMap(([name, schema]) =>
      optional in schema ? [] : [name],
    )
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional(schema: object) {
    // Not enumerable, so that it is not part of the JSON.
    return Object.defineProperty({ ...schema }, optional, { value: true })
  },
}

// The compiler cannot derive TypeBox's types from these values.
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
