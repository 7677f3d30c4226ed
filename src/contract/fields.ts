import { type Form, formKeyword } from './forms.ts'
import { longest } from './lengths.ts'
import { type Static, type TObject, type TProperties, type TSchema, Type } from './type.ts'

/**
 * The field types of the interface. Texts are of one line, unless they are long: descriptions, remarks, reasons,
 * comments, tag values, and what forms ask and are answered. `pattern: \S` makes a required string non-empty after
 * trimming, while its bytes are kept as sent.
 */
export const Id = requiredLine(longest.id)
export const Name = requiredLine(longest.name)
export const ShortText = requiredLine(longest.shortText)
export const LongText = Type.String({ format: 'text', pattern: '\\S', maxLength: longest.longText })
export const Email = Type.String({ format: 'email', maxLength: longest.email })
export const AreaCode = Type.String({
  format: 'area-code',
  description: 'Country calling code, digits without a leading plus',
})
export const Mobile = Type.String({
  format: 'mobile',
  description: 'National number, digits only; at most 15 digits together with area_code',
})

/** An optional text of one line. It may be empty. */
export function optionalLine(maxLength: number = longest.shortText, description?: string) {
  return Type.Optional(Type.String({ format: 'line', maxLength, ...(description && { description }) }))
}

/** An optional text of several lines. It may be empty. */
export function optionalText(maxLength: number = longest.longText, description?: string) {
  return Type.Optional(Type.String({ format: 'text', maxLength, ...(description && { description }) }))
}

export const OrganizationId = described(Id, 'Organization ID')

function requiredLine(maxLength: number) {
  return Type.String({ format: 'line', pattern: '\\S', maxLength })
}

/** An object with a name in the documentation and in generated clients. */
export function namedObject<Fields extends TProperties>(title: string, fields: Fields) {
  return Type.Object(fields, { title })
}

/** Describes a field in place, keeping its type. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

/** Marks the form of the values. Only the OpenAPI document shows it. */
function formed<T extends TSchema>(form: Form, schema: T): T {
  return { ...schema, [formKeyword]: form }
}

/** Nullable response fields as `type: [t, 'null']`: a union would cost the serialiser ten times more. */
export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })
export const NullableBoolean = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })

/** Record timestamps: YYYY-MM-DD HH:MM:SS in the organization's zone; "" where there is none. */
export const Timestamp = formed(
  'timestamp',
  Type.String({ description: 'YYYY-MM-DD HH:MM:SS in the time zone of the organization' }),
)
export const NullableTimestamp = formed('timestamp', NullableString)
/** Token timestamps: ISO 8601, UTC, fractional seconds. */
export const IsoInstant = formed(
  'instant',
  Type.String({ description: 'ISO 8601, UTC, with fractional seconds' }),
)
export const NullableInstant = formed('instant', NullableString)
/** The same; "" where there is none. */
export const InstantOrEmpty = formed('instantOrEmpty', Type.String())
/** A day in a response; "" where there is none. Parameters have the format date. */
export const DayText = formed('day', Type.String({ description: 'YYYY-MM-DD; "" where there is none' }))
export const NullableDay = formed('day', {
  ...NullableString,
  description: 'YYYY-MM-DD; null where there is none',
})
export const MonthText = formed('month', Type.String())
/** An integer that may exceed 32 bits: a sum, a position, a size, a number that others chose. */
export const BigInteger = formed('int64', Type.Integer())
export const NullableBigInteger = formed('int64', NullableInteger)
/** Minor units of the record's currency. */
export const Money = described(BigInteger, 'Minor units of the currency')

/** An enum. `type` is given besides `enum`, so one schema serves validation, types and serialization. */
export function oneOf<const V extends string>(values: readonly V[], description?: string) {
  return Type.Unsafe<V>({ type: 'string', enum: [...values], ...(description && { description }) })
}

/** The default of a parameter, from its schema. */
export function defaultOf<Input extends TObject, Name extends keyof Static<Input> & string>(
  { properties }: Input,
  name: Name,
): NonNullable<Static<Input>[Name]> {
  const { [name]: schema } = properties as Record<string, TSchema & { default?: unknown }>
  if (schema?.default === undefined) throw new Error(`${name} has no default`)
  return schema.default as NonNullable<Static<Input>[Name]>
}

/** An enum with a default. */
export function oneOfOr<const V extends string>(byDefault: V, values: readonly V[], description?: string) {
  return Type.Optional({ ...oneOf(values, description), default: byDefault })
}

export const LocalTime = Type.String({
  format: 'local-time',
  description: 'YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization',
})
