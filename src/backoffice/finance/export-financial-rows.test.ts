import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse as parseCsv } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { waitFor } from '../../../test/harness/process.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { newId } from '../../contract/new-id.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { checkLedger } from './check-ledger.ts'
import type { ControlSheet } from './control-sheet.ts'
import { type ExportRequest, exportFinancialRows } from './export-financial-rows.ts'
import { exportColumns } from './exported-row.ts'
import { exportFormats } from './write-export.ts'

const formula = '=HYPERLINK("http://example.com";"prize")'
const texts = {
  name: formula,
  company_name: '+1',
  job_title: '@home',
  department: '-5',
  city: '\tTab',
  industry: 'a_x0041_\r<&>\u0001',
}

let database: TestDatabase
let folder: string
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-export-'))
  school = await openLedger(database, 'Asia/Shanghai', texts)
  await liveALittle(school)
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('an export as of an instant', () => {
  test('has the same bytes after later changes, in every format', async () => {
    const own = await openLedger(database, 'Europe/Madrid')
    const orders = await liveALittle(own)
    // The first order is the last modified one, so that `modify` and `create` sort differently for any ids.
    await own.run(createPayment, { order_id: orders.paid.order_id, price: 1 })
    const { control } = await take(own, { format: 'ndjson' })
    const { as_of } = control
    const selections = [
      {},
      { status: 'pending' },
      { time_range_type: 'modify', start_date: '2020-01-01', end_date: '2099-12-31' },
    ]
    const before = []
    for (const selection of selections) {
      for (const format of exportFormats) before.push(await take(own, { format, as_of, ...selection }))
    }
    await liveOn(own, orders)
    const later = await take(own, { format: 'ndjson' })
    expect(later.control.sha256).not.toBe(control.sha256)
    for (const { bytes, request } of before) {
      const again = await take(own, request)
      expect(again.bytes.map((file, index) => file.equals(bytes[index]!))).toEqual(bytes.map(() => true))
    }
    expect(before.every(({ control: { row_count } }) => row_count > 0)).toBe(true)
    expect(new Set(before.map(({ control: { sha256 } }) => sha256)).size).toBe(selections.length)
    expect((await checkLedger(database.app, own.corp_id)).discrepancies).toEqual([])
  })

  test('can be repeated even if others wrote at the same time', async () => {
    const own = await openLedger(database)
    const orders = await Promise.all(Array.from({ length: 4 }, () => own.order({ installment_count: 1 })))
    const writes = orders.flatMap(({ order_id }) =>
      Array.from({ length: 12 }, () => own.run(createPayment, { order_id, price: 100 })),
    )
    const taken = []
    for (let round = 0; round < 6; round++) taken.push(await take(own, { format: 'ndjson' }))
    await Promise.all(writes)
    for (const { bytes, control } of taken) {
      expect((await take(own, { format: 'ndjson', as_of: control.as_of })).bytes[0]!.equals(bytes[0]!)).toBe(
        true,
      )
    }
  })

  test('waits for a write in progress', async () => {
    const own = await openLedger(database)
    const { order_id } = await own.order({ installment_count: 1 })
    const writer = await database.superuser.connect()
    await writer.query('begin')
    await writer.query('update ledger_clocks set instant_us = instant_us where corp_id = $1', [own.corp_id])
    let isDone = false
    const exported = take(own, { format: 'ndjson' }).finally(() => {
      isDone = true
    })
    await waitFor(async () => isDone || (await database.lockWaits()) > 0)
    expect(isDone).toBe(false)
    await writer.query('commit')
    writer.release()
    expect((await exported).rows).toMatchObject([{ order_id, paid_price: 0 }])
  })

  test('takes an offset, UTC or the local time of the organization, to the microsecond', async () => {
    const { control } = await take(school, { format: 'ndjson' })
    const local = Temporal.Instant.from(control.as_of)
      .toZonedDateTimeISO('Asia/Shanghai')
      .toPlainDateTime()
      .toString()
    for (const as_of of [control.as_of, local, local.replace('T', ' '), `${local}+08:00`]) {
      expect((await take(school, { format: 'ndjson', as_of })).control).toEqual(control)
    }
  })

  test('without offset is refused where the clocks skip or repeat it', async () => {
    const own = await openLedger(database, 'Europe/Madrid')
    for (const as_of of [
      '2026-03-29T02:30:00',
      '2025-10-26 02:30:00',
      '2026-02-30T00:00:00Z',
      'now',
      '0000-01-01T00:00:00Z',
    ]) {
      await expect(take(own, { format: 'csv', as_of })).rejects.toThrow(`"${as_of}" is not an instant`)
    }
  })

  test('in the future is refused', async () => {
    await expect(take(school, { format: 'csv', as_of: '2999-01-01T00:00:00Z' })).rejects.toThrow(
      'is in the future',
    )
  })

  test('before the first order has no rows', async () => {
    const { control, rows } = await take(school, { format: 'ndjson', as_of: '2001-01-01T00:00:00Z' })
    expect({ rows, ...control }).toMatchObject({
      rows: [],
      row_count: 0,
      sums: [],
      sha256: createHash('sha256').digest('hex'),
    })
  })
})

describe('the rows', () => {
  test.each([
    {},
    { status: 'success' },
    { status: 'canceled' },
    { time_range_type: 'modify' },
    { start_date: '2020-01-01', end_date: '2098-01-01' },
    { start_date: '2098-01-01' },
  ])('are those of the financial list, value by value: %o', async (selection) => {
    const { list } = await school.run(listFinancialRows, { page_size: 1000, ...selection })
    const { rows, control } = await take(school, { format: 'ndjson', ...selection })
    expect(rows).toEqual(
      list.map((row: Row) => Object.fromEntries(exportColumns.map((column) => [column, row[column]]))),
    )
    expect(Object.keys(rows[0] ?? Object.fromEntries(exportColumns.map((column) => [column, null])))).toEqual(
      exportColumns,
    )
    expect(control.row_count).toBe(list.length)
  })

  test('are the same in every format', async () => {
    const { rows, control, bytes } = await take(school, { format: 'ndjson' })
    expect(control.sha256).toBe(createHash('sha256').update(bytes[0]!).digest('hex'))
    const { as_of } = control
    const asText = rows.map((row) => Object.values(row).map((cell) => (cell === null ? '' : String(cell))))

    const csv = await take(school, { format: 'csv', as_of })
    expect(csv.control).toEqual(control)
    const [headings, ...lines] = parseCsv(csv.bytes[0]!, { bom: true }) as string[][]
    expect(headings).toEqual(exportColumns)
    expect(lines.map((line) => line.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '')))).toEqual(asText)

    const xlsx = await take(school, { format: 'xlsx', as_of })
    expect(xlsx.control).toEqual(control)
    const sheets = await readWorkbook(xlsx.bytes[0]!)
    expect(Object.keys(sheets)).toEqual(['rows', 'control'])
    expect(sheets.rows![0]).toEqual(exportColumns)
    const cells = rows.map((row) => Object.values(row).map((cell) => (cell === '' ? null : cell)))
    expect(
      sheets.rows!.slice(1).map((line) => exportColumns.map((_, column) => line[column] ?? null)),
    ).toEqual(cells)
    // A sum of a sheet is a number; row_count is one too.
    const plain = ([item, currency, value]: unknown[]) => [
      item,
      currency,
      currency === '' ? String(value) : Number(value),
    ]
    const besideCsv = (parseCsv(csv.bytes[1]!, { bom: true }) as string[][]).slice(1).map(plain)
    expect(sheets.control!.slice(1).map((line) => plain([line[0], line[1] ?? '', line[2] ?? '']))).toEqual(
      besideCsv,
    )
  })

  test('hold no formula that a spreadsheet evaluates', async () => {
    const { bytes } = await take(school, { format: 'csv' })
    const text = bytes[0]!.toString()
    expect(bytes[0]!.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [line] = parseCsv(text, { bom: true, columns: true }) as Record<string, string>[]
    expect(line).toMatchObject({
      account_name: `'${formula}`,
      company_name: `'+1`,
      job_title: `'@home`,
      department: `'-5`,
      city: `'\tTab`,
    })
    expect(text).toContain(`,"${texts.industry}",`)
    expect(text.split('\r\n').length).toBeGreaterThan(5)
  })
})

describe('the control sheet', () => {
  test('has the sum of every money column by currency', async () => {
    const { rows, control, bytes } = await take(school, { format: 'ndjson' })
    expect(JSON.parse(bytes[1]!.toString())).toEqual(control)
    const sums = new Map<string, bigint>()
    const add = (column: string, currency: string, major: number) => {
      const minor = BigInt(Math.round(major * 10 ** currencyExponents[currency]!))
      sums.set(`${column} ${currency}`, (sums.get(`${column} ${currency}`) ?? 0n) + minor)
    }
    for (const row of rows) {
      for (const column of ['total_price', 'paid_price', 'post_refund_price', 'unpaid_price']) {
        add(column, row.currency as string, row[column] as number)
      }
      for (let slot = 1; slot <= 15; slot++) {
        if (row[`payment${slot}_id`] === null) continue
        add(
          `payment${slot}_price`,
          row[`payment${slot}_currency`] as string,
          row[`payment${slot}_price`] as number,
        )
      }
    }
    const shown = control.sums.map(({ column, currency, sum }) => [
      `${column} ${currency}`,
      BigInt(sum.replace('.', '')),
    ])
    expect(new Map(shown as [string, bigint][])).toEqual(sums)
    for (const { currency, sum } of control.sums)
      expect(sum.split('.')[1]?.length ?? 0).toBe(currencyExponents[currency])
    expect(new Set(control.sums.map(({ currency }) => currency))).toEqual(
      new Set(['CNY', 'JPY', 'KWD', 'USD']),
    )
    expect(control.sums.some(({ column }) => column === 'payment15_price')).toBe(true)
  })

  test('states the filter of the request', async () => {
    const selection = {
      status: 'success',
      time_range_type: 'modify',
      start_date: '2020-01-01',
      end_date: '2090-01-01',
    }
    const { control } = await take(school, { format: 'csv', ...selection })
    expect(control).toMatchObject({ ...selection, corp_id: school.corp_id, time_zone: 'Asia/Shanghai' })
    expect(control.as_of).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })
})

describe('the file', () => {
  test('is replaced only with force', async () => {
    const out = join(folder, 'kept.csv')
    await writeFile(out, 'kept')
    await expect(take(school, { format: 'csv', out })).rejects.toThrow('--force')
    expect(await readFile(out, 'utf8')).toBe('kept')
    await take(school, { format: 'csv', out, force: true })
    expect(await readFile(out, 'utf8')).not.toBe('kept')
  })

  test.each(exportFormats)('of %s never has its final name while incomplete', async (format) => {
    const out = join(folder, `broken.${format}`)
    const fail = () => {
      throw new Error('stopped half-way')
    }
    const request = { corp_id: school.corp_id, format, out }
    await expect(exportFinancialRows({ db: database.app }, request, fail)).rejects.toThrow('stopped half-way')
    expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([])
  })

  test('has the rows of its organization only', async () => {
    const other = await openLedger(database)
    await other.order()
    expect((await take(other, { format: 'ndjson' })).rows).toHaveLength(3)
    await expect(take({ ...other, corp_id: 'nowhere' }, { format: 'csv' })).rejects.toThrow(
      'There is no organization nowhere.',
    )
  })

  test('an invalid filter is named', async () => {
    await expect(take(school, { format: 'csv', start_date: '2026-02-30' })).rejects.toThrow('start_date')
    await expect(
      take(school, { format: 'csv', start_date: '2026-02-02', end_date: '2026-02-01' }),
    ).rejects.toThrow('end_date')
  })
})

type Row = Record<string, string | number | null>

interface Taken {
  request: Partial<ExportRequest> & Pick<ExportRequest, 'format'>
  control: ControlSheet
  /** Bytes of every written file. */
  bytes: Buffer[]
  /** Rows of an NDJSON file. */
  rows: Row[]
}

async function take({ corp_id }: Pick<TestLedger, 'corp_id'>, request: Taken['request']): Promise<Taken> {
  const out = join(folder, `${newId()}.${request.format}`)
  const { files, control } = await exportFinancialRows({ db: database.app }, { corp_id, out, ...request })
  const bytes = await Promise.all(files.map((file) => readFile(file)))
  const lines = request.format === 'ndjson' ? bytes[0]!.toString().split('\n').slice(0, -1) : []
  return { request, control, bytes, rows: lines.map((line) => JSON.parse(line)) }
}

type Orders = Awaited<ReturnType<typeof liveALittle>>

async function liveALittle(own: TestLedger) {
  const paid = await own.order()
  const [first] = paid.sub_order_ids
  await own.run(createPayment, { order_id: paid.order_id, price: 4_321, comments: '=1+1' })
  await own.run(createPayment, {
    order_id: paid.order_id,
    price: 1_000,
    currency: 'USD',
    exchange_rate: 71_234,
    source: 'payment_gateway',
    charge_id: newId(),
    receipt_num: 7,
  })
  await own.run(createRefund, { order_id: paid.order_id, sub_order_id: first, price: 123 })
  const yen = await own.order({ currency: 'JPY', listed_price: 10_001 })
  await own.run(createPayment, { order_id: yen.order_id, price: 3_333 })
  const dinar = await own.order({ currency: 'KWD', listed_price: 1_234_567, installment_count: 1 })
  for (let slot = 1; slot <= 15; slot++)
    await own.run(createPayment, { order_id: dinar.order_id, price: slot * 1_001 })
  const free = await own.order({ listed_price: 0, installment_count: 1 })
  const canceled = await own.order()
  await own.run(updateStatus, { order_id: canceled.order_id, status: 'canceled' })
  const planned = await own.order({ share_proportion: { a: 0.25, b: 0.75 }, service_charge: 99 })
  return { paid, yen, dinar, free, canceled, planned }
}

async function liveOn(own: TestLedger, { paid, yen, dinar, free, planned }: Orders): Promise<void> {
  const version = async (order_id: string) => {
    const { rows } = await database.superuser.query('select version from orders where order_id = $1', [
      order_id,
    ])
    return rows[0].version as number
  }
  await own.run(createPayment, {
    order_id: paid.order_id,
    price: 50_000,
    completed_time: '2020-01-01 00:00:00',
  })
  await own.run(createRefund, {
    order_id: dinar.order_id,
    sub_order_id: dinar.sub_order_ids[0],
    price: 1_001,
  })
  await own.run(updateStatus, { order_id: yen.order_id, status: 'locked', reason: 'dispute' })
  await own.run(createRemark, { order_id: free.order_id, content: 'A remark' })
  const kept = { sub_order_id: planned.sub_order_ids[1], total_price: 30_099 }
  await own.run(updateOrder, {
    order_id: planned.order_id,
    version: await version(planned.order_id),
    sub_orders: [kept],
  })
  await own.run(updateOrder, {
    order_id: free.order_id,
    version: await version(free.order_id),
    contract_id: 'C-1',
  })
  await own.order()
  await own.run(updateUser, { user_id: own.user_id, name: 'Renamed' })
}

/** The sheets of a workbook by name. Numbers are numbers. */
async function readWorkbook(bytes: Buffer): Promise<Record<string, (string | number)[][]>> {
  const files = await unzip(bytes)
  const names = [...files['xl/workbook.xml']!.matchAll(/<sheet name="([^"]+)" sheetId="(\d+)"/g)]
  for (const xml of Object.values(files)) new SaxesParser().write(xml).close()
  return Object.fromEntries(
    names.map(([, name, id]) => [name!, readSheet(files[`xl/worksheets/sheet${id}.xml`]!)]),
  )
}

function readSheet(xml: string): (string | number)[][] {
  const lines: (string | number)[][] = []
  let cell = { place: '', isText: false, value: '' }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'c')
      cell = { place: attributes.r as string, isText: attributes.t === 'inlineStr', value: '' }
  })
  parser.on('text', (text) => {
    cell.value += text
  })
  parser.on('closetag', ({ name }) => {
    if (name !== 'c') return
    const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(cell.place)!
    const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    const text = cell.value.replaceAll(/_x([0-9A-F]{4})_/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    const line = lines[Number(row) - 1] ?? []
    lines[Number(row) - 1] = line
    line[column] = cell.isText ? text : Number(cell.value)
  })
  parser.write(xml).close()
  return lines
}

async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(bytes, {
    lazyEntries: true,
  })
  const files: Record<string, string> = {}
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      expect(entry.getLastModDate({ timezone: 'UTC' }).toISOString()).toBe('1980-01-01T00:00:00.000Z')
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        files[entry.fileName] = Buffer.concat(await stream.toArray()).toString()
        zip.readEntry()
      })
    })
    zip.on('end', () => resolve(files))
    zip.on('error', reject)
    zip.readEntry()
  })
}
