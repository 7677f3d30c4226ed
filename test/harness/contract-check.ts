import type { ValidateFunction } from 'ajv'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { envelopeOf, Failure } from '../../src/contract/envelope.ts'
import { errorCatalogue } from '../../src/contract/errors.ts'
import type { TSchema } from '../../src/contract/type.ts'
import { createAjv } from '../../src/contract/validate.ts'
import type { Answer } from './server.ts'

/**
 * Compares a response with its contract: types, members, their order, no additional members. The server's serialiser does
 * not validate, so this check finds violations.
 */
export function checkResponse(endpoint: Endpoint, answer: Answer): void {
  const { status, code, msg, data } = answer
  if (code !== 0) {
    checkFailure(answer)
    return
  }
  if (status !== 200 || msg !== 'success') throw new Error(`success with status ${status} and msg ${msg}`)
  const isValid = validatorOf(endpoint)
  if (!isValid({ code, msg, data }))
    throw new Error(`${endpoint.id} breaks its contract: ${ajv.errorsText(isValid.errors)}`)
  checkOrder(endpoint.data, data, endpoint.id)
}

/** Compiles without optimization: a validator checks a few responses, and optimizing it takes longer than these checks. */
const ajv = createAjv({ code: { optimize: false } })
const isFailure = ajv.compile(Failure)
const codes = new Set<number>(Object.values(errorCatalogue).map(([code]) => code))

function checkFailure({ status, code, msg, data, headers }: Answer): void {
  if (!isFailure({ code, msg, data }))
    throw new Error(`a failure out of shape: ${ajv.errorsText(isFailure.errors)}`)
  if (!codes.has(code)) throw new Error(`code ${code} is not in the catalogue`)
  if (Math.floor(code / 100) !== status) throw new Error(`code ${code} with HTTP status ${status}`)
  if (data.request_id !== headers.get('x-request-id')) throw new Error('request_id differs from X-Request-Id')
  if ((status === 429 || status === 503) && !headers.has('retry-after')) throw new Error('no Retry-After')
}

const validators = new Map<Endpoint, ValidateFunction>()

function validatorOf(endpoint: Endpoint): ValidateFunction {
  let validator = validators.get(endpoint)
  if (!validator) {
    validator = ajv.compile(closed(envelopeOf(endpoint.data)))
    validators.set(endpoint, validator)
  }
  return validator
}

/** The same schema without additional members. */
function closed(schema: TSchema): TSchema {
  const copy = structuredClone(schema)
  const close = (node: Record<string, unknown>) => {
    if (node.type === 'object' && node.properties) node.additionalProperties = false
    for (const value of Object.values(node))
      if (typeof value === 'object' && value !== null) close(value as never)
  }
  close(copy as never)
  return copy
}

/** Records carry their members in the order of the interface. */
function checkOrder(schema: TSchema, value: unknown, path: string): void {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  if (Array.isArray(value)) {
    for (const item of value) checkOrder(items!, item, `${path}[]`)
  } else if (properties && typeof value === 'object' && value !== null) {
    const expected = Object.keys(properties).filter((name) => Object.hasOwn(value, name))
    if (Object.keys(value).join() !== expected.join()) throw new Error(`${path} has its members out of order`)
    for (const [name, member] of Object.entries(properties))
      checkOrder(member, (value as never)[name], `${path}.${name}`)
  }
}
