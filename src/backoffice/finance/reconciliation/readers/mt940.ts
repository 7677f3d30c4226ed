import { addLine, dayOf, minorOf, type ReadLine, type ReadStatement, refusedLine } from './statement-file.ts'

/** A field of a message, with the line of the file where it starts. */
interface Field {
  tag: string
  text: string
  line: number
}

/** Reads SWIFT MT940: one or more messages, with or without their envelopes. */
export function readMt940(text: string): ReadStatement[] {
  const statements: ReadStatement[] = []
  let current: ReadStatement | undefined
  let entry: { line: ReadLine; details: string } | undefined
  const finish = () => {
    if (current && entry) addLine(current, { ...entry.line, ...detailsOf(entry.details, entry.line) })
    entry = undefined
  }
  const open = (field: Field) => {
    if (!current) throw refusedLine(field.line, `the field :${field.tag}: is before the field :20:`)
    return current
  }
  for (const field of fieldsOf(text)) {
    if (field.tag !== '86') finish()
    switch (field.tag) {
      case '20':
        current = {
          ...{ name: field.text.trim(), account: null, currency: '' },
          ...{ opening_price: null, closing_price: null, lines: [] },
        }
        statements.push(current)
        break
      case '25':
        open(field).account = field.text.trim()
        break
      case '28':
      case '28C':
        open(field).name = field.text.trim()
        break
      case '60F':
      case '60M': {
        const { price, currency } = balanceOf(field)
        Object.assign(open(field), { opening_price: price, currency })
        break
      }
      case '62F':
      case '62M': {
        const { price, currency } = balanceOf(field)
        if (currency !== open(field).currency)
          throw refusedLine(field.line, `the closing balance is in ${currency}, the opening balance is not`)
        open(field).closing_price = price
        break
      }
      case '61':
        entry = { line: entryOf(field, open(field)), details: '' }
        break
      case '86':
        if (entry) entry.details += field.text
        break
    }
  }
  finish()
  const open60 = statements.findIndex(
    ({ opening_price, closing_price }) => opening_price === null || closing_price === null,
  )
  if (open60 >= 0)
    throw refusedLine(
      1,
      `the statement ${statements[open60]?.name} lacks its opening balance :60F: or its closing balance :62F:`,
    )
  return withPeriods(statements)
}

/** A number such as 00001/001 starts again every year, so the day of the opening balance is a part of the name. */
function withPeriods(statements: ReadStatement[]): ReadStatement[] {
  return statements.map((statement) => {
    const day = statement.lines[0]?.value_date
    return day === undefined ? statement : { ...statement, name: `${statement.name} · ${day}` }
  })
}

function* fieldsOf(text: string): Generator<Field> {
  let field: Field | undefined
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.replace(/^(\{[1-35]:[^}]*\})*(\{4:)?/, '').trimEnd()
    if (line === '' || line === '-' || line.startsWith('-}')) continue
    const [, tag, rest = ''] = /^:([0-9]{2}[A-Z]?):(.*)$/.exec(line) ?? []
    if (tag !== undefined) {
      if (field) yield field
      field = { tag, text: rest, line: index + 1 }
    } else if (field) field.text += `\n${line}`
  }
  if (field) yield field
}

const balance = /^([CD])([0-9]{6})([A-Z]{3})([0-9]+),([0-9]*)$/

function balanceOf({ tag, text, line }: Field): { price: number; currency: string } {
  const [, mark, , currency = '', whole, decimals] = balance.exec(text.trim()) ?? []
  if (mark === undefined) throw refusedLine(line, `the balance :${tag}: must be such as C261001EUR1234,56`)
  const price = minorOf(`${whole}.${decimals}`, currency)
  if (typeof price === 'string') throw refusedLine(line, price)
  return { price: mark === 'D' ? -price : price, currency }
}

/** C and D: credit and debit. RC and RD: the reversal of a credit and of a debit. */
const entry =
  /^([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{4})?(RC|RD|C|D)([A-Z])?([0-9]+),([0-9]*)([A-Z][A-Z0-9]{3})([^\n]*)(?:\n([\s\S]*))?$/

function entryOf({ text, line }: Field, { currency }: ReadStatement): ReadLine {
  const [, year = '', month = '', day = '', , mark, , whole, decimals, , references = '', more = ''] =
    entry.exec(text) ?? []
  if (mark === undefined)
    throw refusedLine(line, 'the field :61: must be such as 2610141014C1234,56NTRFREFERENCE//BANK-REFERENCE')
  const value_date = dayOf(`${Number(year) >= 80 ? '19' : '20'}${year}`, month, day)
  if (value_date === undefined) throw refusedLine(line, `the day ${year}${month}${day} does not exist`)
  const amount = minorOf(`${whole}.${decimals}`, currency)
  if (typeof amount === 'string') throw refusedLine(line, amount)
  const [customer = '', bank = ''] = references.split('//')
  const reference = customer.trim() === 'NONREF' ? '' : customer.trim()
  return {
    ...{ line, value_date, fee_price: 0, payout_id: null, payer: null },
    price: mark === 'C' || mark === 'RD' ? amount : -amount,
    charge_id: bank.trim() || null,
    reference: reference || null,
    description: more || null,
  }
}

/** The text of :86: in its three usual structures: ?20…, /NAME/… and free. */
function detailsOf(details: string, { reference, description }: ReadLine): Partial<ReadLine> {
  const joined = details.replaceAll('\n', '')
  const join = (texts: (string | null | undefined)[]) => texts.filter((text) => text?.trim()).join(' ')
  if (/^[0-9]{3}\?[0-9]{2}/.test(joined)) {
    const parts = [...joined.matchAll(/\?([0-9]{2})([^?]*)/g)].map(([, code, text]) => ({
      code: Number(code),
      text: text ?? '',
    }))
    const textOf = (from: number, to: number) =>
      parts
        .filter(({ code }) => code >= from && code <= to)
        .map(({ text }) => text)
        .join('')
    const purpose = sepaParts(textOf(20, 29) + textOf(60, 63))
    return {
      payer: textOf(32, 33) || null,
      reference: reference ?? purpose.reference,
      description: join([textOf(0, 0), purpose.text, description]) || null,
    }
  }
  const tagged = new Map(
    [
      ...joined.matchAll(
        /\/(NAME|REMI|EREF|CSID|TRTP|BENM|ORDP)\/(.*?)(?=\/(?:NAME|REMI|EREF|IBAN|BIC|TRTP|MARF|CSID|BENM|ORDP)\/|$)/g,
      ),
    ].map(([, tag = '', text = '']) => [tag, text.replace(/^\/+|\/+$/g, '')]),
  )
  if (tagged.size > 0)
    return {
      payer: tagged.get('NAME') ?? tagged.get('ORDP') ?? tagged.get('BENM') ?? null,
      reference: reference ?? tagged.get('EREF') ?? null,
      description: join([tagged.get('REMI'), description]) || null,
    }
  return { description: join([details, description]) || null }
}

function sepaParts(purpose: string): { reference: string | null; text: string } {
  const parts = new Map(
    [
      ...purpose.matchAll(/(EREF|KREF|MREF|CRED|SVWZ|ABWA)\+(.*?)(?=(?:EREF|KREF|MREF|CRED|SVWZ|ABWA)\+|$)/g),
    ].map(([, tag = '', text = '']) => [tag, text.trim()]),
  )
  const end = parts.get('EREF')
  return {
    reference: end && end !== 'NOTPROVIDED' ? end : null,
    text: parts.get('SVWZ') ?? (parts.size > 0 ? '' : purpose),
  }
}
