import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { locking, type Statement, sql } from '../../database/sql.ts'

/** An instant of the ledger's clock, to the microsecond, as PostgreSQL reads it. */
export type LedgerInstant = string

/**
 * Takes the next instants of the organization's ledger, by the clock of the database. The clock stays locked until the
 * commit, and later transactions get later instants. Take them last, after locking every order of the transaction.
 */
export async function takeInstants(tx: Queryable, corp_id: string, count: number): Promise<LedgerInstant[]> {
  return instantsOf(await tx.query<ClockRow>(takingInstants(corp_id, count)), count)
}

/** The clock after instants were taken. */
export interface ClockRow {
  instant_us: number
}

/** The same as a statement, for a pipeline. */
export function takingInstants(corp_id: string, count: number): Statement {
  return locking(sql`
    insert into ledger_clocks as clock (corp_id, instant_us)
    values (${corp_id}, (extract(epoch from clock_timestamp()) * 1000000)::bigint + ${count - 1}::bigint)
    on conflict (corp_id) do update
       set instant_us = greatest(excluded.instant_us, clock.instant_us + ${count}::bigint)
    returning instant_us`)
}

export function instantsOf(rows: ClockRow[], count: number): LedgerInstant[] {
  const first = firstRow(rows).instant_us - count + 1
  return Array.from({ length: count }, (_, index) => instantOf(first + index))
}

/** Locks the clock until the commit, as every change does, without taking an instant. It then shows at least `notBefore`. */
export async function holdClock(tx: Queryable, corp_id: string, notBefore = new Date(0)): Promise<void> {
  await tx.query(
    locking(sql`
      insert into ledger_clocks as clock (corp_id, instant_us) values (${corp_id}, ${notBefore.getTime() * 1000}::bigint)
      on conflict (corp_id) do update set instant_us = greatest(excluded.instant_us, clock.instant_us)`),
  )
}

function instantOf(microseconds: number): LedgerInstant {
  const milliseconds = Math.floor(microseconds / 1000)
  const rest = String(microseconds - milliseconds * 1000).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

/** The present by the clock of the database, or the ledger's last instant if that is later. Takes no lock. */
export async function latestInstant(on: Queryable, corp_id: string): Promise<LedgerInstant> {
  const rows = await on.query<ClockRow>(sql`
    select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint,
                    (select instant_us from ledger_clocks where corp_id = ${corp_id})) as instant_us`)
  return instantOf(firstRow(rows).instant_us)
}
