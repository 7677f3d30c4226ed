import { type Statement, sql } from '../../src/database/sql.ts'

/**
 * A statement of a test that tries tenant isolation or the database itself. It need not be one that a store may send, and
 * its name keeps it from the lint.
 */
export function ownSql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const statement = sql(strings, ...parts)
  return Object.assign(statement, { name: `own_${statement.name}` })
}
