import { localTime } from '../../../contract/days.ts'
import type { OrganizationContext } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import type { Queryable } from '../../../database/database.ts'
import { type BankAccount, findBankAccount } from './bank-account-store.ts'
import { type BankFile, findBankFile } from './bank-file-store.ts'
import { findStatement, type StatementOfAccount } from './bank-statement-store.ts'

/** The current day of the organization. */
export function todayOf({ now, organization }: Pick<OrganizationContext, 'now' | 'organization'>): string {
  return localTime(now.toISOString(), organization.time_zone).slice(0, 10)
}

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

export async function knownFile(
  on: Queryable,
  corp_id: string,
  file_id: string,
  isLocked = false,
): Promise<BankFile> {
  const file = await findBankFile(on, corp_id, file_id, isLocked)
  if (!file) throw new ApiError('statementFileNotFound')
  return file
}
