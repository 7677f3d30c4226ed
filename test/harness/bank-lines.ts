import type { StatementLineInput } from '../../src/backoffice/finance/matching/statement-line.ts'
import { appendStatementLines } from '../../src/backoffice/finance/reconciliation/append-statement-lines.ts'
import { createBankAccount } from '../../src/backoffice/finance/reconciliation/bank-accounts.ts'
import { openStatement } from '../../src/backoffice/finance/reconciliation/bank-statements.ts'
import { listBankLines } from '../../src/backoffice/finance/reconciliation/list-bank-lines.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'

export interface SentStatement {
  account_id: string
  statement_id: string
  /** In the order of the lines. */
  lineIds: string[]
}

/** Sends lines as a statement of a new account, or of the given one. `run` runs an operation and returns its data. */
export async function sendStatement(
  // biome-ignore lint/suspicious/noExplicitAny: runs every operation.
  run: (operation: Endpoint, input: Record<string, unknown>) => Promise<any>,
  lines: (Partial<StatementLineInput> & { price: number })[],
  account: { account_id?: string; opening_price?: number; currency?: string; provider?: string } = {},
): Promise<SentStatement> {
  const { account_id: known, opening_price = 0, ...made } = account
  const name = newId()
  const create = () => run(createBankAccount as unknown as Endpoint, { name, opening_price, ...made })
  const account_id: string = known ?? (await create()).account_id
  const closing_price = lines.reduce((sum, { price }) => sum + price, opening_price)
  const opened = { account_id, name, opening_price, closing_price }
  const { statement_id } = await run(openStatement as unknown as Endpoint, opened)
  const dated = lines.map((line) => ({ value_date: '2026-03-02', ...line }))
  const sent = { statement_id, first_number: 1, lines: dated }
  await run(appendStatementLines as unknown as Endpoint, sent)
  const page = { statement_id, page_size: 1000 }
  const { list } = await run(listBankLines as unknown as Endpoint, page)
  const byNumber = list.toSorted((a: { number: number }, b: { number: number }) => a.number - b.number)
  return { account_id, statement_id, lineIds: byNumber.map((line: { line_id: string }) => line.line_id) }
}
