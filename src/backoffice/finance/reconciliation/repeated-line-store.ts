import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
import type { StatementLine } from '../matching/statement-line.ts'

/** A line of an account with the name of its statement. */
export type LineOfPeriod = Omit<StatementLine, 'provider' | 'currency' | 'fee_price' | 'payout_id'> & {
  statement: string
}

/** Lines of an account in a period. Statements of these names that are not complete are left out: an import continues them. */
export async function findLinesOfPeriod(
  on: Queryable,
  corp_id: string,
  period: { account_id: string; from_date: string; until_date: string; names: string[] },
): Promise<LineOfPeriod[]> {
  const { account_id, from_date, until_date, names } = period
  return on.query<LineOfPeriod>(sql`
    select l.value_date::text as value_date, l.price, l.charge_id, l.payer, l.reference, l.description, b.name as statement
      from statement_line_states s
      join statement_lines l on l.corp_id = ${corp_id} and l.line_id = s.line_id
      join bank_statements b on b.corp_id = ${corp_id} and b.statement_id = s.statement_id
     where s.corp_id = ${corp_id} and s.account_id = ${account_id}
       and s.value_date between ${from_date}::date and ${until_date}::date
       and (b.name <> all(${names}::text[])
            or exists (select from completed_statements c
                        where c.corp_id = ${corp_id} and c.statement_id = b.statement_id))`)
}
