import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { formats } from '../src/contract/formats.ts'
import { endpoints } from '../src/endpoints.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { updateOrder } from '../src/orders/update-order.ts'
import { representativesOf } from './conformance/representatives.ts'
import { callBody, callQuery, paramsOf } from './conformance/requests.ts'
import { fingerprint } from './conformance/school.ts'
import { refusedBy, serverCheck } from './conformance/server-check.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { type Input, parametersOf, validInput } from './conformance/valid-inputs.ts'
import { attemptsOf } from './harness/attempts.ts'
import type { Answer } from './harness/server.ts'
import { openImport } from './support/order-import.ts'
import { openFolder } from './support/sheets.ts'

const stage = {} as Stage
beforeAll(async () => {
  Object.assign(stage, await setStage())
})
afterAll(() => stage.server?.close())

const posts = endpoints.filter(({ method }) => method === 'POST')
const representatives = representativesOf(endpoints)
const representativePosts = representatives.filter(({ method }) => method === 'POST')
const valid = (endpoint: Endpoint): Input => validInput(endpoint, stage.school)

/** The parameters that the server's check refuses. A few refused inputs are sent as well. */
function faultFinder(endpoint: Endpoint): (input: Input) => string[] {
  const check = serverCheck(endpoint)
  return (input) => refusedBy(check(input))
}

describe('a value that looks like SQL is a value', () => {
  const statement = { text: 'select 1', values: [], name: 'x' }
  const numbers = { text: 0.5, values: 0.5, name: 0 }
  const shapes: unknown[] = [
    statement,
    numbers,
    { text: 'select $1', values: [1] },
    { text: '', values: null },
    { a: statement },
    [statement],
    [[statement]],
  ]

  let before: Record<string, string>
  beforeAll(async () => {
    before = await fingerprint(stage.server)
  })

  test.each(posts)('$path refuses it in every member', async (endpoint) => {
    const sound = valid(endpoint)
    const faultsOf = faultFinder(endpoint)
    for (const [n, { name }] of parametersOf(endpoint).entries()) {
      const refused = shapes.filter((shape) => {
        // These are shares, and have their own test.
        if (name === 'share_proportion' && shape === numbers) return false
        // An item with its own outcome is refused there.
        return name !== endpoint.outcomePerItem || !Array.isArray(shape)
      })
      for (const shape of refused)
        expect(faultsOf({ ...sound, [name]: shape }), `${name} ${JSON.stringify(shape)}`).not.toEqual([])
      const shape = refused[n % refused.length]
      const answer = await stage.server.call(endpoint, { ...sound, [name]: shape })
      expect(answer.status, `${name} ${JSON.stringify(shape)}`).toBe(400)
    }
  })

  test('a refused call has no effect', async () => {
    expect(await fingerprint(stage.server)).toEqual(before)
  })

  test.each(representativePosts)(
    '$path does not mind it among members that it does not know',
    async (endpoint) => {
      const answer = await stage.server.call(endpoint, { ...valid(endpoint), ...statement, odd: [statement] })
      // A parameter of the operation may have one of these names.
      expect(answer.status).toBeLessThan(500)
    },
  )

  test('owners may have such names', async () => {
    const share_proportion = { text: 0.5, values: 0.25, name: 0.25 }
    const created = await stage.server.call(createOrder, { ...valid(createOrder), share_proportion })
    expect(created.code).toBe(0)
    const changed = await stage.server.call(updateOrder, { ...valid(updateOrder), share_proportion })
    expect(changed.code).toBe(0)
    const { rows } = await stage.server.database.superuser.query(
      'select share_proportion from orders where order_id = any($1)',
      [[created.data.order_id, changed.data.order_id]],
    )
    const basisPoints = { text: 5000, values: 2500, name: 2500 }
    expect(rows).toEqual([{ share_proportion: basisPoints }, { share_proportion: basisPoints }])
  })

  test('an import of orders reads it as a plain cell, or refuses the row', async () => {
    const folder = await openFolder()
    const school = await openImport(stage.server.database)
    const row = { external_id: 'A-1', email: 'a@example.com', currency: 'CNY', listed_price: '100' }
    const rows = [
      { ...row, share_proportion: { text: '0.5', values: '0.5' } },
      ...Object.keys(row).map((name, n) => ({ ...row, external_id: `B-${n}`, [name]: statement })),
      { ...row, external_id: 'C-1', contract_id: { text: 'select 1', values: [[1]] } },
      { ...row, external_id: 'D-1', share_proportion: { a: statement } },
    ]
    const file = await folder.file('orders.ndjson', rows.map((each) => JSON.stringify(each)).join('\n'))
    const report = await school.import(file)
    await folder.remove()
    expect(report.rows).toMatchObject({ total: rows.length, create: 1, reject: rows.length - 1 })
    const stored = await school.query('select share_proportion from orders where corp_id = $corp')
    expect(stored).toEqual([{ share_proportion: { text: 5000, values: 5000 } }])
  })
})

describe('a body of 1 MB costs no more than reading it', () => {
  const limit = 1_048_576
  const longestAnswer = 16_384
  const wide = (item: string) => `[${Array(Math.floor((limit - 4096) / (item.length + 1))).fill(item)}]`
  const keys = (value: string) =>
    `{${Array.from({ length: 60_000 }, (_, n) => `"key-${n}":${value}`).join()}}`
  const longKey = `{"${'k'.repeat(limit - 4096)}":0.5}`
  const longText = `"${'x'.repeat(limit - 4096)}"`
  const values = {
    'a list of numbers': wide('1'),
    'a list of empty objects': wide('{}'),
    'a list of lists': wide('[1]'),
    'many members': keys('0'),
    'a long name': longKey,
    'a long text': longText,
  }
  const { 'a list of numbers': numbers, 'a long text': text } = values
  /** Scalars refuse one value by its type and the other by its length: members get them alternately. */
  const valuesForScalars = [{ 'a list of numbers': numbers }, { 'a long text': text }]
  /** All use the same few readers. */
  const mostScalars = attemptsOf('MATRICULA_LARGE_SCALARS', 2)
  /** Each list or object of an operation gets this many of the values, the next one the following values. */
  const valuesPerMember = attemptsOf('MATRICULA_LARGE_VALUES', 1)
  let valuesUsed = 0
  function nextValues(): Record<string, string> {
    const all = Object.entries(values)
    const count = Math.min(all.length, valuesPerMember)
    return Object.fromEntries(Array.from({ length: count }, () => all[valuesUsed++ % all.length]!))
  }

  /** Lists and objects are checked by their contracts; scalars by shared readers. */
  const largeBodies = posts.filter(
    (endpoint) =>
      representatives.includes(endpoint) ||
      parametersOf(endpoint).some(({ types }) => types.includes('array') || types.includes('object')),
  )

  function expectShort(answer: Answer, title: string): void {
    const { code, msg, data } = answer
    expect(answer.status, title).toBeLessThan(500)
    expect(Buffer.byteLength(JSON.stringify({ code, msg, data })), title).toBeLessThan(longestAnswer)
  }

  let before: Record<string, string>
  beforeAll(async () => {
    before = await fingerprint(stage.server)
  })

  test.each(largeBodies)(
    '$path answers it shortly, in every member',
    async (endpoint) => {
      const sound = valid(endpoint)
      let scalars = 0
      for (const [n, { name, types }] of parametersOf(endpoint).entries()) {
        const isScalar = !types.includes('array') && !types.includes('object')
        if (isScalar && scalars++ >= mostScalars) continue
        for (const [title, value] of Object.entries(isScalar ? valuesForScalars[n % 2]! : nextValues())) {
          const { [name]: _, ...others } = sound
          const body = `{${JSON.stringify(name)}:${value},${JSON.stringify(others).slice(1)}`
          const answer = await callBody(stage, endpoint, body)
          expectShort(answer, `${name}: ${title}`)
          expect(answer.status, `${name}: ${title}`).toBe(400)
          expect(paramsOf(answer)[0]!.startsWith(name), `${name}: ${title}`).toBe(true)
        }
      }
    },
    120_000,
  )

  test('a refused body has changed nothing', async () => {
    expect(await fingerprint(stage.server)).toEqual(before)
  })

  test.each(representativePosts)('$path ignores it in members that it does not know', async (endpoint) => {
    const members = JSON.stringify(valid(endpoint)).slice(1)
    for (const body of [`{"odd":${wide('1')},${members}`, `${keys('0').slice(0, -1)},${members}`, longKey]) {
      expectShort(await callBody(stage, endpoint, body), body.slice(0, 20))
    }
  })

  test.each(posts)('$path names at most 20 faults of many', async (endpoint) => {
    const parameters = parametersOf(endpoint).filter(({ name }) => name !== endpoint.outcomePerItem)
    const wrong = parameters.map(({ name, types }) => [
      name,
      types.includes('array') ? Array(60).fill({ odd: 'x'.repeat(1000) }) : { odd: 1 },
    ])
    const answer = await stage.server.call(endpoint, Object.fromEntries(wrong))
    expect(answer.status).toBe(400)
    expect(answer.data.errors.length).toBeLessThanOrEqual(20)
    expect(answer.data.errors.length).toBeGreaterThanOrEqual(Math.min(20, parameters.length))
    expectShort(answer, endpoint.path)
  })

  test.each(representatives.filter(({ method }) => method === 'GET'))(
    '$path answers shortly to long queries',
    async (endpoint) => {
      const sound = new URLSearchParams(valid(endpoint) as Record<string, string>)
      const many = Array.from({ length: 1500 }, (_, n) => `k${n}=`).join('&')
      for (const odd of [
        many,
        `${'k'.repeat(12_000)}=1`,
        `corp_id=${'x'.repeat(12_000)}`,
        'x=1&'.repeat(3000),
      ]) {
        const answer = await callQuery(stage, endpoint, `${sound}&${odd}`)
        if (answer.code !== 0) expectShort(answer, odd.slice(0, 20))
      }
    },
  )
})

describe('every list and every free-form object of an input has a maximum size', () => {
  test.each(endpoints)('$path', ({ input }) => {
    const open: string[] = []
    const look = (schema: Input, path: string) => {
      const types = [schema.type ?? []].flat()
      if (types.includes('array') && schema.maxItems === undefined) open.push(path)
      const isFreeForm = types.includes('object') && !schema.properties
      if (isFreeForm && (schema.maxProperties === undefined || !schema.propertyNames)) open.push(path)
      if (schema.items) look(schema.items as Input, `${path}[]`)
      for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Input>))
        look(member, `${path}.${name}`)
    }
    look(input as unknown as Input, '')
    expect(open).toEqual([])
  })
})

describe('shares', () => {
  const call = (share_proportion: unknown) =>
    stage.server.call(createOrder, { ...valid(createOrder), share_proportion })

  test.each([
    ['a blank name', { ' ': 1 }],
    ['an empty name', { '': 1 }],
    ['a name of 65 characters', { ['k'.repeat(65)]: 1 }],
    ['a name of 1 MB', { ['k'.repeat(1_000_000)]: 1 }],
    ['a NUL in a name', { 'a\0b': 1 }],
    ['half a surrogate pair in a name', { 'a\ud800': 1 }],
    ['a line break in a name', { 'a\nb': 1 }],
    ['a blank name beside a sound one', { anna: 1, ' ': 'x' }],
    ['a text for a number', { anna: '1' }],
    ['nothing for a number', { anna: null }],
    ['more than the whole', { anna: 1.5 }],
    ['less than nothing', { anna: -1, li: 2 }],
    ['a list', [1]],
    [
      '101 owners',
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`owner-${n}`, n < 100 ? 0.01 : 0])),
    ],
  ])('of %s are 40002', async (_, shares) => {
    const answer = await call(shares)
    expect(answer).toMatchObject({ status: 400, code: 40002 })
    expect(paramsOf(answer)[0]).toMatch(/^share_proportion/)
  })

  test('of 100 owners, in any script, and with names of Object.prototype are accepted', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`owner-${n}`, 0.01]))
    const odd = JSON.parse('{"__proto__":0.25,"constructor":0.25,"王小明":0.25,"a/b~c":0.25}')
    for (const shares of [many, odd, {}]) expect((await call(shares)).code).toBe(0)
  })
})

describe('control characters', () => {
  const controls = [
    '\u0001',
    '\t',
    '\n',
    '\r',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u009b',
    '\u2028',
    '\u2029',
  ]
  /** May hold several lines. */
  const longTexts = new Set([
    'createTagGroup.description',
    'updateTagGroup.description',
    'assignUserTag.value',
    'importLead.form1_name',
    'importLead.form2_name',
    'importLead.form3_name',
    'importLead.form4_name',
    'importLead.form1_value',
    'importLead.form2_value',
    'importLead.form3_value',
    'importLead.form4_value',
    'updateOrder.reason',
    'updateStatus.reason',
    'createPayment.comments',
    'createRefund.reason',
    'declineRequest.reason',
    'reverseClosing.reason',
    'ignoreBankLines.reason',
    'voidPayment.reason',
    'applyPayment.reason',
    'unapplyPayment.reason',
    'transferMoney.reason',
    'writeOffOrder.reason',
    'movePayment.reason',
    'reverseRefund.reason',
    'reverseVoid.reason',
    'reverseTransfer.reason',
    'reverseWriteOff.reason',
    'createRemark.content',
    'createFollowUp.content',
    'takeLead.note',
    'upsertCoupon.description',
    'requestPayment.note',
    'createPayer.address',
    'createPayer.remarks',
    'updatePayer.address',
    'updatePayer.remarks',
    'recordReceipt.comments',
    'createCashUp.reason',
  ])

  test.each(endpoints)('$path refuses them in texts of one line', async (endpoint) => {
    const texts = parametersOf(endpoint).filter(({ types }) => types.includes('string'))
    const sound = valid(endpoint)
    const faultsOf = faultFinder(endpoint)
    const ofOneLine = texts.filter((each) => !longTexts.has(`${endpoint.id}.${each.name}`))
    for (const [n, { name }] of ofOneLine.entries()) {
      for (const control of controls)
        expect(faultsOf({ ...sound, [name]: `a${control}b` }), JSON.stringify(control)).toContain(name)
      const text = `a${controls[n % controls.length]}b`
      const answer = await stage.server.call(endpoint, { ...sound, [name]: text })
      expect(answer, `${name} ${JSON.stringify(text)}`).toMatchObject({ status: 400, code: 40002 })
      expect(paramsOf(answer), name).toContain(name)
    }
  })

  test.each(endpoints)('$path takes line breaks in long texts', async (endpoint) => {
    const texts = parametersOf(endpoint).filter(({ name }) => longTexts.has(`${endpoint.id}.${name}`))
    for (const { name } of texts) {
      const answer = await stage.server.call(endpoint, { ...valid(endpoint), [name]: 'one\r\ntwo\tthree' })
      expect(JSON.stringify(answer.data.errors ?? []), name).not.toContain('control')
    }
  })

  test('an import of orders refuses them by column, with the reason', async () => {
    const folder = await openFolder()
    const school = await openImport(stage.server.database)
    const row = { external_id: 'A-1', email: 'a@example.com', currency: 'CNY', listed_price: '100' }
    const columns = ['external_id', 'name', 'user_id', 'batch', 'contract_id', 'course_code', 'charge_id']
    const rows = columns.map((name, n) => ({
      ...row,
      external_id: `A-${n}`,
      paid_price: '1',
      [name]: 'a\u0007b',
    }))
    const file = await folder.file('orders.ndjson', rows.map((each) => JSON.stringify(each)).join('\n'))
    const report = await school.import(file)
    await folder.remove()
    expect(report.rows).toMatchObject({ total: rows.length, reject: rows.length })
    expect(report.first_rejects.map(({ reason }) => reason)).toEqual(
      columns.map((column, n) => `row ${n + 1}, column ${column}: ${formats.line[1]}`),
    )
  })
})

describe('the calendar begins with the year 1 and ends with 9999', () => {
  const dates = (endpoint: Endpoint) =>
    parametersOf(endpoint).filter(({ name }) => /(_time|_date|_deadline|^valid_(from|until))$/.test(name))
  const dated = endpoints.filter((endpoint) => endpoint.id !== 'issueToken' && dates(endpoint).length > 0)

  test('such parameters exist', () => expect(dated.length).toBeGreaterThan(6))

  test.each(dated)('$path: the year 0000 is 40002', async (endpoint) => {
    const sound = valid(endpoint)
    for (const { name } of dates(endpoint)) {
      for (const text of ['0000-01-01', '0000-12-31']) {
        const answer = await stage.server.call(endpoint, { ...sound, [name]: text })
        expect(answer, name).toMatchObject({ status: 400, code: 40002 })
        expect(paramsOf(answer), name).toContain(name)
      }
    }
  })

  test.each(dated)('$path: the first and the last day stand', async (endpoint) => {
    for (const { name } of dates(endpoint)) {
      for (const text of ['0001-01-01', '9999-12-31']) {
        const answer = await stage.server.call(endpoint, { ...valid(endpoint), [name]: text })
        expect(answer.status, `${name} ${text}`).toBeLessThan(500)
        if (answer.code === 40002) expect(JSON.stringify(answer.data), name).not.toContain('that exists')
      }
    }
  })
})
