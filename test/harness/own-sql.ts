import { type Statement, sql } from '../../src/database/sql.ts'

/**
 * A statement of a test about tenant isolation or the database itself. The rules of stores do not apply, and its name
 * excludes it from the lint.
 */
export function ownSql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const statement = sql(strings, ...parts)
  return Object.assign(statement, { name: `own_${statement.name}` })
}
