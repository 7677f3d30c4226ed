import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, Money, Name, NullableString, namedObject, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { mapColumns } from '../../files/map-columns.ts'
import { readRows } from '../../files/read-rows.ts'
import { FileRefused } from '../../files/row-source.ts'
import { inTemporaryFolder } from '../../files/spooled-strings.ts'
import '../../access/staff/console-context.ts'
import { readLine, statementColumns } from './matching/statement-columns.ts'

/** Base64 characters. A request body may be larger. */
const mostCharacters = 700_000
const mostLines = 20_000
const mostFaults = 50

const Read = Type.Object({
  lines: Type.Array(
    namedObject('ReadStatementLine', {
      value_date: Type.String(),
      price: Money,
      currency: Type.String(),
      provider: Type.String(),
      charge_id: NullableString,
      reference: NullableString,
      payer: NullableString,
      description: NullableString,
      fee_price: Money,
      payout_id: NullableString,
    }),
    { description: 'In the shape that finance/match accepts' },
  ),
  faults: Type.Array(
    namedObject('StatementFault', { row: Type.Integer(), column: Type.String(), reason: Type.String() }),
    { description: 'The first rows that cannot be read. Correct them before you match.' },
  ),
  unknown_columns: described(
    Type.Array(Type.String()),
    'Columns that were ignored because their names are unknown',
  ),
})

/** Reads a statement file (CSV, XLSX or NDJSON) and stores nothing. */
export const readStatementFile = endpoint({
  id: 'readStatementFile',
  method: 'POST',
  path: '/api/v5/console/statement/read',
  group: 'Console',
  permission: 'finance',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Read the lines of a statement from a file',
  description: `CSV, XLSX or NDJSON, at most ${mostLines} lines. Use the command line for larger files. finance/match stores the lines.`,
  input: Type.Object({
    corp_id: OrganizationId,
    file_name: described(Name, 'The ending names the format'),
    content: Type.String({
      format: 'base64',
      maxLength: mostCharacters,
      description: 'The bytes in base64',
    }),
  }),
  data: Read,
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      file_name: 'october.csv',
      content: 'ZGF0ZSxhbW91bnQKMjAyNi0xMC0xMiwxMDAuMDAK',
    },
    data: {
      lines: [
        {
          ...{ value_date: '2026-10-12', price: 10_000, currency: 'CNY', provider: '' },
          ...{
            charge_id: null,
            reference: null,
            payer: null,
            description: null,
            fee_price: 0,
            payout_id: null,
          },
        },
      ],
      faults: [],
      unknown_columns: [],
    },
  },

  async handle({ organization: { currency } }, { file_name, content }) {
    try {
      return await inTemporaryFolder('statement', async (folder) => {
        const path = join(folder, `file.${/\.([a-z]+)$/i.exec(file_name)?.[1] ?? ''}`)
        await writeFile(path, Buffer.from(content, 'base64'), { mode: 0o600 })
        return await readLines(path, currency)
      })
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      throw invalid('content', `cannot be read: ${error.message}`)
    }
  },
})

async function readLines(path: string, currency: string): Promise<Static<typeof Read>> {
  const source = await readRows(path)
  try {
    const map = mapColumns(statementColumns, source.headers)
    const read: Static<typeof Read> = { lines: [], faults: [], unknown_columns: map.unknown }
    let rows = 0
    for await (const row of source.rows()) {
      // Unreadable rows count towards the limit, because reading them costs as much.
      if (++rows > mostLines)
        throw new FileRefused(`The statement has more than ${mostLines} lines. Use the command line instead.`)
      const line = readLine(row, map, source, { provider: '', currency })
      if (!Array.isArray(line)) read.lines.push(line)
      else if (read.faults.length < mostFaults)
        for (const { column, reason } of line)
          read.faults.push({
            ...{ row: row.row, reason },
            column: source.headers[map.names.indexOf(column as never)] ?? column,
          })
    }
    return read
  } finally {
    await source.close()
  }
}
