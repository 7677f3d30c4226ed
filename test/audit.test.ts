import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { exportAudit, listAudit } from '../src/access/audit/list-audit.ts'
import { verifyAudit } from '../src/access/audit/verify-audit.ts'
import { createAccount } from '../src/access/organizations/manage-accounts.ts'
import { inviteColleague } from '../src/access/staff/colleagues.ts'
import { choosePassword } from '../src/access/staff/enter-by-link.ts'
import { inviteStaff } from '../src/access/staff/manage-staff.ts'
import { appendStatementLines } from '../src/backoffice/finance/reconciliation/append-statement-lines.ts'
import { ignoreBankLines } from '../src/backoffice/finance/reconciliation/settle-bank-lines.ts'
import { storeLeadMonths } from '../src/changes/erasure/erase-store.ts'
import { eraseUser } from '../src/changes/erasure/erase-user.ts'
import { exportRejectedRows } from '../src/changes/lead-import/list-lead-file-values.ts'
import { newId } from '../src/contract/new-id.ts'
import { administration, consoleOperations, endpoints } from '../src/endpoints.ts'
import { maintainOnce } from '../src/maintenance.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { changeLimits, updateRefundLimits } from '../src/orders/limits/manage-refund-limits.ts'
import { createPayer } from '../src/orders/payers/create-payer.ts'
import { assignUserTag } from '../src/people/user-tags/assign-user-tag.ts'
import { storeClaimRules } from '../src/people/users/claims/claim-store.ts'
import { claimUser } from '../src/people/users/claims/claim-user.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { fetchContact } from '../src/people/users/fetch-contact.ts'
import { updatePool } from '../src/people/users/update-pool.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { validInput } from './conformance/valid-inputs.ts'
import { testKeyring } from './harness/keyring.ts'
import { hireStaff } from './harness/staff.ts'

const stage = {} as Stage
beforeAll(async () => {
  Object.assign(stage, await setStage())
})
afterAll(() => stage.server?.close())

interface Entry {
  actor_kind: string
  actor_id: string
  address: string
  operation: string
  action: string
  record_type: string
  record_id: string
  version: number | null
  before: object | null
  after: object | null
  person_id: string | null
  content: string | null
}

async function entriesOf(request_id: string): Promise<Entry[]> {
  const { rows } = await stage.server.database.superuser.query(
    `select e.*, p.content from audit_entries e left join audit_personal p using (corp_id, person_id, entry_id)
      where e.request_id = $1 order by e.entry_id`,
    [request_id],
  )
  return rows
}

const posts = endpoints.filter(({ method, scope }) => method === 'POST' && scope === 'organization')
const gets = endpoints.filter(({ method, scope }) => method === 'GET' && scope === 'organization')

/** Members that valid inputs need so that these operations change something. */
const prepared: Record<string, () => Promise<object> | object> = {
  updatePool: () => ({ user_id: stage.school.stock!.nextPublic() }),
  bulkUpdateUsers: () => ({ user_ids: [stage.school.stock!.nextPublic()], dry_run: false }),
  commitLeadFile: async () => {
    const { school, server } = stage
    await server.database.superuser.query(
      `update lead_imports set state = 'planned', content_hash = 'x' where corp_id = $1 and import_id = $2`,
      [school.corp_id, school.import_id],
    )
    return {}
  },
  closePeriod: async () => {
    // The school has closed the day of the examples without its money, so the next closing would not add up.
    await stage.server.database.superuser.query('delete from closings where corp_id = $1', [
      stage.school.corp_id,
    ])
    return { until: '2026-11-01' }
  },
  reverseClosing: () => ({ until: '2026-11-01' }),
  unmatchBankLines: async () => {
    const { school, server } = stage
    const lines = { corp_id: school.corp_id, line_ids: [school.stock!.nextLine()] }
    await server.call(ignoreBankLines, { ...lines, reason: 'Own account' })
    return lines
  },
  confirmCertainMatches: async () => {
    const { school, server } = stage
    const { payment_id } = school.stock!.nextPaid()
    const charge_id = `charge-${payment_id}`
    await server.database.superuser.query(
      'update payments set charge_id = $1 where corp_id = $2 and payment_id = $3',
      [charge_id, school.corp_id, payment_id],
    )
    const line = { value_date: '2026-10-14', price: 1_000_000, charge_id }
    const { corp_id, statement_id } = school
    await server.call(appendStatementLines, { corp_id, statement_id, first_number: 1, lines: [line] })
    return {}
  },
  releaseUser: async () => {
    const { server, school } = stage
    const claim = { corp_id: school.corp_id, user_id: school.stock!.nextPublic(), owner_id: 'adviser' }
    await server.call(claimUser, claim)
    return claim
  },
}

describe('every operation that changes something', () => {
  test.each(posts)('$id leaves who, from where, by which call, and what', async (endpoint) => {
    const { server, school } = stage
    const id = newId()
    const input = { ...validInput(endpoint, school), ...(await prepared[endpoint.id]?.()) }
    const answer = await server.call(endpoint, input, { headers: { 'X-Request-Id': id } })
    expect(answer.code, answer.msg).toBe(0)
    const entries = await entriesOf(id)
    expect(entries.length).toBeGreaterThan(0)
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actor_kind: 'account',
        actor_id: server.sample.app_id,
        address: '127.0.0.1',
        operation: endpoint.id,
      })
      // Background work on a file may be noted by now. It belongs to no order.
      if (entry.action === 'exported') continue
      expect(entry.record_id, entry.record_type).not.toBe('')
      if (entry.record_type === 'orders') expect(entry.version).toBeGreaterThan(0)
    }
  })

  test.each(posts)('$id leaves nothing where it is refused', async (endpoint) => {
    const { server, school } = stage
    const input = validInput(endpoint, school)
    const refusals = [
      [{ ...input, corp_id: stage.otherSchool.corp_id }, undefined],
      [
        { corp_id: school.corp_id, ...Object.fromEntries(Object.keys(input).map((name) => [name, {}])) },
        undefined,
      ],
      [input, stage.tokens.revoked],
    ] as const
    for (const [sent, token] of refusals) {
      const id = newId()
      const answer = await server.call(endpoint, sent, {
        headers: { 'X-Request-Id': id },
        ...(token && { token }),
      })
      expect(answer.code).not.toBe(0)
      expect(await entriesOf(id)).toEqual([])
    }
  })
})

test.each(gets)('$id, by an account, leaves nothing', async (endpoint) => {
  const id = newId()
  const { server, school } = stage
  const answer = await server.call(endpoint, validInput(endpoint, school), {
    headers: { 'X-Request-Id': id },
  })
  expect(answer.code).toBe(0)
  expect(await entriesOf(id)).toEqual([])
})

test('concurrent changes are distinguished: each has its own caller', async () => {
  const { server, school } = stage
  const wanted = { corp_ids: [school.corp_id] }
  const callers = await Promise.all(
    ['A', 'B', 'C'].map(async (name) => {
      const account = await createAccount(server.database.owner, testKeyring, { name, ...wanted }, new Date())
      return { app_id: account.app_id, token: await server.tokenOf(account) }
    }),
  )
  const calls = Array.from({ length: 60 }, (_, n) => ({ id: newId(), caller: callers[n % 3]!, n }))
  const answers = await Promise.all(
    calls.map(({ id, caller: { token }, n }) =>
      server.call(
        n % 2 ? createUser : assignUserTag,
        n % 2
          ? { corp_id: school.corp_id, email: `${id}@example.com` }
          : { ...validInput(assignUserTag, school), user_id: school.stock!.nextPublic() },
        { token, headers: { 'X-Request-Id': id } },
      ),
    ),
  )
  for (const [index, { id, caller, n }] of calls.entries()) {
    const [entry, ...others] = await entriesOf(id)
    expect(others).toEqual([])
    const { data } = answers[index]!
    expect(entry).toMatchObject({
      actor_id: caller.app_id,
      ...(n % 2
        ? { record_type: 'users', record_id: data.user_id, action: 'made' }
        : { record_type: 'user_tags', record_id: data, action: 'made' }),
    })
  }
})

test('an entry has the members that differ, and keeps personal data apart', async () => {
  const { server, school } = stage
  const email = `${newId()}@example.com`
  const [made, moved] = [newId(), newId()]
  const { data } = await server.call(
    createUser,
    { corp_id: school.corp_id, email },
    { headers: { 'X-Request-Id': made } },
  )
  await server.call(
    updatePool,
    { corp_id: school.corp_id, user_id: data.user_id, pool: 'dead' },
    { headers: { 'X-Request-Id': moved } },
  )
  const [creation] = await entriesOf(made)
  expect(JSON.stringify([creation!.before, creation!.after])).not.toContain(email)
  expect(JSON.parse(creation!.content!)).toEqual({ after: { email } })
  const [move] = await entriesOf(moved)
  expect(move).toMatchObject({
    action: 'changed',
    before: { pool: 'public', version: 1 },
    after: { pool: 'dead', version: 2 },
  })
  expect(Object.keys(move!.after!).sort()).toEqual(['pool', 'version'])
  expect(move!.content).toBeNull()
})

describe('staff', () => {
  const headers = async (role: 'admin' | 'viewer') => {
    const { server, school } = stage
    const wanted = {
      staff_id: newId(),
      corp_id: school.corp_id,
      email: `${newId()}@example.com`,
      name: 'One',
      role,
    }
    const { link, staff_id } = await inviteStaff(server.database.owner.of(school.corp_id), wanted, new Date())
    const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }
    const password = 'correct horse battery'
    const entered = await server.call(
      choosePassword,
      { link, password },
      { token: null, headers: sameOrigin },
    )
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    return { staff_id, headers: { ...sameOrigin, Cookie: cookie } }
  }

  test('are noted for a reveal of a contact; accounts are not', async () => {
    const { server, school } = stage
    const who = await headers('admin')
    const id = newId()
    const input = { corp_id: school.corp_id, user_id: school.user_id, contact_type: 'mobile' }
    const seen = await server.call(fetchContact, input, {
      token: null,
      headers: { ...who.headers, 'X-Request-Id': id },
    })
    expect(seen.code).toBe(0)
    expect(await entriesOf(id)).toMatchObject([
      {
        actor_kind: 'staff',
        actor_id: who.staff_id,
        action: 'revealed',
        record_type: 'users',
        record_id: school.user_id,
      },
    ])
  })

  test('are noted for an export of the audit or rejected rows; programs cannot export them', async () => {
    const { server, school } = stage
    const who = await headers('admin')
    for (const [endpoint, record_type, input] of [
      [exportAudit, 'audit_entries', {}],
      [exportRejectedRows, 'lead_imports', { import_id: school.import_id }],
    ] as const) {
      const id = newId()
      const sent = { token: null, headers: { ...who.headers, 'X-Request-Id': id } }
      const answer = await server.call(endpoint, { corp_id: school.corp_id, ...input }, sent)
      expect(answer.code).toBe(0)
      expect(await entriesOf(id)).toMatchObject([
        { actor_kind: 'staff', actor_id: who.staff_id, action: 'exported', record_type },
      ])
    }
    const byProgram = await server.call(exportAudit, { corp_id: school.corp_id })
    expect(byProgram.code).not.toBe(0)
  })

  test('with the permission admin read the audit in stable pages; others cannot', async () => {
    const { server, school } = stage
    await linkEntries(server.db, school.corp_id)
    const [admin, viewer] = [await headers('admin'), await headers('viewer')]
    const list = (input: object, by = admin) =>
      server.call(listAudit, { corp_id: school.corp_id, ...input }, { token: null, headers: by.headers })
    expect((await list({}, viewer)).code).toBe(40303)
    const first = (await list({ page_size: 7, page: 2 })).data
    expect(first.list.map(({ seq }: { seq: number }) => seq)).toEqual([15, 16, 17, 18, 19, 20, 21])
    await server.call(createUser, { corp_id: school.corp_id, email: `${newId()}@example.com` })
    await linkEntries(server.db, school.corp_id)
    const again = (await list({ page_size: 7, page: 2 })).data
    expect(again.list).toEqual(first.list)
    expect(again.total).toBeGreaterThan(first.total)
    for (const filter of [
      { record_type: 'users' },
      { operation: 'createUser', action: 'made' },
      { actor_id: server.sample.app_id, record_type: 'orders' },
      { record_id: school.user_id },
    ]) {
      const all = (await list({ ...filter, page_size: 1000 })).data
      expect(all.total).toBe(all.list.length)
      for (const entry of all.list) expect(entry).toMatchObject(filter)
      const halves = [
        ...(await list({ ...filter, page_size: 2 })).data.list,
        ...(await list({ ...filter, page_size: 2, page: 1 })).data.list,
      ]
      expect(halves).toEqual(all.list.slice(0, 4))
    }
  })
})

/** Console operations of an administrator, in order. Each uses the results of the ones before it. */
const administrating: Record<string, (made: Record<string, string>) => object> = {
  saveView: () => ({ screen: 'people', name: 'Mine', filters: 'pool=public' }),
  deleteView: ({ view_id }) => ({ view_id }),
  updateOrganization: () => ({ name: 'School of Song' }),
  rotateCheckoutSecret: () => ({}),
  updateIssuer: () => ({ legal_name: 'School of Song Ltd.' }),
  approveRefundLimits: ({ raised_id }) => ({ request_id: raised_id }),
  declineRefundLimits: ({ lifted_id }) => ({ request_id: lifted_id }),
  updateRefundLimits: () => ({ limits: [{ currency: 'CNY', price: 5 }] }),
  confirmColleague: ({ invited_id }) => ({ staff_id: invited_id }),
  updateSignInProvider: () => ({
    issuer: 'https://id.example.edu',
    client_id: 'x',
    client_secret: 'y',
    email_domains: [],
    trusts_emails: false,
  }),
  removeSignInProvider: () => ({}),
  addSignInDomain: () => ({ domain: 'song.example' }),
  removeSignInDomain: () => ({ domain: 'song.example' }),
  grantSupport: () => ({ email: `${newId()}@operator.example`, name: 'Kim', hours: 1 }),
  revokeSupport: ({ grant_id }) => ({ grant_id }),
  inviteColleague: () => ({ email: `${newId()}@staff.example`, name: 'A', role: 'viewer' }),
  updateRole: ({ staff_id }) => ({ staff_id, role: 'finance' }),
  resetColleague: ({ staff_id }) => ({ staff_id }),
  createApiAccount: () => ({ name: 'Till', permissions: ['read'] }),
  updateApiAccount: ({ app_id }) => ({ app_id, allowed_networks: ['203.0.113.0/24'] }),
  rotateApiAccount: ({ app_id }) => ({ app_id, keep_old_until: nextWeek() }),
  endOldApiSecret: ({ app_id }) => ({ app_id }),
  disableApiAccount: ({ app_id }) => ({ app_id }),
  enableApiAccount: ({ app_id }) => ({ app_id }),
  eraseUser: () => ({ user_id: stage.school.stock!.nextPublic(), reason: 'Asked for it' }),
  erasePayer: ({ payer_id }) => ({ payer_id, reason: 'Asked for it', confirm_debt: true }),
  liftErasure: ({ erased_email }) => ({ email: erased_email }),
  replayWebhookDeliveries: () => ({ endpoint_id: stage.school.endpoint_id, all_dead: true }),
  createWebhookEndpoint: () => ({ url: 'https://hooks.example.com/audit', types: ['*'] }),
  rotateWebhookSecret: ({ endpoint_id }) => ({ endpoint_id }),
  pingWebhookEndpoint: ({ endpoint_id }) => ({ endpoint_id }),
  updateWebhookEndpoint: ({ endpoint_id }) => ({ endpoint_id, is_enabled: false }),
  enableWebhookEndpoint: ({ endpoint_id }) => ({ endpoint_id }),
  removeWebhookEndpoint: ({ endpoint_id }) => ({ endpoint_id }),
}

const nextWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
/** It calls name servers, and has its own test with one. */
const leftOut = ['verifySignInDomain']

test('every change by an administrator leaves an entry in their name', async () => {
  const { server, school } = stage
  const admin = await hireStaff(server, school.corp_id, 'admin')
  const operations = [...consoleOperations, ...administration].filter(
    ({ id, method, scope }) => method === 'POST' && scope === 'organization' && !leftOut.includes(id),
  )
  const made: Record<string, string> = {
    ...(await doneByAnother()),
    erased_email: await eraseSomebody(),
    payer_id: await payerOf(school.corp_id),
  }
  const silent: string[] = []
  for (const endpoint of operations.toSorted(inOrderOf(Object.keys(administrating)))) {
    const id = newId()
    const input = administrating[endpoint.id]?.(made) ?? {}
    const { code, msg, data } = await admin.call(endpoint, { ...input }, { 'X-Request-Id': id })
    // Checking a missing provider is refused and changes nothing.
    if (code !== 0 && /SignInProvider/.test(endpoint.id)) continue
    expect([endpoint.id, code, msg]).toEqual([endpoint.id, 0, 'success'])
    Object.assign(made, data)
    const entries = await entriesOf(id)
    if (entries.length === 0) silent.push(endpoint.id)
    for (const entry of entries)
      expect(entry).toMatchObject({ actor_kind: 'staff', actor_id: admin.staff_id, operation: endpoint.id })
  }
  expect(silent).toEqual([])
  expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(administrating).sort())
})

/** Operations that need a second administrator. */
async function doneByAnother() {
  const { server, school } = stage
  const { corp_id } = school
  const other = await hireStaff(server, corp_id, 'admin')
  await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 10 }, new Date())
  const ask = async (price?: number) => {
    const limits = price === undefined ? [] : [{ currency: 'CNY', price }]
    return (await other.call(updateRefundLimits, { limits })).data.request_id as string
  }
  const invitation = { email: `${newId()}@staff.example`, name: 'B', role: 'viewer' }
  const { staff_id } = (await other.call(inviteColleague, invitation)).data
  return { raised_id: await ask(20), lifted_id: await ask(), invited_id: staff_id as string }
}

/** Erases a person whose erasure can be lifted. Returns the e-mail address. */
async function eraseSomebody(): Promise<string> {
  const { server, school } = stage
  const { corp_id } = school
  const email = `${newId()}@example.com`
  const { data } = await server.call(createUser, { corp_id, email })
  const admin = await hireStaff(server, corp_id, 'admin')
  const erased = await admin.call(eraseUser, {
    user_id: data.user_id,
    reason: 'Asked for it',
    confirm_debt: true,
  })
  expect(erased.code).toBe(0)
  return email
}

async function payerOf(corp_id: string): Promise<string> {
  const { data } = await stage.server.call(createPayer, { corp_id, name: 'Somebody' })
  return data.payer_id
}

function inOrderOf(ids: string[]) {
  return (a: { id: string }, b: { id: string }) => ids.indexOf(a.id) - ids.indexOf(b.id)
}

test('background work leaves an entry in the name of maintenance', async () => {
  const { server, school } = stage
  const { order_id, user_id, stale_id } = await overdue()
  await maintainOnce(
    server.db,
    new Date('2031-01-01'),
    pino({ level: 'silent' }),
    new AbortController().signal,
    testKeyring,
  )
  const { rows } = await server.database.superuser.query(
    `select record_type, record_id, action from audit_entries
      where corp_id = $1 and record_id = any($2) and operation = 'maintenance'
        and at > now() - interval '1 minute' and action in ('changed', 'erased')`,
    [school.corp_id, [order_id, user_id, stale_id]],
  )
  const told = rows.map(({ record_type, record_id, action }) => `${record_type} ${record_id} ${action}`)
  expect(told.sort()).toEqual(
    [`orders ${order_id} changed`, `users ${user_id} changed`, `users ${stale_id} erased`].sort(),
  )

  /** An order past its deadline, a claim without a follow-up, and a person beyond the retention period. */
  async function overdue() {
    const corp_id = school.corp_id
    const order = {
      corp_id,
      user_id: school.user_id,
      listed_price: 100,
      first_payment_deadline: '2030-01-31',
    }
    const made = await server.call(createOrder, order)
    const claimed = school.stock!.nextPublic()
    await server.call(claimUser, { corp_id, user_id: claimed, owner_id: 'adviser' })
    await storeClaimRules(server.db.of(corp_id), corp_id, {
      most_held: null,
      most_per_day: null,
      hold_off_days: null,
      idle_days: 5000,
      reveals_per_hour: 60,
    })
    await server.database.superuser.query(
      `update user_claims set claimed_at = '2010-01-01', active_at = '2010-01-01' where user_id = $1`,
      [claimed],
    )
    const stale = (await server.call(createUser, { corp_id, email: `${newId()}@example.com` })).data
    await server.database.superuser.query(
      `update users set ctime = '2020-01-01', mtime = '2020-01-01' where user_id = $1`,
      [stale.user_id],
    )
    await storeLeadMonths(server.db.of(corp_id), corp_id, 120)
    return { order_id: made.data.order_id, user_id: claimed, stale_id: stale.user_id }
  }
})

test('after all tests the audit is intact', async () => {
  const report = await verifyAudit(stage.server.db)
  expect(report).toMatchObject({ total: 0, breaches: [] })
  expect(report.entries).toBeGreaterThan(100)
})
