import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError, taken } from '../../../contract/errors.ts'
import { fingerprint } from '../../../contract/fingerprint.ts'
import { longest } from '../../../contract/lengths.ts'
import type { Queryable } from '../../../database/database.ts'
import { FileRefused } from '../../../files/row-source.ts'
import { orderReferencesIn } from '../../../orders/payment-requests/order-reference.ts'
import { findLines, insertLines } from '../matching/line-store.ts'
import { isSameLine, lineIdOf } from '../matching/statement-line.ts'
import { type BankAccount, findBalance } from './bank-account-store.ts'
import { type BankFile, type FileStatement, findImportedFile, updateBankFile } from './bank-file-store.ts'
import {
  type BankStatement,
  completeStatement,
  findStatement,
  findStatementByName,
  insertStatement,
} from './bank-statement-store.ts'
import { knownFile } from './known-records.ts'
import { leaveOutRepeated, type NamedStatement } from './leave-out-repeated.ts'
import type { StatementReading } from './readers/read-statement-file.ts'
import type { ReadLine, ReadStatement, StatementFile } from './readers/statement-file.ts'

/** The statements of a file that belong to an account. */
export interface ChosenStatements extends Pick<StatementFile, 'format' | 'encoding' | 'table'> {
  account: BankAccount
  statements: NamedStatement[]
  leftOut: number
  contentHash: string
  missing_price: number | null
}

/** Chooses the statements of an account, and completes their names and balances. */
export async function chooseStatements(
  { db, organization }: OrganizationContext,
  account: BankAccount,
  { statements, ...read }: StatementFile,
  { path, reading, name }: { path: string; reading: StatementReading; name: string | undefined },
): Promise<ChosenStatements> {
  const own = statements.filter((statement) => isOf(account, statement))
  if (own.length === 0)
    throw new FileRefused(
      `The file has no statement of ${account.name}: its statements are of ${[
        ...new Set(statements.map(({ account, currency }) => [account, currency].filter(Boolean).join(' '))),
      ]
        .slice(0, 5)
        .join(', ')}, and the account is ${[account.number, account.currency].filter(Boolean).join(' ')}.`,
    )
  const known = await findBalance(db, organization.corp_id, account.account_id)
  let balance = known
  const named = own.map((statement) => {
    const chosen = withBalances(statement, balance, name)
    balance = chosen.closing_price
    return chosen
  })
  const [first] = own
  return {
    ...read,
    account,
    statements: withOwnNames(named),
    leftOut: statements.length - own.length,
    contentHash: fingerprint([await hashOf(path), { ...reading, name: name ?? null }]),
    missing_price: first?.opening_price == null ? null : first.opening_price - known,
  }
}

/** Banks write account numbers with and without spaces, and with the bank before them. */
function isOf({ number, currency }: BankAccount, statement: ReadStatement): boolean {
  if (statement.currency !== currency) return false
  const plain = (text: string) => text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
  if (!number || !statement.account) return true
  return plain(statement.account).endsWith(plain(number)) || plain(number).endsWith(plain(statement.account))
}

function withBalances(statement: ReadStatement, balance: number, name: string | undefined): NamedStatement {
  const { lines } = statement
  const days = lines.map(({ value_date }) => value_date).sort()
  const [from_date = null, until_date = null] = [days[0], days.at(-1)]
  const sum = lines.reduce((total, { price }) => total + price, 0)
  const opening_price =
    statement.opening_price ?? (statement.closing_price === null ? balance : statement.closing_price - sum)
  return {
    ...{ from_date, until_date, opening_price, closing_price: opening_price + sum },
    lines: lines.map(withOrderReference),
    has_balances: statement.opening_price !== null && statement.closing_price !== null,
    name: (statement.name ?? name ?? `${from_date} – ${until_date}`).slice(0, longest.name),
  }
}

/** Statements of one file have different names. */
function withOwnNames(statements: NamedStatement[]): NamedStatement[] {
  const seen = new Map<string, number>()
  return statements.map((statement) => {
    const count = (seen.get(statement.name) ?? 0) + 1
    seen.set(statement.name, count)
    return count === 1 ? statement : { ...statement, name: `${statement.name} (${count})` }
  })
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

interface ImportStep {
  statements: FileStatement[]
  wasImported: boolean
  added: number
  remaining: number
}

/** Lines per step, so that a call stays short. */
const stepLines = 5000
const batchLines = 1000

/** Stores the next lines of a file. */
export async function importStep(
  context: OrganizationContext,
  file_id: string,
  chosen: ChosenStatements,
): Promise<ImportStep> {
  const { db, organization, now } = context
  const { corp_id } = organization
  return db.transaction(async (tx) => {
    const file = await knownFile(tx, corp_id, file_id, true)
    const { contentHash: content_hash } = chosen
    if (file.state === 'done')
      return { statements: file.statements ?? [], wasImported: true, added: 0, remaining: 0 }
    if (file.content_hash !== null && file.content_hash !== content_hash)
      throw new ApiError('stateForbids', {
        msg: 'The import of the file has started with other options. Repeat those.',
      })
    const earlier =
      file.statements === null
        ? await findImportedFile(tx, corp_id, { account_id: file.account_id, content_hash })
        : undefined
    if (earlier) {
      const { statements, imported } = earlier
      await updateBankFile(tx, corp_id, { file_id, state: 'done', content_hash, statements, imported }, now)
      return { statements: statements ?? [], wasImported: true, added: 0, remaining: 0 }
    }
    const statements = file.statements ?? (await openStatements(tx, context, file, chosen))
    const added = await storeLines(tx, context, { file, statements, chosen })
    const total = statements.reduce((sum, { lines }) => sum + lines, 0)
    const imported = Math.min(file.imported + stepLines, total)
    const isDone = imported === total
    if (isDone)
      for (const { statement_id, name } of statements)
        if (statement_id !== null && !(await isCompleted(tx, corp_id, statement_id, now)))
          throw taken('name', `${name} belongs to a statement with other lines`)
    const state = isDone ? ('done' as const) : ('importing' as const)
    await updateBankFile(tx, corp_id, { file_id, state, content_hash, statements, imported }, now)
    return { statements, wasImported: false, added, remaining: total - imported }
  })
}

/** A file that was uploaded twice may have completed its statement before. */
async function isCompleted(
  tx: Queryable,
  corp_id: string,
  statement_id: string,
  now: Date,
): Promise<boolean> {
  if (await completeStatement(tx, corp_id, statement_id, now)) return true
  return (await findStatement(tx, corp_id, statement_id))?.is_complete === true
}

/** A statement whose lines are all known is not stored. */
async function openStatements(
  tx: Queryable,
  { organization: { corp_id }, account, newId, now }: OrganizationContext,
  { account_id }: BankFile,
  chosen: ChosenStatements,
): Promise<FileStatement[]> {
  const opened: FileStatement[] = []
  for (const statement of await leaveOutRepeated(tx, corp_id, account_id, chosen.statements)) {
    const { name, opening_price, closing_price, has_balances, repeated, repeats } = statement
    const lines = statement.lines.length
    const read = { lines, repeated, repeats }
    if (lines === 0 && repeated.length > 0) {
      opened.push({ ...read, name, statement_id: null, opening_price, closing_price })
      continue
    }
    const known = await openStatement(tx, corp_id, {
      ...{ account_id, name, opening_price, closing_price, has_balances, newId },
      ...{ executor_id: account.app_id, now },
    })
    opened.push({
      ...{ ...read, name: known.name, statement_id: known.statement_id },
      ...{ opening_price: known.opening_price, closing_price: known.closing_price },
    })
  }
  return opened
}

const mostOfAName = 100

/** A new statement, or the one that an earlier upload of the file has started. Complete statements keep their names. */
async function openStatement(
  tx: Queryable,
  corp_id: string,
  wanted: Omit<BankStatement, 'statement_id'> & {
    has_balances: boolean
    newId(): string
    executor_id: string
    now: Date
  },
): Promise<BankStatement> {
  const { account_id, opening_price, closing_price, has_balances, newId, executor_id, now } = wanted
  for (let n = 1; n <= mostOfAName; n++) {
    const name = n === 1 ? wanted.name : `${wanted.name} (${n})`
    const made = { statement_id: newId(), account_id, name, opening_price, closing_price }
    if (await insertStatement(tx, corp_id, made, { executor_id, now })) return made
    const known = await findStatementByName(tx, corp_id, { account_id, name })
    if (!known || known.is_complete) continue
    // Without balances in the file, an existing statement of this name keeps its balances. Its lines are compared below.
    const isSame =
      (known.closing_price === closing_price && known.opening_price === opening_price) ||
      (!has_balances && known.closing_price - known.opening_price === closing_price - opening_price)
    if (isSame) return known
    throw taken('name', `${name} belongs to another statement of the account`)
  }
  throw taken('name', `${wanted.name} belongs to other statements of the account`)
}

async function storeLines(
  tx: Queryable,
  { organization: { corp_id }, now }: OrganizationContext,
  { file, statements, chosen }: { file: BankFile; statements: FileStatement[]; chosen: ChosenStatements },
): Promise<number> {
  const { account_id, currency, provider } = chosen.account
  const numbered = chosen.statements.flatMap(({ lines }, index) => {
    const { statement_id, repeated } = statements[index]!
    const isLeftOut = new Set(repeated)
    return lines
      .filter((_, position) => !isLeftOut.has(position))
      .map((line, at) => ({ ...line, statement_id, number: at + 1 }))
  })
  const step = numbered.slice(file.imported, file.imported + stepLines)
  let added = 0
  for (const { statement_id } of statements) {
    if (statement_id === null) continue
    const own = step.filter((line) => line.statement_id === statement_id)
    for (let start = 0; start < own.length; start += batchLines) {
      const batch = own.slice(start, start + batchLines).map(({ line: _, ...line }) => ({
        ...{ ...line, currency, provider, line_id: lineIdOf(statement_id, line.number) },
      }))
      const fresh = await insertLines(tx, corp_id, batch, now, { account_id, statement_id })
      added += fresh
      if (fresh < batch.length) await refuseOtherLines(tx, corp_id, batch)
    }
  }
  return added
}

/** The payer may write the reference of a payment request anywhere, in groups. */
function withOrderReference(line: ReadLine): ReadLine {
  const [reference, ...others] = orderReferencesIn(`${line.reference ?? ''} ${line.description ?? ''}`)
  return reference !== undefined && others.length === 0 ? { ...line, reference } : line
}

async function refuseOtherLines(
  tx: Queryable,
  corp_id: string,
  batch: (Parameters<typeof isSameLine>[0] & { line_id: string; number: number })[],
): Promise<void> {
  const stored = await findLines(
    tx,
    corp_id,
    batch.map(({ line_id }) => line_id),
  )
  const other = stored.findIndex((line, index) => !isSameLine(line, batch[index]))
  if (other >= 0)
    throw taken(
      'name',
      `belongs to a statement whose line ${batch[other]!.number} is another one. State another name`,
    )
}
