import { Ajv, type ErrorObject, type Options } from 'ajv'
import { contactKeyword, shownOnceKeyword } from './contacts.ts'
import type { Endpoint } from './endpoint.ts'
import { faulty, type InputFault } from './errors.ts'
import { formats } from './formats.ts'
import { formKeyword } from './forms.ts'
import { bodyReader, isEmpty, isNull } from './read-body.ts'
import type { TSchema } from './type.ts'

/** Strict: nothing is coerced, stripped or filled in; every fault is reported, not only the first. */
export function createAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, ...options })
  for (const [name, [isValid]] of Object.entries(formats))
    ajv.addFormat(name, { type: 'string', validate: isValid })
  for (const keyword of [contactKeyword, shownOnceKeyword, formKeyword]) ajv.addKeyword(keyword)
  return ajv
}

const ajv = createAjv()

type Raw = Record<string, unknown>

/** Compiles the check of an operation's input: types, formats and rules. Reports all faults at once. */
export function inputValidator(endpoint: Endpoint): (raw: Raw) => Raw {
  const input = checkedAtOnce(endpoint)
  const isValid = ajv.compile(input)
  const read =
    endpoint.method === 'GET'
      ? queryReader(input)
      : bodyReader(input, endpoint.emptyIsAbsent ? isEmpty : isNull)

  return (raw) => {
    const faults: InputFault[] = refusesUnknown(endpoint) ? undeclared(endpoint, raw) : []
    const input = read(raw, '', faults) as Raw
    if (!isValid(input)) {
      const known = new Set(faults.map(({ param }) => param))
      faults.push(...faultsOf(isValid.errors).filter(({ param }) => !known.has(param)))
    }
    if (endpoint.rules) faults.push(...rulesOver(endpoint, input, faults))
    if (faults.length > 0) throw faulty(faults)
    return input
  }
}

/** The schema of the input. Items that the use case checks one by one need only be objects. */
function checkedAtOnce({ input, outcomePerItem }: Endpoint): Endpoint['input'] {
  if (outcomePerItem === undefined) return input
  const { [outcomePerItem]: list } = input.properties as Record<string, TSchema>
  return {
    ...input,
    properties: { ...input.properties, [outcomePerItem]: { ...list, items: { type: 'object' } } },
  }
}

/** Maximum number of unknown parameters that are reported. */
export const maxUnknown = 20

/** Names of parameters that the operation does not declare; the first of them. */
export function unknownParameters(endpoint: Endpoint, raw: Raw): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(endpoint.input.properties, name)) unknown.push(name)
    if (unknown.length === maxUnknown) break
  }
  return unknown
}

/** A call that moves money refuses members that it does not declare: a misspelt one could move another amount. */
export function refusesUnknown(endpoint: Endpoint): boolean {
  return endpoint.movesMoney === true || endpoint.refusesUnknown === true
}

function undeclared(endpoint: Endpoint, raw: Raw): InputFault[] {
  const reason = `is not a parameter of this operation${endpoint.movesMoney ? ', which moves money' : ''}`
  return unknownParameters(endpoint, raw).map((param) => ({ param, reason }))
}

/** Parses the values of a query string by their declared type. */
function queryReader({ properties, required }: Endpoint['input']) {
  const needed = new Set(required as string[] | undefined)
  const declared = Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => ({
    name,
    isRequired: needed.has(name),
    reader: 'type' in schema ? readers[schema.type as string] : undefined,
  }))
  return (raw: Raw, _path: string, faults: InputFault[]): Raw => {
    const values: Raw = {}
    for (const { name, isRequired, reader } of declared) {
      const value = raw[name]
      if (value === undefined || (value === '' && !isRequired)) continue
      if (Array.isArray(value)) faults.push({ param: name, reason: 'must be given once' })
      else if (!reader) values[name] = value
      else if (reader.pattern.test(value as string)) values[name] = reader.read(value as string)
      else faults.push({ param: name, reason: reader.reason })
    }
    return values
  }
}

/** Types other than text. */
const readers: Record<string, { pattern: RegExp; read(text: string): unknown; reason: string }> = {
  integer: {
    pattern: /^[0-9]+$/,
    // A long number is capped, so that the maximum of the parameter refuses it.
    read: (text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER),
    reason: 'must be a whole number, digits only',
  },
  boolean: {
    pattern: /^(true|false)$/,
    read: (text) => text === 'true',
    reason: 'must be true or false',
  },
}

/** Rules get the valid values, and may ask which parameters were sent. Malformed ones are already reported. */
function rulesOver(endpoint: Endpoint, input: Raw, faults: InputFault[]): InputFault[] {
  // A fault inside a list or an object makes the whole parameter invalid.
  const malformed = new Set(faults.map(({ param }) => param.split('.')[0]!))
  const sound = Object.fromEntries(Object.entries(input).filter(([name]) => !malformed.has(name)))
  const isSent = (name: string) => Object.hasOwn(input, name) || malformed.has(name)
  return endpoint.rules!(sound as never, isSent).filter(({ param }) => !malformed.has(param))
}

function faultsOf(errors: ErrorObject[] | null | undefined): InputFault[] {
  const faults = new Map<string, InputFault>()
  for (const error of errors ?? []) {
    const fault = faultOf(error)
    // One fault per parameter.
    if (!faults.has(fault.param)) faults.set(fault.param, fault)
  }
  return [...faults.values()]
}

function faultOf(error: ErrorObject): InputFault {
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  if (error.keyword === 'required') {
    return { param: [...path, error.params.missingProperty].join('.'), reason: 'is required', missing: true }
  }
  const reason = reasonOf(error)
  // The name may be any text, so it is not echoed.
  return {
    param: path.join('.'),
    reason: error.propertyName === undefined ? reason : `has a name that ${reason}`,
  }
}

/** Decodes a segment of a JSON pointer. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function reasonOf({ keyword, params, message, schema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${articled([params.type].flat().join(' or '))}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'format':
      return formats[params.format as keyof typeof formats][1]
    case 'pattern':
      return patternReasons[params.pattern] ?? `must match ${params.pattern}`
    case 'maxLength':
      return `must be at most ${params.limit} characters long`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return message ?? `does not fit ${keyword} ${JSON.stringify(schema)}`
  }
}

const patternReasons: Record<string, string> = {
  '\\S': 'must not be empty',
  '^[0-9a-fA-F]{64}$': 'must be 64 hexadecimal digits',
  '^[0-9]{10,}(\\.[0-9]+)?$': 'must be a number of at least ten digits',
}

function articled(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}
