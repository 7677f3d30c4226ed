import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type Input, type Parameter, parametersOf } from './valid-inputs.ts'

/** An input with one fault: its description, its parameter, and the sent value. */
export interface FaultyInput<Sent> {
  title: string
  param: string
  code: number
  sent: Sent
}

const samplesOfTypes: [type: string, sample: unknown][] = [
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['null', null],
  ['array', []],
  ['object', {}],
  ['string', 'text'],
]

/** Characters that no text may hold. */
const badTexts = { 'a NUL': 'a\0b', 'half a surrogate pair': 'a\ud800b' }
/** Longer than any limit, where a parameter declares none of its own. */
const longerThanAny = 5000

/** Every fault of one member of a body. */
export function faultyBodies(endpoint: Endpoint, valid: Input): FaultyInput<Input>[] {
  return parametersOf(endpoint).flatMap((parameter) => {
    const { name, isRequired, types } = parameter
    const wrong = (title: string, value: unknown) => ({
      title: `${name}: ${title}`,
      param: name,
      code: 40002,
      sent: { ...valid, [name]: value },
    })
    const { [name]: _, ...without } = valid
    const faults: FaultyInput<Input>[] = isRequired
      ? [{ title: `${name}: missing`, param: name, code: 40001, sent: without }]
      : []
    faults.push(...wrongTypes(endpoint, parameter).map(([type, sample]) => wrong(type, sample)))
    if (types.includes('string')) {
      for (const [title, text] of badTextsFor(parameter)) faults.push(wrong(title, text))
    }
    if (types.includes('array')) {
      for (const item of [1, null, '', 'a\0b'])
        faults.push({ ...wrong(`item ${JSON.stringify(item)}`, [item]), param: `${name}.0` })
      // Faults of an item with its own outcome are reported in that outcome.
      if (endpoint.outcomePerItem !== name)
        faults.push({ ...wrong('item {}', [{}]), ...lackingIn(parameter) })
      faults.push(
        wrong(
          'too many items',
          Array.from({ length: mostItemsOf(parameter) + 1 }, (_, index) => `item-${index}`),
        ),
      )
    }
    return faults
  })
}

function mostItemsOf({ schema }: Parameter): number {
  return (schema as { maxItems?: number }).maxItems!
}

/** The missing members of an empty item, or the fault that it is no object. */
function lackingIn({ name, schema }: Parameter): Pick<FaultyInput<Input>, 'param' | 'code'> {
  const [member] = (schema as { items: { required?: string[] } }).items.required ?? []
  return member ? { param: `${name}.0.${member}`, code: 40001 } : { param: `${name}.0`, code: 40002 }
}

/** Null in an optional member counts as absent, and so does an empty value in an import. */
function wrongTypes({ emptyIsAbsent }: Endpoint, { types, isRequired }: Parameter): [string, unknown][] {
  const absent = isRequired ? [] : ['null', ...(emptyIsAbsent ? ['array'] : [])]
  return samplesOfTypes.filter(
    ([type]) => ![...types, ...absent].includes(type) && !(type === 'integer' && types.includes('number')),
  )
}

function badTextsFor({ isRequired, schema }: Parameter): [string, string][] {
  const tooLong = 'x'.repeat((schema.maxLength ?? longerThanAny) + 1)
  return [
    ...(isRequired ? [['empty', ''] as [string, string], ['blank', '   '] as [string, string]] : []),
    ['too long', tooLong],
    ...Object.entries(badTexts),
  ]
}

const badIntegers = [
  '1.5',
  '-1',
  '-0',
  '+1',
  'abc',
  ' 1',
  '1 ',
  '0x1',
  '1e3',
  '１',
  '٣',
  '9'.repeat(16),
  '1,000',
  'NaN',
  'null',
]

/** Every fault of one parameter of a query string. The value is the query string itself. */
export function faultyQueries(endpoint: Endpoint, valid: Input): FaultyInput<string>[] {
  return parametersOf(endpoint).flatMap((parameter) => {
    const { name, isRequired, schema } = parameter
    const others = Object.entries(valid).filter(([other]) => other !== name)
    const sent = (...values: string[]) =>
      [
        ...others.map(([other, value]) => pair(other, String(value))),
        ...values.map((value) => pair(name, value)),
      ].join('&')
    const wrong = (title: string, ...values: string[]) => ({
      title: `${name}: ${title}`,
      param: name,
      code: 40002,
      sent: sent(...values),
    })
    const faults = [wrong('twice', 'a', 'a'), wrong('twice and empty', '', '')]
    if (isRequired) faults.push({ title: `${name}: missing`, param: name, code: 40001, sent: sent() })
    if (parameter.types.includes('integer')) {
      const outside = [
        (schema.minimum ?? 0) - 1,
        ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
      ]
      for (const text of [...badIntegers, ...outside.map(String)])
        faults.push(wrong(JSON.stringify(text), text))
      if (isRequired) faults.push(wrong('empty', ''))
    } else {
      for (const [title, text] of badTextsFor(parameter)) faults.push(wrong(title, text))
    }
    return faults
  })
}

/** Half a surrogate pair can only be sent as its bytes, which are not UTF-8. */
function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${value.split('\ud800').map(encodeURIComponent).join('%ED%A0%80')}`
}
