import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readStatementFile, type StatementReading } from './read-statement-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-statement-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fixture = (name: string, options: Partial<StatementReading> = {}) =>
  readStatementFile(join(import.meta.dirname, 'fixtures', name), { currency: 'CNY', ...options })

async function written(text: string, options: Partial<StatementReading> = {}) {
  const path = join(folder, 'file')
  await writeFile(path, text)
  return readStatementFile(path, { currency: 'CNY', ...options })
}

describe('the encoding', () => {
  const mt940 = (name: string) => `:20:1
:25:DE89370400440532013000
:28C:1/1
:60F:C261001EUR0,00
:61:2610141014C5,00NTRFNONREF//B1
:86:166?00Gutschrift?20SVWZ+Gebühr für Jürgen?32${name}
:62F:C261014EUR5,00
`
  const readBytes = async (bytes: Buffer, options: Partial<StatementReading> = {}) => {
    const path = join(folder, 'bytes')
    await writeFile(path, bytes)
    return readStatementFile(path, { currency: 'EUR', ...options })
  }
  const payerOf = ({ statements }: Awaited<ReturnType<typeof readBytes>>) => statements[0]?.lines[0]?.payer

  test('of a German bank is Windows-1252, also where the bytes are valid in GB 18030', async () => {
    for (const name of ['Jörg Müller', 'Bäckerei Größe']) {
      const bytes = Buffer.from(mt940(name), 'latin1')
      const read = await readBytes(bytes)
      expect([read.encoding, payerOf(read)]).toEqual(['windows-1252', name])
      expect(read.statements[0]?.lines[0]?.description).toContain('Gebühr für Jürgen')
    }
    // Each of these letters and the next one is a valid pair of GB 18030.
    const bytes = Buffer.from(mt940('Jörg Müller').replace('Gebühr für ', ''), 'latin1')
    expect(new TextDecoder('gb18030', { fatal: true }).decode(bytes)).not.toContain('Müller')
    expect(payerOf(await readBytes(bytes))).toBe('Jörg Müller')
  })

  test('of a Chinese bank stays GB 18030, and a given encoding has priority', async () => {
    const pinyin = Buffer.concat([
      Buffer.from(mt940('NAME').split('NAME')[0]!.replace('Gebühr für Jürgen', 'fee')),
      // 张祎, whose last byte is an ASCII letter, and 学费.
      Buffer.from([0xd5, 0xc5, 0xb5, 0x74, 0x20, 0xd1, 0xa7, 0xb7, 0xd1]),
      Buffer.from('\n:62F:C261014EUR5,00\n'),
    ])
    const read = await readBytes(pinyin)
    expect([read.encoding, payerOf(read)]).toEqual(['gb18030', '张祎 学费'])
    const german = Buffer.from(mt940('Jörg Müller').replace('Gebühr für ', ''), 'latin1')
    expect((await readBytes(german, { encoding: 'gb18030' })).encoding).toBe('gb18030')
  })
})

describe('a table', () => {
  test('with one amount column, a byte order mark, semicolons and decimal commas', async () => {
    const { format, encoding, table, statements } = await fixture('one-amount.csv')
    expect({ format, encoding }).toEqual({ format: 'csv', encoding: 'utf-8' })
    expect(table?.columns).toEqual(['value_date', 'price', 'currency', 'payer', 'description', 'charge_id'])
    expect(statements).toMatchObject([
      {
        ...{ currency: 'EUR', opening_price: null, closing_price: null },
        lines: [
          {
            value_date: '2026-10-14',
            price: 128_050,
            payer: 'Kai Rajan',
            charge_id: 'T-1',
            description: 'INV 0098',
          },
          { value_date: '2026-10-15', price: -1250 },
        ],
      },
    ])
  })

  test('with two amount columns, negative debits, lines around it, and balances from newest to oldest', async () => {
    const { statements } = await fixture('two-amounts.csv')
    expect(statements).toMatchObject([
      {
        ...{ opening_price: 119_194_260, closing_price: 135_431_760 },
        lines: [
          { value_date: '2026-10-14', price: 1_240_000, payer: 'Chen Jianhua' },
          { value_date: '2026-10-15', price: -2500, description: 'Account fee' },
          { value_date: '2026-10-16', price: 15_000_000, description: 'Tuition, autumn' },
        ],
      },
    ])
  })

  test('of a Chinese bank in GB 18030, with a mark for debit and credit', async () => {
    const { encoding, statements } = await fixture('icbc.csv')
    expect(encoding).toBe('gb18030')
    expect(statements).toMatchObject([
      {
        opening_price: 100_000,
        closing_price: 1_337_500,
        lines: [{ price: 1_240_000, payer: '陈建华' }, { price: -2500 }],
      },
    ])
  })

  test('follows the mapping of the caller', async () => {
    const text = 'when,how much,date\n2026-10-14,5.00,x\n'
    await expect(written(text)).rejects.toThrow(/no column for the amount/)
    const { statements } = await written(text, {
      mapping: { when: 'value_date', 'how much': 'price', date: '' },
    })
    expect(statements).toMatchObject([{ lines: [{ value_date: '2026-10-14', price: 500 }] }])
    await expect(written(text, { mapping: { when: 'nothing' } })).rejects.toThrow(/not a column/)
    await expect(written(text, { mapping: { What: 'price' } })).rejects.toThrow(/does not have/)
  })

  test.each([
    ['date,amount\n2026-10-14,5.00\n2026-13-14,5.00\n', /^Line 3: the date 2026-13-14/],
    ['date,amount\n03/04/2026,5.00\n', /^Line 2: the date 03\/04\/2026 must .* order of day and month/],
    ['date,amount\n2026-10-14,abc\n', /^Line 2: abc is not an amount/],
    ['date,amount\n2026-10-14,0\n', /^Line 2: the amount is 0/],
    ['date,amount\n2026-10-14,1.005\n', /^Line 2: 1.005 has more than 2 decimals of CNY/],
    ['date,amount\n,5.00\n2026-10-15,5.00\n', /^Line 2: the date is missing/],
    ['date,debit,credit\n2026-10-14,5,5\n', /^Line 2: the row has an incoming and an outgoing amount/],
    ['date,amount,balance\n2026-10-14,5,15\n2026-10-15,5,21\n', /^Line 3: the balance does not follow/],
    ['date,amount,currency\n2026-10-14,5,XYZ\n', /^Line 2: the currency XYZ/],
    [
      'id,type,gross,fee,net,created\ntxn,charge,10,1,8,2026-10-14\n',
      /^Line 2: gross 10 less fee 1 is not net 8/,
    ],
    ['date,amount\n2026-10-14,99999999999999999\n', /^Line 2: .* more than the ledger takes/],
    ['date,amount\n"2026-10-14,5', /^Line 2: a quoted cell/],
    ['date,amount\n', /no lines/],
    ['', /empty/],
  ])('with a fault is refused with its line: %j', async (text, reason) => {
    await expect(written(text)).rejects.toThrow(reason)
  })

  test('reads days before months if the caller or another row indicates it', async () => {
    const text = 'date,amount\n03/04/2026,5.00\n'
    expect((await written(text, { dayOrder: 'dmy' })).statements[0]?.lines[0]?.value_date).toBe('2026-04-03')
    expect((await written(`${text}04/13/2026,5\n`)).statements[0]?.lines[0]?.value_date).toBe('2026-03-04')
  })
})

describe('MT940', () => {
  test('has several statements, marks of reversals, names and references', async () => {
    const { format, statements } = await fixture('two-statements.mt940')
    expect(format).toBe('mt940')
    expect(statements).toMatchObject([
      {
        ...{ name: '00012/001 · 2026-10-14', account: '10020030/1234567', currency: 'EUR' },
        ...{ opening_price: 100_000, closing_price: 220_000 },
        lines: [
          {
            value_date: '2026-10-14',
            price: 128_050,
            payer: 'Kai Rajan',
            charge_id: 'B-1',
            reference: 'ORDER-77',
            description: 'GUTSCHRIFT Tuition autumn',
          },
          { price: -1250, description: 'Account fee', reference: null },
          {
            price: 1250,
            payer: 'Bank of Somewhere',
            reference: 'REV-1',
            description: 'Fee returned /OCMT/EUR12,50/',
          },
          { price: -8050, reference: '77' },
        ],
      },
      {
        name: '00013/001 · 2026-10-18',
        opening_price: 220_000,
        closing_price: -10_000,
        lines: [{ price: -230_000 }],
      },
    ])
  })

  test.each([
    [':20:A\n:60F:C261001EUR1,00\n:61:nonsense\n', /^Line 3: the field :61:/],
    [':20:A\n:60F:C261001EUR1,00\n:61:261301C1,00NTRFX\n', /^Line 3: the day 261301/],
    [':20:A\n:60F:wrong\n', /^Line 2: the balance :60F:/],
    [
      ':20:A\n:60F:C261001EUR1,00\n:61:261001C1,00NTRFX\n:62F:C261001EUR3,00\n',
      /sum to 2.00, but the closing balance is 3.00/,
    ],
    [':20:A\n:60F:C261001EUR1,00\n', /lacks its opening balance/],
  ])('with a fault is refused: %j', async (text, reason) => {
    await expect(written(text)).rejects.toThrow(reason)
  })
})

describe('CAMT.053', () => {
  test('has several statements, collective entries, reversals and pending entries', async () => {
    const { format, statements } = await fixture('two-statements.camt053.xml')
    expect(format).toBe('camt053')
    expect(statements).toMatchObject([
      {
        ...{ name: '2026-10', account: 'DE02100100100006820101', currency: 'EUR' },
        ...{ opening_price: 100_000, closing_price: 250_000 },
        lines: [
          {
            price: 128_050,
            payer: 'Kai Rajan',
            reference: 'ORDER-77',
            description: 'Tuition autumn & winter',
            charge_id: 'B-1',
          },
          { price: 10_000, payer: 'Lin Xiao', charge_id: 'B-2a', value_date: '2026-10-15' },
          { price: 20_000, reference: null, charge_id: 'B-2b' },
          { price: -8050, description: 'Returned' },
        ],
      },
      {
        name: '2026-11',
        closing_price: 200_000,
        lines: [{ price: -50_000, payer: 'Landlord', reference: 'RF18 5390' }],
      },
    ])
  })

  test.each([
    [
      '<Document><BkToCstmrStmt><Stmt>\n<Ntry><Amt Ccy="EUR">1.00</Amt></Ntry></Stmt></BkToCstmrStmt></Document>',
      /^Line 2: Ntry needs/,
    ],
    ['<Document><BkToCstmrStmt><Stmt>', /not well-formed/],
    ['<Document></Document>', /no statement/],
    ['<!DOCTYPE x [<!ENTITY a "b">]><Document/>', /document type/],
  ])('with a fault is refused: %j', async (text, reason) => {
    await expect(written(text)).rejects.toThrow(reason)
  })
})

describe('a gateway', () => {
  test('Stripe: gross, fee and net, refunds, fees, the payout, and each currency apart', async () => {
    const { format, statements } = await fixture('stripe.csv')
    expect(format).toBe('stripe')
    expect(statements).toMatchObject([
      {
        currency: 'USD',
        lines: [
          {
            price: 97_070,
            fee_price: 2930,
            charge_id: 'ch_1',
            payout_id: 'po_1N8',
            payer: 'Kai Rajan',
            value_date: '2026-10-12',
          },
          { price: 145_620, fee_price: 4380, charge_id: 'ch_2' },
          { price: -20_000, fee_price: 0, charge_id: 're_1' },
          { price: -200, fee_price: 200, charge_id: null },
          { price: -222_490, fee_price: 0, charge_id: 'po_1N8', payout_id: null },
        ],
      },
      { currency: 'EUR', lines: [{ price: 4900, fee_price: 100 }] },
    ])
    const [usd] = statements
    expect(usd?.lines.reduce((sum, { price }) => sum + price, 0)).toBe(0)
  })

  test('Alipay: a bill of a user, and the account entries of a merchant with balances', async () => {
    const user = await fixture('alipay-user.csv')
    expect(user).toMatchObject({ format: 'alipay', encoding: 'gb18030' })
    expect(user.statements).toMatchObject([
      {
        currency: 'CNY',
        lines: [
          {
            price: 1_232_560,
            fee_price: 7440,
            payer: '陈建华',
            charge_id: '2026101422001',
            reference: 'T200P1',
            value_date: '2026-10-14',
          },
          { price: -1_200_000, description: '提现 · 提现' },
        ],
      },
    ])
    const merchant = await fixture('alipay-merchant.csv')
    expect(merchant.format).toBe('alipay')
    expect(merchant.statements).toMatchObject([
      {
        opening_price: 100_000,
        closing_price: 1_332_560,
        lines: [{ price: 1_240_000, reference: 'T1' }, { price: -7440 }],
      },
    ])
  })

  test('WeChat Pay: bills of a user, of a merchant, and of the funds', async () => {
    const user = await fixture('wechat-user.csv')
    expect(user).toMatchObject({ format: 'wechat', encoding: 'utf-8' })
    expect(user.statements).toMatchObject([
      {
        lines: [
          { price: 1_240_000, payer: '陈建华', charge_id: '100107', reference: '1001' },
          { price: -2500 },
          { price: -1_200_000 },
        ],
      },
    ])
    const merchant = await fixture('wechat-merchant.csv')
    expect(merchant.statements).toMatchObject([
      {
        lines: [
          { price: 1_232_560, fee_price: 7440, charge_id: '4200001', reference: 'ORDER-1' },
          { price: -99_400, fee_price: -600, charge_id: '5030001', value_date: '2026-10-15' },
        ],
      },
    ])
    expect(merchant.statements[0]?.lines).toHaveLength(2)
    const funds = await fixture('wechat-funds.csv')
    expect(funds.statements).toMatchObject([
      { opening_price: 100_000, closing_price: 1_332_560, lines: [{ price: 1_240_000 }, { price: -7440 }] },
    ])
  })
})
