import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import { createKeyring } from '../../access/organizations/keyring.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { inviteStaff } from '../../access/staff/manage-staff.ts'
import { setPassword } from '../../access/staff/staff-store.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { eraseUser } from '../../changes/erasure/erase-user.ts'
import { newId } from '../../contract/new-id.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createUser } from '../../people/users/create-user.ts'
import { exportSchool } from './export-school.ts'
import { importSchool } from './import-school.ts'
import { findOccupied } from './school-table-store.ts'

let from: TestDatabase
let to: TestDatabase
let school: TestLedger
let folder: Awaited<ReturnType<typeof openFolder>>
let file: string
let order_id: string
let app_id: string
let secret: string
const now = new Date()
const otherKeyring = createKeyring([randomBytes(32)])

beforeAll(async () => {
  folder = await openFolder()
  from = await createTestDatabase()
  to = await createTestDatabase()
  school = await openLedger(from)
  const { corp_id } = school
  order_id = (await school.order()).order_id
  await school.run(createPayment, { order_id, price: 10_000, charge_id: 'c1' })
  const made = await createAccount(from.owner, testKeyring, { name: 'Till', corp_ids: [corp_id] }, now)
  app_id = made.app_id
  secret = made.user_api_secret
  const person = {
    staff_id: newId(),
    corp_id,
    email: 'wren@birds.example',
    name: 'Wren',
    role: 'admin' as const,
  }
  await inviteStaff(from.owner.of(corp_id), person, now)
  await setPassword(from.owner.of(corp_id), person, 'hash-of-a-password', now)
  const { user_id } = await school.run(createUser, { email: 'erased@birds.example' })
  await school.run(eraseUser, { user_id, reason: 'Asked for it' })
  file = join(folder.folder, 'school.matricula')
  await exportSchool(from.owner, testKeyring, corp_id, file, now)
})
afterAll(async () => {
  await folder.remove()
  await from.drop()
  await to.drop()
})

const bring = (path = file, schema = 1, on = to) =>
  importSchool(on.owner, otherKeyring, path, { schema, now })

async function changed(change: (lines: string[]) => unknown): Promise<string> {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
  const changed = change(lines)
  const after = Array.isArray(changed) ? changed : lines
  const path = join(folder.folder, `${newId()}.matricula`)
  await writeFile(path, gzipSync(`${after.join('\n')}\n`))
  return path
}

test('the file holds no secret', async () => {
  const text = gunzipSync(await readFile(file)).toString()
  expect(text).toContain('wren@birds.example')
  for (const hidden of [secret, 'hash-of-a-password', 'erased@birds.example'])
    expect(text).not.toContain(hidden)
})

test('a damaged, truncated or foreign file, or one of another version, is refused and leaves nothing', async () => {
  const cases: [path: string, sentence: string][] = [
    [await changed((lines) => void lines.splice(-1)), 'its end is missing'],
    [
      await changed((lines) => lines.map((line) => line.replace('wren@', 'rook@'))),
      'its checksum does not match',
    ],
    [await changed((lines) => void lines.splice(0, 1, '{}')), 'is not an exported school'],
    [
      await changed((lines) => void lines.splice(0, 1, lines[0]!.replace('"version":1', '"version":2'))),
      'version 2 of the format',
    ],
    [
      await changed((lines) => void lines.splice(0, 1, lines[0]!.replace('"schema":1', '"schema":2'))),
      'Upgrade this installation first',
    ],
    [join(folder.folder, 'nothing'), 'cannot be read (ENOENT)'],
  ]
  const cut = join(folder.folder, 'cut.matricula')
  await writeFile(cut, (await readFile(file)).subarray(0, -40))
  cases.push([cut, 'is damaged'])
  for (const [path, sentence] of cases) await expect(bring(path), sentence).rejects.toThrow(sentence)
  await expect(bring(file, 2)).rejects.toThrow('Upgrade the installation that wrote it')
  expect(await findOccupied(to.owner.of(school.corp_id), school.corp_id)).toEqual([])
})

test('the school is imported with its ids, chains and erasures, under another key', async () => {
  const { corp_id } = school
  expect(await bring()).toMatchObject({ corp_id, accounts: [app_id], orders: 1 })
  expect(await checkLedger(to.app, corp_id)).toMatchObject({ total: 0, orders: 1 })
  const before = await verifyAudit(from.owner, corp_id)
  const after = await verifyAudit(to.owner, corp_id, undefined)
  expect(after.total).toBe(0)
  // Both chains continue from the same link: with the import here, with the export there.
  expect(after.entries).toBe(before.entries)
  const { rows } = await to.superuser.query('select password_hash, email from staff where corp_id = $1', [
    corp_id,
  ])
  expect(rows).toEqual([{ password_hash: null, email: 'wren@birds.example' }])
  const secrets = await to.superuser.query('select 1 from account_secrets')
  expect(secrets.rows).toEqual([])
  const both = await Promise.all(
    [from, to].map((database) =>
      database.superuser.query(
        'select detail, list_row from order_read_model where corp_id = $1 and order_id = $2',
        [corp_id, order_id],
      ),
    ),
  )
  expect(both[1]!.rows).toEqual(both[0]!.rows)
  await expect(bring()).rejects.toThrow(`There already is an organization ${corp_id}`)
})

test('an account with an existing id is refused, and leaves nothing', async () => {
  const other = await createTestDatabase()
  try {
    const { owner, superuser } = other
    await superuser.query(
      `insert into accounts (app_id, name, permissions, ctime, mtime) values ($1, 'Another', '{}', now(), now())`,
      [app_id],
    )
    await expect(bring(file, 1, other)).rejects.toThrow(`There already is an account ${app_id}`)
    expect(await findOccupied(owner.of(school.corp_id), school.corp_id)).toEqual([])
  } finally {
    await other.drop()
  }
})

test('books that do not balance are refused', async () => {
  const path = await changed((lines) => {
    const start = lines.findIndex((line) => line.startsWith('{"table":"payments"'))
    const column = JSON.parse(lines[start]!).columns.indexOf('order_price')
    const row = JSON.parse(lines[start + 1]!)
    row[column] = '9999'
    lines[start + 1] = JSON.stringify(row)
    const { end } = JSON.parse(lines.at(-1)!)
    end.sha256 = createHash('sha256')
      .update(`${lines.slice(0, -1).join('\n')}\n`)
      .digest('hex')
    lines[lines.length - 1] = JSON.stringify({ end })
  })
  const other = await createTestDatabase()
  try {
    await expect(bring(path, 1, other)).rejects.toThrow('The books of the file do not agree')
    expect(await findOccupied(other.owner.of(school.corp_id), school.corp_id)).toEqual([])
  } finally {
    await other.drop()
  }
  await rm(path)
})
