import type { Origin } from '../contract/origin.ts'
import type { AuditNote } from './audit-notes.ts'
import type { Timing } from './meter.ts'
import type { Statement } from './sql.ts'

/** Runs statements: on a pool or in a transaction, with the same small interface. */
export interface Queryable {
  /** Whether statements run in a transaction that the caller ends. */
  readonly isTransaction: boolean
  /** The author of changes in the audit. */
  readonly origin: Origin
  /** Maximum wait for a connection. Undefined: unlimited. */
  readonly longestWaitMs?: number | undefined
  /** Where calls that share a statement note their times. */
  readonly timing?: Timing | undefined
  /**
   * Notes a change for the audit; the entries are committed with the transaction. If a transaction writes an audited table
   * and notes nothing, an entry with the table and the id is added.
   */
  note(...notes: AuditNote[]): void
  query<Row extends object>(statement: Statement): Promise<Row[]>
  /**
   * Runs independent statements in one transaction and one round trip. Each sees the effects of those before it, and
   * commits of others until its turn. If one fails, all are rolled back. Returns the rows of each statement, in order.
   */
  pipeline<Rows extends object[]>(statements: Statement[]): Promise<RowsOfEach<Rows>>
  /** The same, with the rows of each part under its name. The rows of a part with several statements are joined. */
  pipeline<Rows extends Record<string, object>>(parts: PipelineParts<Rows>): Promise<RowsByName<Rows>>
  /**
   * Runs the last statements of a transaction, whose rows are discarded. They are sent with the commit by the handle that
   * began the transaction, and at once by any other.
   */
  runLast(statements: Statement[]): Promise<void>
  /** Runs the work in one transaction; inside a transaction it takes part in it. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /**
   * Runs reads on one snapshot: later commits are invisible, and nothing can be written or locked. The work runs once, so
   * it may have side effects, such as a file. Inside a transaction it takes part in it.
   */
  snapshot<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Reaches the records of the caller's organization only. */
    db: Queryable
  }
}

/** Statements that a store made for a pipeline. Other files may pass them on without importing the SQL tag. */
export type Statements = Statement[]

type RowsOfEach<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] }
type PipelineParts<Rows> = { [Name in keyof Rows]: Statement | Statement[] }
export type RowsByName<Rows> = { [Name in keyof Rows]: Rows[Name][] }

/** Sends statements and returns the rows of each. */
export type Run = (statements: Statement[]) => Promise<object[][]>

/** The method `pipeline` of a handle, given its way to run statements. */
export function pipelineOn(run: Run): Queryable['pipeline'] {
  const pipeline = (parts: Statement[] | Record<string, Statement | Statement[]>) =>
    Array.isArray(parts) ? run(parts) : runParts(run, parts)
  // The rows are as the statements select them, which the compiler cannot know.
  return pipeline as Queryable['pipeline']
}

async function runParts(
  run: Run,
  parts: Record<string, Statement | Statement[]>,
): Promise<Record<string, object[]>> {
  const lists = Object.entries(parts).map(([name, part]) => ({ name, statements: [part].flat() }))
  const rows = (await run(lists.flatMap(({ statements }) => statements))).values()
  return Object.fromEntries(
    lists.map(({ name, statements }) => [name, statements.flatMap(() => rows.next().value ?? [])]),
  )
}
