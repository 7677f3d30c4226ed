import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError, invalid } from '../../../contract/errors.ts'
import {
  DayText,
  described,
  Id,
  Money,
  Name,
  NullableBigInteger,
  NullableDay,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../../contract/fields.ts'
import { longest } from '../../../contract/lengths.ts'
import { type Static, Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import { FileRefused, refusalOf } from '../../../files/row-source.ts'
import { inTemporaryFolder } from '../../../files/spooled-strings.ts'
import { type BankFile, type FileStatement, findBankFilePiece } from './bank-file-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { knownAccount, knownFile } from './known-records.ts'
import { leaveOutRepeated } from './leave-out-repeated.ts'
import { readStatementFile, type StatementReading } from './readers/read-statement-file.ts'
import { ColumnsMissing, statementFormats } from './readers/statement-file.ts'
import { tableColumns } from './readers/table-columns.ts'
import { type ChosenStatements, chooseStatements, importStep } from './store-statement-file.ts'

const shownLines = 10

const Input = Type.Object({
  corp_id: OrganizationId,
  file_id: described(Id, 'The uploaded file'),
  format: Type.Optional(oneOf(statementFormats, 'Format; default: by the content')),
  encoding: optionalLine(longest.id, 'Text encoding, such as gb18030 or windows-1252; default: detected'),
  sheet: optionalLine(longest.name, 'Sheet of a workbook; default: the first'),
  mapping: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      title: 'StatementMapping',
      propertyNames: { type: 'string', format: 'line', maxLength: 200 },
      additionalProperties: { type: 'string', format: 'line', maxLength: 50 },
      maxProperties: 100,
      description: `Meaning of headers that differs from the proposed one: ${tableColumns.join(', ')}; "" to ignore a header`,
    }),
  ),
  day_order: Type.Optional(oneOf(['dmy', 'mdy'], 'Order of day and month in dates such as 03/04/2026')),
  name: Type.Optional(described(Name, 'Name of a statement that has none in the file; default: its period')),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only read the file; default false' })),
})

const StatementInFile = namedObject('StatementInFile', {
  statement_id: described(NullableString, 'Null before the import, or if no line is new'),
  name: Name,
  opening_price: Money,
  closing_price: Money,
  has_balances: described(Type.Boolean(), 'Whether the balances are stated in the file'),
  lines: Type.Integer({ description: 'New lines' }),
  repeated_lines: Type.Integer({
    description: 'Lines that other statements of the account have. They are left out',
  }),
  repeats: Type.Array(Type.String(), { description: 'Names of the statements that have these lines' }),
  from_date: NullableDay,
  until_date: NullableDay,
})

const Imported = Type.Object({
  file_id: Id,
  format: NullableString,
  encoding: NullableString,
  headers: Type.Array(Type.String(), { description: 'Headers of a table' }),
  columns: Type.Array(NullableString, { description: 'Meaning of each header; null if it is ignored' }),
  statements: Type.Array(StatementInFile),
  left_out: Type.Integer({
    description: 'Statements in the file that belong to another account or currency',
  }),
  first_lines: Type.Array(
    namedObject('ReadBankLine', {
      line: Type.Integer({ description: 'Line of the file' }),
      value_date: DayText,
      price: Money,
      fee_price: Money,
      charge_id: NullableString,
      reference: NullableString,
      payer: NullableString,
      description: NullableString,
      payout_id: NullableString,
    }),
  ),
  problem: described(
    NullableString,
    'Only in a dry run: the reason why the columns are not sufficient. State a mapping.',
  ),
  was_imported: described(Type.Boolean(), 'Whether the same file was imported before'),
  lines: Type.Integer({ description: 'New lines of the file for this account' }),
  repeated_lines: Type.Integer({ description: 'Lines that other statements of the account have' }),
  added: Type.Integer({ description: 'Lines that this call stored' }),
  remaining: Type.Integer({ description: 'Lines that the next call stores; 0 when the import is complete' }),
  missing_price: described(
    NullableBigInteger,
    'Balance before the statement that no statement explains; null if unknown',
  ),
})

const { corp_id, file_id, statement_id } = exampleBank

/** Imports an uploaded statement file in bounded steps. */
export const importStatementFile = endpoint({
  ...bankOperation,
  id: 'importStatementFile',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/file/import',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Import an uploaded statement file',
  description:
    'CSV and XLSX with one or two amount columns, CAMT.053, MT940, the balance report of Stripe, bills of Alipay and WeChat ' +
    'Pay. A file with a fault is refused with its line, and nothing changes. Repeat the call while `remaining` is not 0. The ' +
    'same file again changes nothing. Lines that another statement of the account has in the same period are left out: ' +
    '`repeated_lines` states their number, also in a dry run.',
  input: Input,
  data: Imported,
  example: {
    input: { corp_id, file_id, mapping: { date: 'value_date', amount: 'price' } },
    data: {
      ...{
        file_id,
        format: 'csv',
        encoding: 'utf-8',
        headers: ['When', 'Amount'],
        columns: ['value_date', 'price'],
      },
      statements: [
        {
          ...{
            statement_id,
            name: '2026-10-14 – 2026-10-14',
            opening_price: 1_500_000,
            closing_price: 2_780_000,
          },
          ...{ has_balances: false, lines: 1, repeated_lines: 0, repeats: [] },
          ...{ from_date: '2026-10-14', until_date: '2026-10-14' },
        },
      ],
      left_out: 0,
      first_lines: [
        {
          ...{
            line: 2,
            value_date: '2026-10-14',
            price: 1_280_000,
            fee_price: 0,
            charge_id: null,
            reference: null,
          },
          ...{ payer: null, description: null, payout_id: null },
        },
      ],
      problem: null,
      ...{ was_imported: false, lines: 1, repeated_lines: 0, added: 1, remaining: 0, missing_price: null },
    },
  },
  errors: ['statementFileNotFound', 'stateForbids', 'taken'],

  async handle(context, input) {
    const { db } = context
    const { corp_id, file_id } = input
    const file = await knownFile(db, corp_id, file_id)
    if (file.state === 'done') return doneFile(file)
    if (file.received < file.bytes)
      throw new ApiError('stateForbids', {
        msg: `${file.received} of ${file.bytes} bytes were uploaded. Upload the rest of the file first.`,
        allowed: ['finance/bank/file/append'],
      })
    const chosen = await readUploaded(context, file, input)
    if (chosen instanceof ColumnsMissing) return unmappedFile(file_id, chosen)
    const step = input.dry_run ? undefined : await importStep(context, file_id, chosen)
    const read = step?.statements ?? (await previewOf(db, corp_id, chosen))
    const lines = sumOf(read, (statement) => statement.lines)
    return {
      ...{ file_id, format: chosen.format, encoding: chosen.encoding },
      ...{ headers: chosen.table?.headers ?? [], columns: chosen.table?.columns ?? [] },
      statements: read.map((statement, index) => {
        const { has_balances = true, from_date = null, until_date = null } = chosen.statements[index] ?? {}
        return { ...statementRow(statement), has_balances, from_date, until_date }
      }),
      left_out: chosen.leftOut,
      first_lines: (chosen.statements[0]?.lines ?? []).slice(0, shownLines),
      problem: null,
      was_imported: step?.wasImported ?? false,
      ...{ lines, repeated_lines: sumOf(read, ({ repeated }) => repeated.length) },
      added: step?.added ?? 0,
      remaining: step?.remaining ?? lines,
      missing_price: chosen.missing_price,
    }
  },
})

/** The statements as an import would store them. */
async function previewOf(db: Queryable, corp_id: string, chosen: ChosenStatements): Promise<FileStatement[]> {
  const statements = await leaveOutRepeated(db, corp_id, chosen.account.account_id, chosen.statements)
  return statements.map((statement) => ({ ...statement, statement_id: null, lines: statement.lines.length }))
}

function statementRow({ statement_id, name, opening_price, closing_price, ...statement }: FileStatement) {
  const { lines, repeated, repeats } = statement
  return {
    ...{ statement_id, name, opening_price, closing_price },
    ...{ lines, repeated_lines: repeated.length, repeats },
  }
}

function sumOf<T>(list: T[], count: (each: T) => number): number {
  return list.reduce((total, each) => total + count(each), 0)
}

/** The answer for a file whose lines are stored. */
function doneFile({ file_id, statements, imported }: BankFile): Static<typeof Imported> {
  return {
    ...{ file_id, format: null, encoding: null, headers: [], columns: [], left_out: 0, first_lines: [] },
    statements: (statements ?? []).map((statement) => ({
      ...statementRow(statement),
      ...{ has_balances: true, from_date: null, until_date: null },
    })),
    problem: null,
    repeated_lines: sumOf(statements ?? [], ({ repeated }) => repeated.length),
    ...{ was_imported: true, lines: imported, added: 0, remaining: 0, missing_price: null },
  }
}

/** The answer of a dry run for a table whose columns are not known yet. */
function unmappedFile(file_id: string, { message, table }: ColumnsMissing): Static<typeof Imported> {
  return {
    ...{ file_id, format: 'csv', encoding: null, ...table, statements: [], left_out: 0, first_lines: [] },
    ...{ problem: message, was_imported: false, lines: 0, repeated_lines: 0, added: 0, remaining: 0 },
    missing_price: null,
  }
}

/** Reads the uploaded file, and chooses the statements of its account. */
async function readUploaded(
  context: OrganizationContext,
  file: BankFile,
  input: Static<typeof Input>,
): Promise<ChosenStatements | ColumnsMissing> {
  const { db, organization } = context
  const account = await knownAccount(db, organization.corp_id, file.account_id)
  const { format, mapping, day_order: dayOrder, name } = input
  if (input.encoding) requireEncoding(input.encoding)
  const reading: StatementReading = {
    ...{ currency: account.currency, format, mapping, dayOrder },
    ...{ encoding: input.encoding || undefined, sheet: input.sheet || undefined },
  }
  try {
    return await inTemporaryFolder('statement', async (folder) => {
      const path = join(folder, 'file')
      await writePieces(context, file, path)
      const read = await readStatementFile(path, reading)
      return chooseStatements(context, account, read, { path, reading, name })
    })
  } catch (error) {
    if (input.dry_run && error instanceof ColumnsMissing) return error
    if (!(error instanceof FileRefused)) throw error
    throw invalid('file_id', `cannot be imported: ${refusalOf(error, (option) => `Set ${option}`)}`)
  }
}

/** The message does not repeat what was sent. */
function requireEncoding(label: string): void {
  try {
    new TextDecoder(label)
  } catch {
    throw invalid('encoding', 'must be a known encoding, such as utf-8, gb18030 or windows-1252')
  }
}

async function writePieces(
  { db, organization }: OrganizationContext,
  file: BankFile,
  path: string,
): Promise<void> {
  await using handle = await open(path, 'w', 0o600)
  for (let start = 0; start < file.bytes; ) {
    const piece = await findBankFilePiece(db, organization.corp_id, file.file_id, start)
    if (!piece) throw new FileRefused('A person was erased while the file was uploaded. Upload it again.')
    await handle.appendFile(piece)
    start += piece.length
  }
}
