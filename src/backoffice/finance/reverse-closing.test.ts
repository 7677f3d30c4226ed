import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { listPayments } from '../../orders/payments/list-payments.ts'
import { approveRequest, declineRequest } from '../approvals/decide-request.ts'
import { listApprovals } from '../approvals/list-approvals.ts'
import { checkLedger } from './check-ledger.ts'
import { closePeriod } from './close-period.ts'
import { explainFigure } from './explain-figure.ts'
import { listClosings } from './list-closings.ts'
import { reverseClosing } from './reverse-closing.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const january = '2031-01-31'
const february = '2031-02-28'
const inMarch = new Date('2031-03-10T10:00:00Z')
const reason = 'Closed a month too early'

/** Two closed months, each with a payment. */
beforeEach(async () => {
  school = await openLedger(database)
  const { order_id } = await school.order()
  for (const [price, month] of [
    [1000, '01'],
    [2000, '02'],
  ] as const) {
    await school.run(createPayment, { order_id, price }, new Date(`2031-${month}-10T10:00:00Z`))
  }
  await school.run(closePeriod, { until: january }, inMarch)
  await school.run(closePeriod, { until: february }, inMarch)
})

const request = (until: string, by = 'tester') => school.runAs(by, reverseClosing, { until, reason })
const approve = (request_id: string, by = 'second') => school.runAs(by, approveRequest, { request_id })
const reverse = async (until: string) => approve((await request(until)).request_id)
const closings = async () => (await school.run(listClosings)).list
/** Number, day and whether it is reversed. */
const shown = async () =>
  (await closings()).map(({ number, until, reversal }: Record<string, unknown>) => [
    number,
    until,
    reversal !== undefined,
  ])
const discrepancies = async () => (await checkLedger(database.app, school.corp_id)).discrepancies

describe('a reversal of the latest closing', () => {
  test('waits for a second person, and changes nothing before', async () => {
    const asked = await request(february)
    expect(asked).toMatchObject({ number: 2, until: february, state: 'waiting' })
    expect(await request(february)).toEqual(asked)
    expect(await shown()).toEqual([
      [2, february, false],
      [1, january, false],
    ])
    await expect(approve(asked.request_id, 'tester')).rejects.toMatchObject({ code: 40309 })
    expect((await school.run(listApprovals, { kind: 'closing_reversal' })).list).toMatchObject([
      { kind: 'closing_reversal', until: february, reason, order_id: '', price: 0, state: 'waiting' },
    ])
    const { request_id } = asked
    await school.runAs('second', declineRequest, { request_id, reason: 'It is right' })
    expect(await shown()).toHaveLength(2)
    await expect(approve(request_id)).rejects.toMatchObject({ code: 40904 })
  })

  test('leaves the closing visible next to its replacement, and the chain of both is intact', async () => {
    const [second] = await closings()
    await reverse(february)
    expect(await shown()).toEqual([
      [2, february, true],
      [1, january, false],
    ])
    const again = await school.run(closePeriod, { until: february })
    expect(again).toMatchObject({ number: 4, after: january, currencies: second.currencies })
    expect(await school.run(closePeriod, { until: february })).toEqual(again)
    const [, reversed] = await closings()
    expect(reversed).toEqual({
      ...second,
      reversal: {
        ...{ corp_id: school.corp_id, number: 3, closing_number: 2, until: february, reason },
        ...{ requested_by: 'tester', approved_by: 'second' },
        previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        reversed_at: expect.any(String),
      },
    })
    expect(await shown()).toEqual([
      [4, february, false],
      [2, february, true],
      [1, january, false],
    ])
    expect(await discrepancies()).toEqual([])
    const { rows } = await database.superuser.query(
      `select record_id, after from audit_entries where corp_id = $1 and record_type = 'closing_reversals'`,
      [school.corp_id],
    )
    expect(rows).toMatchObject([
      { record_id: february, after: { closing_number: 2, requested_by: 'tester' } },
    ])
  })

  test('opens its period: entries dated into it are entries of the open period', async () => {
    const { order_id } = await school.order()
    const late = { completed_time: '2031-02-20 10:00:00' }
    const { payment_id } = await school.run(createPayment, { order_id, price: 700, ...late })
    const periodOf = async () =>
      (await school.run(listPayments, { page_size: 100 })).list.find(
        (row: { payment_id: string }) => row.payment_id === payment_id,
      ).closed_period
    expect(await periodOf()).toBe(february)
    await reverse(february)
    expect(await periodOf()).toBe('')
    await expect(school.run(explainFigure, { figure: 'received', until: february })).rejects.toThrow('until')
    const march = await school.run(closePeriod, { until: '2031-03-31' }, new Date('2031-04-02T00:00:00Z'))
    expect(march).toMatchObject({
      after: january,
      currencies: [{ received: 2700, earlier_periods: { received: 0 } }],
    })
    expect(await discrepancies()).toEqual([])
  })

  test('is refused for an earlier one, an unknown one, and one that was reversed before', async () => {
    await expect(request(january)).rejects.toMatchObject({
      code: 40904,
      message: expect.stringContaining(`reverse the closing of ${february} first`),
    })
    await expect(request('2031-01-15')).rejects.toMatchObject({ code: 40002 })
    const [one, other] = [await request(february), await request(february, 'third')]
    await approve(one.request_id)
    await expect(approve(other.request_id)).rejects.toMatchObject({
      code: 40904,
      message: expect.stringContaining('was reversed before'),
    })
    // One after the other, each with its own approval.
    await reverse(january)
    expect(await shown()).toEqual([
      [2, february, true],
      [1, january, true],
    ])
    await school.run(closePeriod, { until: january })
    expect(await shown()).toHaveLength(3)
    expect(await discrepancies()).toEqual([])
  })

  test('is refused after a later closing, and waits until that one is reversed', async () => {
    const { request_id } = await request(february)
    await school.run(closePeriod, { until: '2031-03-31' }, new Date('2031-04-02T00:00:00Z'))
    await expect(approve(request_id)).rejects.toMatchObject({ code: 40904 })
    await reverse('2031-03-31')
    expect(await approve(request_id)).toMatchObject({ state: 'approved', kind: 'closing_reversal' })
  })
})

describe('at the same time', () => {
  test('two approvals of reversals reverse the closing once', async () => {
    const [one, other] = [await request(february), await request(february, 'third')]
    const outcomes = await Promise.allSettled([
      approve(one.request_id),
      approve(one.request_id, 'fourth'),
      approve(other.request_id),
      approve(other.request_id, 'fifth'),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 40904 })
    expect(await shown()).toEqual([
      [2, february, true],
      [1, january, false],
    ])
    expect(await discrepancies()).toEqual([])
  })

  test('a reversal and new closings leave one chain: the closing follows the reversal, or the reversal is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const march = `2031-03-0${round + 1}`
      const { until } = (await closings()).find(({ reversal }: { reversal?: unknown }) => !reversal)
      const { request_id } = await request(until)
      const [reversed, ...closed] = await Promise.allSettled([
        approve(request_id),
        school.run(closePeriod, { until: march }),
        school.run(closePeriod, { until: march }),
      ])
      for (const outcome of closed) expect(outcome).toMatchObject({ status: 'fulfilled' })
      if (reversed!.status === 'rejected') expect(reversed!.reason).toMatchObject({ code: 40904 })
      const [latest] = await closings()
      if (latest.until === march && reversed!.status === 'fulfilled') expect(latest.after).not.toBe(until)
      expect(await discrepancies()).toEqual([])
      // The next round starts with a closing in force.
      await school.run(closePeriod, { until: march })
    }
  })
})

describe('the check of closings finds', () => {
  const tampered = async (change: string) => {
    await reverse(february)
    await school.run(closePeriod, { until: february })
    const statement = change.replaceAll('CORP', `'${school.corp_id}'`)
    await database.superuser.query(
      `begin; set local session_replication_role = replica; ${statement}; commit`,
    )
    return (await discrepancies()).map(({ subject, what }) => `${subject} ${what}`)
  }

  test.each([
    [
      'a reversal that was removed',
      'delete from closing_reversals where corp_id = CORP',
      /closing 4 closing: one entry/,
    ],
    [
      'another reason',
      `update closing_reversals set document = replace(document, 'early', 'late') where corp_id = CORP`,
      /closing 4 closing: hash of the entry before it/,
    ],
    [
      'a closing that was removed',
      'delete from closings where corp_id = CORP and number = 2',
      /closing 3 closing: /,
    ],
    [
      'a changed figure of a reversed closing',
      `update closings set document = replace(document, '"received":2000', '"received":2001') where corp_id = CORP and number = 2`,
      /closing 3 closing: hash of the entry before it/,
    ],
    [
      'a changed figure of the latest closing',
      `update closings set document = replace(document, '"received":2000', '"received":2001') where corp_id = CORP and number = 4`,
      /closing 4 closing: received in CNY/,
    ],
    [
      'a changed account',
      `update closings set document = replace(document, '"account":""', '"account":"cash"') where corp_id = CORP and number = 4`,
      /closing 4 closing: account "cash": received in CNY/,
    ],
    [
      'a document that is none',
      `update closings set document = 'changed' where corp_id = CORP and number = 4`,
      /closing: readable documents/,
    ],
  ])('%s', async (_, change, found) => {
    expect((await tampered(change)).join('\n')).toMatch(found)
  })
})
