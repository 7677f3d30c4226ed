import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, invalid, taken } from '../../../contract/errors.ts'
import { described, Id, Money, OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import { findLines, insertLines } from '../matching/line-store.ts'
import { isSameLine, lineIdOf, lineOfInput, StatementLineInput } from '../matching/statement-line.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { completeStatement, findProgress } from './bank-statement-store.ts'
import { knownStatement } from './known-records.ts'

const mostLines = 1000
const mostNumber = 1_000_000

/** Adds lines to a statement. */
export const appendStatementLines = endpoint({
  ...bankOperation,
  id: 'appendStatementLines',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/statement/append',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Add lines to a bank statement',
  description:
    `At most ${mostLines} lines per call. Each line has one number in the statement, so identical lines stay separate in any ` +
    'calls. Sending a line again under its number changes nothing; another line under a known number is 40901.',
  input: Type.Object({
    corp_id: OrganizationId,
    statement_id: described(Id, 'The statement'),
    first_number: Type.Integer({
      minimum: 1,
      maximum: mostNumber,
      description: 'Number of the first line; the others follow',
    }),
    lines: Type.Array(StatementLineInput, { minItems: 1, maxItems: mostLines }),
    completes: Type.Optional(
      Type.Boolean({
        description: 'Whether these are the last lines. The balances must then agree with all lines.',
      }),
    ),
  }),
  data: Type.Object({
    statement_id: Id,
    added: Type.Integer({ description: 'Lines that are new' }),
    lines: Type.Integer({ description: 'Lines of the statement so far' }),
    missing_price: described(
      Money,
      'closing_price − opening_price − all lines; 0 if the statement is complete',
    ),
  }),
  example: {
    input: {
      corp_id: exampleBank.corp_id,
      statement_id: exampleBank.statement_id,
      first_number: 1,
      lines: [{ value_date: '2026-11-14', price: -500_000, description: 'To the account at Sample Bank' }],
    },
    data: { statement_id: exampleBank.statement_id, added: 1, lines: 1, missing_price: 0 },
  },
  errors: ['statementNotFound', 'stateForbids', 'taken'],
  rules: ({ lines = [] }) =>
    lines.flatMap(({ price, fee_price = 0 }, index) =>
      price === 0 && fee_price === 0 ? [{ param: `lines/${index}/price`, reason: 'must not be 0' }] : [],
    ),

  async handle({ db, organization, now }, { corp_id, statement_id, first_number, lines, completes }) {
    return db.transaction(async (tx) => {
      const statement = await knownStatement(tx, corp_id, statement_id)
      const { currency, provider } = statement
      const numbered = lines.map((line, index) => {
        if (line.currency !== undefined && line.currency !== currency)
          throw invalid(`lines/${index}/currency`, `must be ${currency}, the currency of the account`)
        const number = first_number + index
        return {
          ...lineOfInput(line, { provider, currency }),
          number,
          line_id: lineIdOf(statement_id, number),
        }
      })
      const added = await insertLines(tx, corp_id, numbered, now, statement)
      if (added > 0 && statement.is_complete)
        throw new ApiError('stateForbids', { msg: 'The statement is complete and takes no more lines.' })
      const ids = numbered.map(({ line_id }) => line_id)
      for (const [index, stored] of (await findLines(tx, corp_id, ids)).entries())
        if (!isSameLine(stored, numbered[index]))
          throw taken(
            `lines/${index}`,
            `is another line than number ${first_number + index} of the statement`,
          )
      const query = { corp_id, statement_id, timeZone: organization.time_zone }
      const { list } = await findProgress(tx, query, { limit: 1, offset: 0 })
      const { lines: count = 0, missing_price = 0 } = list[0] ?? {}
      if (completes && !statement.is_complete && !(await completeStatement(tx, corp_id, statement_id, now)))
        throw new ApiError('stateForbids', {
          msg: `The statement is not complete: its lines and balances differ by ${missing_price}, or a number is missing.`,
        })
      return { statement_id, added, lines: count, missing_price }
    })
  },
})
