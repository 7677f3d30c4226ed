import { boundedParser } from '../../../../files/xml-pieces.ts'
import { addLine, minorOf, type ReadLine, type ReadStatement, refusedLine } from './statement-file.ts'

/** An element with its content, in the order of the file. */
interface Element {
  name: string
  currency: string | undefined
  text: string
  children: Element[]
  line: number
}

/** Reads ISO 20022 CAMT.053, any version: one or more statements. Pending entries are left out. */
export async function readCamt053(pieces: AsyncIterable<string>): Promise<ReadStatement[]> {
  const statements: ReadStatement[] = []
  const stack: Element[] = []
  let current: ReadStatement | undefined
  const parser = boundedParser(
    {
      open(name, attributes) {
        const element = { name, currency: attributes.Ccy, text: '', children: [], line: parser.line() }
        stack.at(-1)?.children.push(element)
        stack.push(element)
        if (name !== 'Stmt') return
        current = {
          name: null,
          account: null,
          currency: '',
          opening_price: null,
          closing_price: null,
          lines: [],
        }
        statements.push(current)
      },
      text(text) {
        const element = stack.at(-1)
        if (element && element.text.length < longestText) element.text += text
      },
      close() {
        const element = stack.pop()!
        const parent = stack.at(-1)
        if (element.name === 'Stmt') current = undefined
        if (!current || parent?.name !== 'Stmt') return
        readPart(current, element)
        // The content of a part is not needed again: memory stays small.
        parent.children.length = 0
      },
    },
    'The file',
  )
  for await (const piece of pieces) parser.write(piece)
  parser.close()
  if (statements.length === 0)
    throw refusedLine(1, 'the file has no statement (BkToCstmrStmt/Stmt), so it is not CAMT.053')
  return statements
}

const longestText = 10_000

function readPart(statement: ReadStatement, element: Element): void {
  switch (element.name) {
    case 'Id':
      statement.name = element.text.trim() || null
      break
    case 'Acct':
      statement.account = textAt(element, 'Id', 'IBAN') ?? textAt(element, 'Id', 'Othr', 'Id') ?? null
      statement.currency = textAt(element, 'Ccy') ?? statement.currency
      break
    case 'Bal':
      readBalance(statement, element)
      break
    case 'Ntry':
      readEntry(statement, element)
      break
  }
}

/** The booked opening balance, or the closing balance of the statement before, and the booked closing balance. */
function readBalance(statement: ReadStatement, element: Element): void {
  const code = textAt(element, 'Tp', 'CdOrPrtry', 'Cd')
  if (code !== 'OPBD' && code !== 'PRCD' && code !== 'CLBD') return
  const price = signedAmount(statement, element)
  if (code === 'CLBD') statement.closing_price = price
  else if (code === 'OPBD' || statement.opening_price === null) statement.opening_price = price
}

function readEntry(statement: ReadStatement, element: Element): void {
  const status = textAt(element, 'Sts', 'Cd') ?? textAt(element, 'Sts')
  if (status !== undefined && status !== 'BOOK') return
  const price = signedAmount(statement, element)
  const day =
    textAt(element, 'ValDt', 'Dt') ??
    textAt(element, 'ValDt', 'DtTm') ??
    textAt(element, 'BookgDt', 'Dt') ??
    textAt(element, 'BookgDt', 'DtTm')
  const value_date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.exec(day ?? '')?.[0]
  if (value_date === undefined || Number.isNaN(Date.parse(value_date)))
    throw refusedLine(element.line, 'the entry has neither a value date nor a booking date')
  const own = { line: element.line, value_date, fee_price: 0, payout_id: null }
  const bankReference = textAt(element, 'AcctSvcrRef') ?? textAt(element, 'NtryRef') ?? null
  const info = textAt(element, 'AddtlNtryInf')
  const details = childrenAt(element, 'NtryDtls').flatMap((each) => childrenAt(each, 'TxDtls'))
  const parts = details.map((detail) => ({ detail, price: partAmount(statement, detail, price) }))
  const isComplete =
    parts.length > 1 && parts.reduce((sum, part) => sum + (part.price ?? Number.NaN), 0) === price
  // A collective entry is as many lines as it has parts with amounts.
  const lines: ReadLine[] = isComplete
    ? parts.map((part) => ({
        ...own,
        price: part.price!,
        ...detailsOf(part.detail, part.price!, { bankReference, info }),
      }))
    : [{ ...own, price, ...detailsOf(details[0], price, { bankReference, info }) }]
  for (const line of lines) addLine(statement, line)
}

function partAmount(statement: ReadStatement, detail: Element, ofEntry: number): number | undefined {
  const amount = elementAt(detail, 'Amt') ?? elementAt(detail, 'AmtDtls', 'TxAmt', 'Amt')
  if (!amount || (amount.currency ?? statement.currency) !== statement.currency) return undefined
  const price = minorOf(amount.text.trim(), statement.currency)
  if (typeof price === 'string') throw refusedLine(amount.line, price)
  const mark = textAt(detail, 'CdtDbtInd')
  return (mark === undefined ? ofEntry < 0 : mark === 'DBIT') ? -price : price
}

function detailsOf(
  detail: Element | undefined,
  price: number,
  { bankReference, info }: { bankReference: string | null; info: string | undefined },
): Pick<ReadLine, 'charge_id' | 'reference' | 'payer' | 'description'> {
  if (!detail) return { charge_id: bankReference, reference: null, payer: null, description: info ?? null }
  const end = textAt(detail, 'Refs', 'EndToEndId')
  const party = price < 0 ? 'Cdtr' : 'Dbtr'
  const remittance = childrenAt(detail, 'RmtInf')
  const free = remittance.flatMap((each) => childrenAt(each, 'Ustrd')).map(({ text }) => text.trim())
  const structured = remittance
    .flatMap((each) => childrenAt(each, 'Strd'))
    .flatMap((each) => textAt(each, 'CdtrRefInf', 'Ref') ?? [])
  return {
    charge_id: textAt(detail, 'Refs', 'AcctSvcrRef') ?? textAt(detail, 'Refs', 'TxId') ?? bankReference,
    reference: structured[0] ?? (end === 'NOTPROVIDED' ? null : (end ?? null)),
    payer:
      textAt(detail, 'RltdPties', party, 'Nm') ?? textAt(detail, 'RltdPties', party, 'Pty', 'Nm') ?? null,
    description: [...free, textAt(detail, 'AddtlTxInf') ?? info].filter(Boolean).join(' ') || null,
  }
}

function signedAmount(statement: ReadStatement, element: Element): number {
  const amount = elementAt(element, 'Amt')
  const mark = textAt(element, 'CdtDbtInd')
  if (!amount || (mark !== 'CRDT' && mark !== 'DBIT'))
    throw refusedLine(element.line, `${element.name} needs Amt, and CdtDbtInd with CRDT or DBIT`)
  const currency = amount.currency ?? statement.currency
  statement.currency ||= currency
  if (currency !== statement.currency)
    throw refusedLine(amount.line, `the amount is in ${currency}, and the statement in ${statement.currency}`)
  const price = minorOf(amount.text.trim(), currency)
  if (typeof price === 'string') throw refusedLine(amount.line, price)
  // The mark states the direction of the money, also in a reversal.
  return mark === 'DBIT' ? -price : price
}

function childrenAt({ children }: Element, name: string): Element[] {
  return children.filter((each) => each.name === name)
}

function elementAt(element: Element, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (found, name) => found?.children.find((each) => each.name === name),
    element,
  )
}

function textAt(element: Element, ...path: string[]): string | undefined {
  return elementAt(element, ...path)?.text.trim() || undefined
}
