import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSecrets } from '../src/access/organizations/secret-store.ts'
import { isAreaCode, isEmail, isMobile } from '../src/contract/formats.ts'
import { longest } from '../src/contract/lengths.ts'
import { mobileNumberFaults } from '../src/people/users/mobile-number.ts'
import { createTestDatabase } from '../test/harness/database.ts'
import { testKeyring } from '../test/harness/keyring.ts'
import { type LoadedSample, loadedSample, type Row, readTables } from '../test/support/sample.ts'
import { isEmptyDatabase, loadSample } from './load-sample.ts'

let sample: LoadedSample
beforeAll(async () => {
  sample = await loadedSample()
})
afterAll(() => sample?.database.drop())

const of = (table: string) => sample.of(table)

describe('loading', () => {
  test('fills every table of the school', () => {
    const counts = Object.fromEntries(
      Object.entries(sample.tables).map(([table, rows]) => [table, rows.length]),
    )
    expect(counts).toMatchObject({
      organizations: 1,
      accounts: 1,
      users: 320,
      tag_groups: 6,
      leads: 420,
      orders: 260,
      order_versions: 260,
      courses: 6,
      batches: 30,
      coupons: 6,
      ledger_clocks: 1,
      derived_data_versions: 5,
    })
    expect(counts.user_tags).toBeGreaterThan(200)
    expect(counts.refunds).toBeGreaterThan(40)
    expect(counts.order_remarks).toBeGreaterThan(40)
  })

  /** Columns with ids, instants, salts or salted hashes. */
  const ofChance = [
    ...['audit_entries', 'audit_personal', 'audit_waiting'],
    ...['order_versions', 'ledger_chain', 'ledger_clocks'],
  ]

  test('creates the same school every time, except for the secrets', async () => {
    const second = await createTestDatabase()
    try {
      const others = await loadSample(second.owner, testKeyring, async () => {})
      expect(others.user_api_secret).not.toBe(sample.credentials.user_api_secret)
      const withoutSecret = (all: Record<string, Row[]>) => ({
        ...Object.fromEntries(Object.entries(all).filter(([table]) => !ofChance.includes(table))),
        orders: all.orders!.map(({ user_copy_salt: _, user_copy_digest: __, ...order }) => order),
        // Counts are added as parts with their own ids until they are folded.
        facet_counts: all.facet_counts!.map((row) =>
          row.facet === 'duplicates' ? { ...row, part: '' } : row,
        ),
        account_secrets: all.account_secrets!.map(({ secret_box: _, ...secret }) => secret),
        staff: all.staff!.map(({ password_hash: _, ...colleague }) => colleague),
      })
      expect(withoutSecret(await readTables(second))).toEqual(withoutSecret(sample.tables))
    } finally {
      await second.drop()
    }
  })

  test('leaves nothing if the credentials cannot be stored', async () => {
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

  test('seals the secret, and sets no limit on the account', async () => {
    const [sealed] = await findSecrets(sample.database.app.shared, sample.credentials.app_id, new Date())
    expect(testKeyring.open(sample.credentials.app_id, sealed!)).toBe(sample.credentials.user_api_secret)
    expect(of('accounts')[0]).toMatchObject({
      rate_limit_per_minute: null,
      permissions: ['read', 'write', 'finance'],
    })
    expect(await isEmptyDatabase(sample.database.app)).toBe(false)
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

  test('cover every combination of contact, pool and country', () => {
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
      const [group] = sample.by('tag_groups', 'entity_id', tag.tags_group_id)
      expect(tag.attribute).toBe(group!.attribute)
      for (const attribute of ['define', 'number', 'string']) {
        expect(tag[`${attribute}_value`] !== null).toBe(attribute === tag.attribute)
      }
    }
  })
})
