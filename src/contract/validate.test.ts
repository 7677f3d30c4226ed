import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Endpoint, endpoint } from './endpoint.ts'
import { failure } from './envelope.ts'
import { ApiError, faulty } from './errors.ts'
import { Email, Name, OrganizationId, oneOf } from './fields.ts'
import { longest } from './lengths.ts'
import { Type } from './type.ts'
import { inputValidator, unknownParameters } from './validate.ts'

const fields = {
  corp_id: OrganizationId,
  name: Name,
  email: Type.Optional(Email),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  kind: Type.Optional(oneOf(['one', 'two'])),
  owners: Type.Optional(Type.Array(Name, { maxItems: 2 })),
}
const valid = { corp_id: 'school', name: 'Lin' }
const post = operation('POST')
const get = operation('GET')

describe('a body', () => {
  const read = inputValidator(post)

  test('is returned unchanged', () => {
    const body = { ...valid, email: 'a@example.com', size: 1000, kind: 'two', owners: ['x', 'y'] }
    expect(read(body)).toEqual(body)
  })

  test('keeps the spaces around a text', () => expect(read({ ...valid, name: '  Lin ' }).name).toBe('  Lin '))

  test.each([
    ['name', 5],
    ['name', true],
    ['name', null],
    ['name', ['Lin']],
    ['name', {}],
    ['name', ''],
    ['name', ' \t\n\u3000'],
    ['name', 'a\0b'],
    ['name', 'a\ud800'],
    ['name', 'x'.repeat(longest.name + 1)],
    ['email', 'nobody'],
    ['size', '5'],
    ['size', 1.5],
    ['size', 0],
    ['size', 1001],
    ['kind', 'ONE'],
    ['kind', 'toString'],
    ['owners', 'x'],
    ['owners', ['x', 'y', 'z']],
  ])('with %s %j is 40002 and names it', (param, value) => {
    const failure = failureOf(() => read({ ...valid, [param]: value }))
    expect(failure.code).toBe(40002)
    expect(failure.details.errors!.map((fault) => fault.param)).toEqual([param])
    expect(failure.message).toContain(param)
  })

  test('with a wrong item in a list names the item', () => {
    const failure = failureOf(() => read({ ...valid, owners: ['x', 7] }))
    expect(failure.details.errors).toEqual([{ param: 'owners.1', reason: 'must be a string' }])
  })

  test('with too many items, or a text much too long, has that one fault, with any items', () => {
    const owners = Array.from({ length: 500_000 }, () => 7)
    expect(failureOf(() => read({ ...valid, owners })).details.errors).toEqual([
      { param: 'owners', reason: 'must have at most 2 items' },
    ])
    const name = '\0'.repeat(500_000)
    expect(failureOf(() => read({ ...valid, name })).details.errors).toEqual([
      { param: 'name', reason: `must be at most ${longest.name} characters long` },
    ])
  })

  test('counts null in an optional member as left out', () => {
    expect(read({ ...valid, email: null, size: null, owners: null })).toEqual(valid)
    expect(failureOf(() => read({ ...valid, owners: [null] })).code).toBe(40002)
  })

  test('lengths count characters as people do: the limit itself is fine', () => {
    expect(read({ ...valid, name: '林'.repeat(longest.name) }).name).toHaveLength(longest.name)
    expect(read({ ...valid, name: '🎓'.repeat(longest.name) })).toBeDefined()
  })

  test('with several faults names all of them at once; one missing makes it 40001', () => {
    const failure = failureOf(() => read({ name: 7, email: 'x', size: 0, kind: 'three' }))
    expect(failure.code).toBe(40001)
    expect(failure.details.errors!.map((fault) => fault.param).sort()).toEqual([
      'corp_id',
      'email',
      'kind',
      'name',
      'size',
    ])
  })

  test('never returns an undeclared member', () => {
    const names = fc.string({ unit: 'grapheme' }).filter((name) => !Object.hasOwn(fields, name))
    fc.assert(
      fc.property(names, fc.jsonValue(), (name, value) => {
        const body = JSON.parse(
          `{"corp_id":"school","name":"Lin",${JSON.stringify(name)}:${JSON.stringify(value)}}`,
        )
        expect(read(body)).toEqual(valid)
        expect(unknownParameters(post, body)).toEqual([name])
      }),
    )
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(unknownParameters(post, JSON.parse(`{"${name}":1}`))).toEqual([name])
    }
  })

  test('does not count members of the prototype as sent', () => {
    expect(failureOf(() => read(JSON.parse('{"__proto__":{"corp_id":"school","name":"Lin"}}'))).code).toBe(
      40001,
    )
  })

  test('any JSON at all is either refused from the catalogue or valid', () => {
    const members = fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, fc.jsonValue()])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(members, (body) => {
        try {
          expect(read(body as never)).toEqual(body)
        } catch (error) {
          expect([40001, 40002]).toContain((error as ApiError).code)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a query string', () => {
  const read = inputValidator(get)

  test('is parsed by the declared types', () => {
    expect(read({ ...valid, size: '0012' })).toEqual({ ...valid, size: 12 })
    expect(read({ ...valid, name: '12' })).toEqual({ ...valid, name: '12' })
  })

  test('an empty optional parameter counts as absent, an empty required one is refused', () => {
    expect(read({ ...valid, size: '', kind: '', email: '' })).toEqual(valid)
    expect(failureOf(() => read({ ...valid, name: '' })).code).toBe(40002)
  })

  test('a repeated parameter is 40002, also a text', () => {
    for (const name of ['name', 'size', 'corp_id']) {
      const failure = failureOf(() => read({ ...valid, [name]: ['1', '1'] }))
      expect(failure.details.errors).toContainEqual({ param: name, reason: 'must be given once' })
      expect(failure.code, name).toBe(40002)
    }
  })

  test.each(['1.0', '+1', '-1', '1e2', '0x10', ' 1', '1 ', '１', 'one', 'true', '9'.repeat(16), '1001', '0'])(
    'an integer is digits within its bounds: %j is 40002',
    (size) => {
      const failure = failureOf(() => read({ ...valid, size }))
      expect(failure.code).toBe(40002)
      expect(failure.details.errors!.map((fault) => fault.param)).toEqual(['size'])
    },
  )
})

test.each([
  ['9'.repeat(20), 'must be at most 1000'],
  ['9'.repeat(400), 'must be at most 1000'],
  ['0', 'must be at least 1'],
  ['1e3', 'must be a whole number, digits only'],
])('the fault of an integer names the reason: %s %s', (size, reason) => {
  const failure = failureOf(() => inputValidator(get)({ ...valid, size }))
  expect(failure.details.errors).toEqual([{ param: 'size', reason }])
})

describe('faults', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ param: `p${n}`, reason: 'is wrong' }))

  test('are listed up to twenty, missing parameters first', () => {
    expect(faulty(many(20)).details.errors).toHaveLength(20)
    const { code, details } = faulty([
      ...many(30),
      { param: 'corp_id', reason: 'is required', missing: true },
    ])
    expect(code).toBe(40001)
    expect(details.errors).toHaveLength(20)
    expect(details.errors![0]!.param).toBe('corp_id')
  })

  test('are short, even if the names are long', () => {
    const long = many(20).map(() => ({ param: '🎓'.repeat(9999), reason: '林'.repeat(9999) }))
    const answer = JSON.stringify(failure(faulty(long), 'request'))
    expect(answer.isWellFormed()).toBe(true)
    expect(Buffer.byteLength(answer)).toBeLessThan(32_768)
  })
})

describe('rules', () => {
  const seen: { sound: object; isNameSent: boolean }[] = []
  const read = inputValidator({
    ...post,
    rules: (sound: object, isSent: (name: string) => boolean) => {
      seen.push({ sound, isNameSent: isSent('name') })
      return [
        { param: 'name', reason: 'is known to a rule' },
        { param: 'kind', reason: 'is known to a rule' },
      ]
    },
  } as Endpoint)

  test('see valid values only, and add no second fault to a malformed one', () => {
    const failure = failureOf(() => read({ corp_id: 'school', name: 5 }))
    expect(seen.at(-1)).toEqual({ sound: { corp_id: 'school' }, isNameSent: true })
    expect(failure.details.errors).toEqual([
      { param: 'name', reason: 'must be a string' },
      { param: 'kind', reason: 'is known to a rule' },
    ])
  })
})

function operation(method: 'GET' | 'POST'): Endpoint {
  return endpoint({
    id: 'try',
    method,
    path: '/api/v5/try',
    group: 'Users',
    since: 'Ver5.2023-11-01',
    permission: 'read',
    guard: { effect: 'reads', people: 'everyone' },
    summary: '',
    input: Type.Object(fields),
    data: Type.String(),
    example: { input: valid, data: '' },
    handle: async () => '',
  }) as unknown as Endpoint
}

function failureOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('The input was taken')
}
