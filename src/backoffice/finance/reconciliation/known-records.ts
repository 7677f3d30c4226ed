import { ApiError } from '../../../contract/errors.ts'
import type { Queryable } from '../../../database/database.ts'
import { type BankAccount, findBankAccount } from './bank-account-store.ts'
import { findStatement, type StatementOfAccount } from './bank-statement-store.ts'

export async function knownAccount(on: Queryable, corp_id: string, account_id: string): Promise<BankAccount> {
  const account = await findBankAccount(on, corp_id, account_id)
  if (!account) throw new ApiError('bankAccountNotFound')
  return account
}

export async function knownStatement(
  on: Queryable,
  corp_id: string,
  statement_id: string,
): Promise<StatementOfAccount> {
  const statement = await findStatement(on, corp_id, statement_id)
  if (!statement) throw new ApiError('statementNotFound')
  return statement
}
