import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStatement } from '../../test/harness/bank-lines.ts'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { fetchOrder } from '../orders/listing/fetch-order.ts'
import { createPayment } from '../orders/payments/create-payment.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const bankLine = (...words: string[]) =>
  callCli(['finance', 'bank', 'line', ...words, '--org', school.corp_id], {
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
  })

async function linesOf(...words: string[]) {
  const { code, stdout, stderr } = await bankLine(...words, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout).list as {
    state: string
    reason: string | null
    entries: { kind: string; price: number }[]
  }[]
}

const entriesOf = async (...words: string[]) =>
  (await linesOf(...words)).map(({ state, entries }) => [
    state,
    ...entries.map(({ kind, price }) => `${kind} ${price}`),
  ])

test('lines are matched, joined, split, booked, transferred, ignored and reopened', async () => {
  school = await openLedger(database)
  const { order_id } = await school.order({ listed_price: 100_000 })
  const pay = async (price: number): Promise<string> =>
    (await school.run(createPayment, { order_id, price, completed_time: '2026-03-01 10:00:00' })).payment_id
  const prices = [500, 300, 400, 1000, 990, 250, 60, -100, -70, -30, -5]
  const { lineIds } = await sendStatement(
    school.run,
    prices.map((price) => ({ price })),
  )
  const [match, joined, other, split, less, payment, unknown, refund, chargeback, fee, own] = lineIds
  const [whole, together, part, charged] = [await pay(500), await pay(700), await pay(600), await pay(1000)]
  const paid = async () => (await school.run(fetchOrder, { order_id })).post_refund_price

  expect(await entriesOf('match', match!, '--payment', whole!, '--dry-run')).toEqual([
    ['matched', 'payment 500'],
  ])
  expect(await entriesOf('match', match!, '--payment', whole!)).toEqual([['matched', 'payment 500']])
  const matchedTwice = await bankLine('match', match!, '--payment', whole!)
  expect([matchedTwice.code, matchedTwice.stderr]).toEqual([1, expect.stringContaining('is matched')])
  expect(await entriesOf('match', joined!, other!, '--payment', together!)).toEqual([
    ['matched', expect.stringMatching(/payment [34]00/)],
    ['matched', expect.stringMatching(/payment [34]00/)],
  ])
  const parts = ['--part', `payment=300=${order_id}`, '--part', 'unidentified=']
  expect(await entriesOf('split', split!, '--payment', part!, ...parts)).toEqual([
    ['booked', 'payment 600', 'payment 300', 'unidentified 100'],
  ])
  expect(await entriesOf('match', less!, '--payment', charged!, '--fee')).toEqual([
    ['booked', 'payment 1000', 'fee -10'],
  ])
  expect(await paid()).toBe(3100)
  expect(await entriesOf('book', payment!, '--as', 'payment', '--order', order_id)).toEqual([
    ['booked', 'payment 250'],
  ])
  expect(await entriesOf('book', unknown!, '--as', 'unidentified')).toEqual([['booked', 'unidentified 60']])
  const agreed = ['--order', order_id, '--reason', 'Agreed']
  expect(await entriesOf('book', refund!, '--as', 'refund', ...agreed)).toEqual([['booked', 'refund -100']])
  const back = ['--order', order_id, '--payment', charged!]
  expect(await entriesOf('book', chargeback!, '--as', 'chargeback', ...back)).toEqual([
    ['booked', 'refund -70'],
  ])
  expect(await paid()).toBe(3180)
  expect(await entriesOf('book', fee!, '--as', 'fee')).toEqual([['booked', 'fee -30']])
  expect(await linesOf('ignore', own!, '--reason', 'Own account')).toMatchObject([
    { state: 'ignored', reason: 'Own account' },
  ])
  expect(await entriesOf('reopen', own!, fee!)).toEqual([['open'], ['open']])
  const { lineIds: received } = await sendStatement(school.run, [{ price: 30 }])
  expect(await entriesOf('transfer', fee!, received[0]!)).toEqual([
    ['matched', expect.stringMatching(/transfer -?30/)],
    ['matched', expect.stringMatching(/transfer -?30/)],
  ])
  const shown = (await bankLine('reopen', fee!)).stdout
  expect(shown).toMatch(/-0\.30 CNY +open/)
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
})

test('an unreadable part, an unknown kind and an unknown line are refused', async () => {
  school = await openLedger(database)
  const { lineIds } = await sendStatement(school.run, [{ price: 500 }])
  const refused: [words: string[], said: string][] = [
    [['split', lineIds[0]!, '--part', 'payment'], 'write kind=amount'],
    [['split', lineIds[0]!, '--part', 'fee=1.5'], 'must be a whole number'],
    [['split', lineIds[0]!, '--part', 'gift=500'], 'as'],
    [['split', lineIds[0]!, '--part', 'fee=', '--part', 'fee='], 'all prices but one'],
    [['book', lineIds[0]!, '--as', 'gift'], 'gift'],
    [['ignore', 'nothing', '--reason', 'x'], 'does not exist'],
  ]
  for (const [words, said] of refused) {
    const { code, stdout, stderr } = await bankLine(...words)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(said) })
  }
})
