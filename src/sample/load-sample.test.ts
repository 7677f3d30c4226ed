import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { testKeyring } from '../../test/harness/keyring.ts'
import { currencyExponents } from '../contract/currencies.ts'
import { isAreaCode, isEmail, isMobile } from '../contract/formats.ts'
import { longest } from '../contract/lengths.ts'
import { tenantTables } from '../database/tables.ts'
import { financialCourseAttributes } from '../orders/financial-row.ts'
import { paymentSlots } from '../orders/payment-slots.ts'
import { orderStatuses, orderTypes, subOrderTypes } from '../orders/status.ts'
import { findSecret } from '../organizations/account-store.ts'
import { mobileNumberFaults } from '../users/mobile-number.ts'
import { isEmptyDatabase, loadSample, type SampleCredentials } from './load-sample.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of many tables, read whole
type Row = Record<string, any>

let first: TestDatabase
let credentials: SampleCredentials
let tables: Record<string, Row[]>

beforeAll(async () => {
  first = await createTestDatabase()
  credentials = await loadSample(first.owner, testKeyring, async () => {})
  tables = await readTables(first)
})
afterAll(() => first?.drop())

async function readTables(database: TestDatabase): Promise<Record<string, Row[]>> {
  const read = async (table: string) => {
    const { rows } = await database.superuser.query(
      `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`,
    )
    return [table, rows.map(({ row }) => row)]
  }
  const shared = ['organizations', 'accounts', 'account_organizations']
  return Object.fromEntries(await Promise.all([...shared, ...tenantTables].map(read)))
}

const of = (table: string) => tables[table]!
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const indexes = new Map<string, Map<string, Row[]>>()

/** The rows of a table with this value in a column. */
function by(table: string, key: string, id: string): Row[] {
  const name = `${table}.${key}`
  if (!indexes.has(name))
    indexes.set(
      name,
      Map.groupBy(of(table), (row) => row[key]),
    )
  return indexes.get(name)!.get(id) ?? []
}

const time = (text: string) => new Date(text).getTime()

describe('loading', () => {
  test('fills every table of the school', () => {
    const counts = Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]))
    expect(counts).toMatchObject({
      organizations: 1,
      accounts: 1,
      users: 320,
      tag_groups: 6,
      leads: 420,
      orders: 260,
    })
    expect(counts.user_tags).toBeGreaterThan(200)
    expect(counts.refunds).toBeGreaterThan(40)
    expect(counts.order_remarks).toBeGreaterThan(40)
  })

  test('gives the same school every time, but for the secret', async () => {
    const second = await createTestDatabase()
    try {
      const others = await loadSample(second.owner, testKeyring, async () => {})
      expect(others.user_api_secret).not.toBe(credentials.user_api_secret)
      const withoutSecret = (all: Record<string, Row[]>) => ({
        ...all,
        accounts: all.accounts!.map(({ secret_box: _, ...account }) => account),
      })
      expect(withoutSecret(await readTables(second))).toEqual(withoutSecret(tables))
    } finally {
      await second.drop()
    }
  })

  test('leaves nothing when the credentials cannot be kept', async () => {
    const other = await createTestDatabase()
    try {
      const failing = loadSample(other.owner, testKeyring, () => Promise.reject(new Error('disk full')))
      await expect(failing).rejects.toThrow('disk full')
      expect(await isEmptyDatabase(other.owner)).toBe(true)
      expect(Object.values(await readTables(other)).flat()).toEqual([])
    } finally {
      await other.drop()
    }
  })

  test('keeps the secret sealed, and the account free of limits', async () => {
    const sealed = await findSecret(first.app.shared, credentials.app_id)
    expect(testKeyring.open(credentials.app_id, sealed!)).toBe(credentials.user_api_secret)
    expect(of('accounts')[0]).toMatchObject({
      rate_limit_per_minute: null,
      permissions: ['read', 'write', 'finance'],
    })
    expect(await isEmptyDatabase(first.app)).toBe(false)
  })
})

describe('people', () => {
  test('have numbers and addresses that the interface would accept', () => {
    for (const user of of('users')) {
      for (const [area_code, mobile] of [
        [user.area_code, user.mobile],
        [user.backup_area_code, user.backup_mobile],
      ]) {
        if (mobile === null) continue
        expect(isAreaCode(area_code) && isMobile(mobile), `+${area_code} ${mobile}`).toBe(true)
        expect(mobileNumberFaults({ area_code, mobile })).toEqual([])
      }
      if (user.email !== null) expect(isEmail(user.email), user.email).toBe(true)
      expect(user.mobile ?? user.email).toBeTruthy()
      expect(user.name?.length ?? 0).toBeLessThanOrEqual(longest.name)
    }
  })

  test('come in every shape of contact, pool and country', () => {
    const users = of('users')
    expect(new Set(users.map((user) => user.area_code)).size).toBeGreaterThanOrEqual(8)
    expect(new Set(users.map((user) => user.pool))).toEqual(new Set(['alive', 'dead', 'public']))
    expect(users.some((user) => user.mobile === null)).toBe(true)
    expect(users.some((user) => user.mobile !== null && user.email !== null)).toBe(true)
    expect(users.some((user) => user.backup_mobile !== null)).toBe(true)
  })

  test('have tags that fit their groups', () => {
    const groups = of('tag_groups')
    expect(new Set(groups.map((group) => group.attribute))).toEqual(new Set(['define', 'number', 'string']))
    expect(groups.filter((group) => !group.is_active)).toHaveLength(1)
    for (const tag of of('user_tags')) {
      const [group] = by('tag_groups', 'entity_id', tag.tags_group_id)
      expect(tag.attribute).toBe(group!.attribute)
      for (const attribute of ['define', 'number', 'string']) {
        expect(tag[`${attribute}_value`] !== null).toBe(attribute === tag.attribute)
      }
    }
  })
})

describe('orders', () => {
  test('show every status, type and currency, and all that their batches copy', () => {
    const seen = (table: string, column: string) => new Set(of(table).map((row) => row[column]))
    expect(seen('orders', 'status')).toEqual(new Set(orderStatuses))
    expect(seen('orders', 'type')).toEqual(new Set(orderTypes))
    expect(seen('sub_orders', 'type')).toEqual(new Set(subOrderTypes))
    expect(seen('orders', 'currency')).toEqual(new Set(['CNY', 'USD', 'EUR', 'JPY', 'HKD', 'KWD']))
    for (const order of of('orders')) {
      expect(Object.keys(order.course_copy).sort()).toEqual([...financialCourseAttributes].sort())
    }
  })

  test('fill the payment slots, and never more', () => {
    const counts = of('sub_orders').map((part) => by('payments', 'sub_order_id', part.sub_order_id).length)
    expect(Math.max(...counts)).toBe(paymentSlots)
    expect(Math.min(...counts)).toBe(0)
    expect(counts.filter((count) => count > 5).length).toBeGreaterThan(3)
  })

  test('owe what their parts owe, at most what was listed', () => {
    for (const order of of('orders')) {
      const parts = by('sub_orders', 'order_id', order.order_id)
      expect(sum(parts.map((part) => part.total_price))).toBe(order.total_price)
      expect(order.total_price).toBe(order.discounted_price)
      expect(order.discounted_price).toBeLessThanOrEqual(order.listed_price)
      expect(parts.map((part) => part.seq).sort()).toEqual(parts.map((_, index) => index + 1))
      expect(parts.every((part) => part.currency === order.currency)).toBe(true)
      expect(sum(Object.values(order.share_proportion))).toBe(10_000)
    }
    expect(of('orders').filter((order) => order.total_price === 0)).toMatchObject([{ status: 'success' }])
  })

  test('have the status that their payments amount to', () => {
    for (const order of of('orders')) {
      const parts = by('sub_orders', 'order_id', order.order_id)
      expectStatus(
        order,
        by('payments', 'order_id', order.order_id),
        by('refunds', 'order_id', order.order_id),
      )
      expect(order.is_locked).toBe(order.status === 'locked')
      expect(order.expired_time !== null).toBe(order.status === 'expired')
      const isWhole = ['tbd', 'unconfirmed', 'locked', 'canceled', 'expired'].includes(order.status)
      for (const part of parts) {
        const paid = by('payments', 'sub_order_id', part.sub_order_id)
        if (isWhole) expect(part.status).toBe(order.status)
        else expect(part.status).toBe(openStatus(received(paid), part.total_price))
        expect(part.completed_time).toBe(completion(part, paid))
      }
      const paid = by('payments', 'order_id', order.order_id)
      expect(order.completed_time).toBe(order.status === 'success' ? completion(order, paid) : null)
    }
  })

  test('give back no more than they received', () => {
    for (const key of ['order_id', 'sub_order_id', 'payment_id']) {
      for (const id of new Set(
        of('refunds')
          .map((refund) => refund[key])
          .filter(Boolean),
      )) {
        const returned = sum(by('refunds', key, id).map((refund) => refund.price))
        expect(returned).toBeLessThanOrEqual(received(by('payments', key, id)))
      }
    }
  })

  test('convert payments exactly, rounding half to even', () => {
    expect(of('payments').filter((payment) => payment.exchange_rate !== 10_000).length).toBeGreaterThan(20)
    for (const payment of of('payments')) {
      const [order] = by('orders', 'order_id', payment.order_id)
      expect(payment.order_price).toBe(inOrderCurrency(payment, order!.currency))
    }
  })

  test('were last modified by their last event, and count their events', () => {
    for (const [table, key] of [
      ['orders', 'order_id'],
      ['sub_orders', 'sub_order_id'],
    ] as const) {
      for (const row of of(table)) {
        const ledger = [...by('payments', key, row[key]), ...by('refunds', key, row[key])]
        const remarks = table === 'orders' ? by('order_remarks', key, row[key]) : []
        const moments = [
          ...ledger.map((event) => event.completed_time),
          ...remarks.map((remark) => remark.ctime),
        ]
        const moves = ['locked', 'canceled', 'expired'].includes(row.status) ? 1 : 0
        for (const moment of moments) {
          expect(time(moment)).toBeGreaterThan(time(row.ctime))
          expect(time(moment)).toBeLessThanOrEqual(time(row.mtime))
        }
        expect(row.version).toBe(1 + moments.length + moves)
        expect(time(row.mtime)).toBeLessThanOrEqual(time('2026-10-31T23:59:59+08:00'))
      }
    }
  })

  test('were made after their users and leads', () => {
    for (const order of of('orders')) {
      const [user] = by('users', 'user_id', order.user_id)
      expect(time(user!.ctime)).toBeLessThanOrEqual(time(order.ctime))
      if (order.leads_id === null) continue
      const [lead] = by('leads', 'lead_id', order.leads_id)
      expect(lead).toMatchObject({ user_id: order.user_id })
      expect(time(lead!.ctime)).toBeLessThanOrEqual(time(order.ctime))
    }
  })
})

function received(payments: Row[]): number {
  return sum(payments.map((payment) => payment.order_price))
}

function openStatus(paid: number, total: number): string {
  if (paid >= total) return 'success'
  return paid > 0 ? 'pending' : 'created'
}

function expectStatus(order: Row, payments: Row[], refunds: Row[]): void {
  const paid = received(payments)
  const returned = sum(refunds.map((refund) => refund.price))
  if (['success', 'pending', 'created'].includes(order.status)) {
    expect(order.status).toBe(openStatus(paid, order.total_price))
  }
  if (['tbd', 'unconfirmed'].includes(order.status)) expect(paid).toBe(0)
  if (order.status === 'canceled') expect(returned).toBe(paid)
  if (order.status === 'expired') expect(paid).toBeLessThan(order.total_price)
}

/** When the payments came to the total; what costs nothing is complete from the start. */
function completion(row: Row, payments: Row[]): string | null {
  if (row.total_price === 0) return row.ctime
  let paid = 0
  for (const payment of payments.toSorted((a, b) => time(a.completed_time) - time(b.completed_time))) {
    paid += payment.order_price
    if (paid >= row.total_price) return payment.completed_time
  }
  return null
}

function inOrderCurrency(payment: Row, currency: string): number {
  const exponents = currencyExponents[currency]! - currencyExponents[payment.currency]! - 4
  const scaled = BigInt(payment.price) * BigInt(payment.exchange_rate)
  if (exponents >= 0) return Number(scaled * 10n ** BigInt(exponents))
  const unit = 10n ** BigInt(-exponents)
  const [whole, twice] = [scaled / unit, (scaled % unit) * 2n]
  const roundsUp = twice > unit || (twice === unit && whole % 2n === 1n)
  return Number(roundsUp ? whole + 1n : whole)
}
