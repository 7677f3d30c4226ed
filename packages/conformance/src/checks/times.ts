import { type Check, expect } from '../check.ts'
import { isWrite, observed, shortName, shortPath } from '../operations.ts'
import { rowsOf } from '../subjects.ts'
import { operationTables } from '../tables/operations.ts'

const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** The format of every time in a record. Empty and null are no times. */
export function timeChecks(): Check[] {
  return operationTables.flatMap((table) => {
    const fields = table.rows?.fields ?? (table.data === 'String' ? {} : table.data)
    const times = Object.keys(fields).filter((name) => /(^|_)[cm]?time$/.test(name))
    if (shortPath(table).startsWith('authentication/')) return []
    return times.map(
      (name): Check => ({
        id: `${shortName(shortPath(table))} ${name} format`,
        level: 'interface',
        operation: shortPath(table),
        ...(isWrite(table) && { writes: true }),
        row: 'Timestamps in record fields use the form YYYY-MM-DD HH:MM:SS',
        async run(kit) {
          const exchange = await observed(kit, table)
          for (const record of table.rows ? rowsOf(exchange, table.rows.member) : [exchange.data]) {
            const value = record?.[name]
            if (value === undefined || value === null || value === '') continue
            expect(timestamp.test(String(value)), `${name} as YYYY-MM-DD HH:MM:SS`, value, exchange)
          }
        },
      }),
    )
  })
}
