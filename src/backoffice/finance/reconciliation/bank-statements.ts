import { endpoint } from '../../../contract/endpoint.ts'
import { taken } from '../../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  Name,
  NullableDay,
  namedObject,
  OrganizationId,
  Timestamp,
} from '../../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { examplePage } from '../../figure-rows.ts'
import { Balance } from './bank-accounts.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'
import { findProgress, findStatementByName, insertStatement } from './bank-statement-store.ts'
import { knownAccount } from './known-records.ts'

const { corp_id, account_id, statement_id } = exampleBank

const StatementRow = namedObject('BankStatement', {
  statement_id: Id,
  account_id: Id,
  name: Name,
  currency: Type.String(),
  provider: Type.String(),
  opening_price: Money,
  closing_price: Money,
  lines: Type.Integer(),
  open_lines: Type.Integer(),
  matched_lines: Type.Integer(),
  booked_lines: Type.Integer(),
  ignored_lines: Type.Integer(),
  open_price: described(Money, 'Sum of the open lines'),
  missing_price: described(
    Money,
    'closing_price − opening_price − all lines; 0 if the statement is complete',
  ),
  is_complete: described(Type.Boolean(), 'Whether all lines were received'),
  from_date: described(NullableDay, 'Day of the first line, once the statement is complete'),
  until_date: described(NullableDay, 'Day of the last line, once the statement is complete'),
  ctime: Timestamp,
})

const exampleStatement = {
  statement_id,
  account_id,
  name: '2026-10',
  currency: 'CNY',
  provider: '',
  opening_price: 1_500_000,
  closing_price: 2_780_000,
  lines: 1,
  open_lines: 1,
  matched_lines: 0,
  booked_lines: 0,
  ignored_lines: 0,
  open_price: 1_280_000,
  missing_price: 0,
  is_complete: true,
  from_date: '2026-10-14',
  until_date: '2026-10-14',
  ctime: '2026-11-02 09:00:00',
}

/** Opens a statement, which then takes lines in any number of calls. */
export const openStatement = endpoint({
  ...bankOperation,
  id: 'openStatement',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/statement/open',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Open a bank statement',
  description:
    'Then send its lines with finance/bank/statement/append, or import a file. The same name and balances again return the same statement.',
  input: Type.Object({
    corp_id: OrganizationId,
    account_id: described(Id, 'The bank account'),
    name: described(Name, 'Number or period of the statement, unique per account'),
    opening_price: Balance,
    closing_price: Balance,
  }),
  data: Type.Object({ statement_id: Id }),
  example: {
    input: { corp_id, account_id, name: '2026-11', opening_price: 1_500_000, closing_price: 1_000_000 },
    data: { statement_id },
  },
  errors: ['bankAccountNotFound', 'taken'],

  async handle({ db, account, newId, now }, { corp_id, ...input }) {
    return db.transaction(async (tx) => {
      await knownAccount(tx, corp_id, input.account_id)
      const made = { ...input, statement_id: newId() }
      if (await insertStatement(tx, corp_id, made, { executor_id: account.app_id, now }))
        return { statement_id: made.statement_id }
      const known = await findStatementByName(tx, corp_id, input)
      if (known?.opening_price !== input.opening_price || known.closing_price !== input.closing_price)
        throw taken('name', 'belongs to a statement with other balances')
      return { statement_id: known.statement_id }
    })
  },
})

/** Statements with their progress. */
export const listStatements = endpoint({
  ...bankOperation,
  id: 'listStatements',
  method: 'GET',
  path: '/api/v5/entity/finance/bank/statement/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List bank statements with their progress, newest first',
  input: Type.Object({
    corp_id: OrganizationId,
    account_id: Type.Optional(described(Id, 'Only statements of this account')),
    ...pageParameters,
  }),
  data: pageOf(StatementRow),
  example: { input: { corp_id, account_id }, data: { ...examplePage, list: [exampleStatement] } },
  errors: ['bankAccountNotFound'],

  async handle({ db, organization }, input) {
    const { page, page_size, ...window } = windowOf(input)
    const { corp_id, account_id } = input
    if (account_id !== undefined) await knownAccount(db, corp_id, account_id)
    const query = { corp_id, account_id, timeZone: organization.time_zone }
    return { ...(await findProgress(db, query, window)), page, page_size }
  },
})
