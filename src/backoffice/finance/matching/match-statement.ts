import type { OrganizationContext } from '../../../contract/endpoint.ts'
import { freshStatistics } from '../../../database/fresh-statistics.ts'
import { LineFile } from '../../../files/line-file.ts'
import { type Mapping, mapColumns } from '../../../files/map-columns.ts'
import { type ReadOptions, readRows } from '../../../files/read-rows.ts'
import { FileRefused, type RowSource } from '../../../files/row-source.ts'
import { findLines, insertLines, type StoredLine } from './line-store.ts'
import { matchCertain, proposeMatches } from './match-lines.ts'
import type { Pairing } from './match-store.ts'
import { type LineDefaults, readLine, statementColumns } from './statement-columns.ts'
import { type IdentifiedLine, lineIdentifier } from './statement-line.ts'

export interface MatchOptions extends ReadOptions {
  mapping?: Mapping
  provider?: string
  /** File for the outcome of every line. */
  outcomes?: string
  onProgress?(bytes: number, total: number): void
}

/** Totals of a statement in one currency, in minor units. */
export interface StatementTotal {
  currency: string
  lines: number
  total: number
  matched: number
  unmatched: number
}

export interface LineOutcome extends IdentifiedLine {
  state: 'matched' | 'proposed' | 'unmatched'
  payment_ids: string[]
  score: number | null
  reason: string | null
}

export interface MatchReport {
  format: string
  encoding: string | null
  lines: {
    total: number
    new: number
    matched_now: number
    matched: number
    proposed: number
    unmatched: number
  }
  totals: StatementTotal[]
  unknown_columns: string[]
  /** The first outcomes. */
  first_proposed: LineOutcome[]
  first_unmatched: LineOutcome[]
}

const batchLines = 1000
const shownLines = 50

/**
 * Stores a statement and matches its lines, and lines that are still open, to payments. A second run finds the same lines
 * and changes no existing match.
 */
export async function matchStatement(
  context: OrganizationContext,
  file: string,
  options: MatchOptions,
): Promise<MatchReport> {
  const source = await readRows(file, options)
  try {
    const map = mapColumns(statementColumns, source.headers, options.mapping)
    const defaults = { provider: options.provider ?? '', currency: context.organization.currency }
    // The whole file is validated before anything is stored: one invalid line would make the total of the statement wrong.
    let total = 0
    for await (const lines of linesOf(source, map, defaults)) total += lines.length
    const { corp_id, time_zone } = context.organization
    const { noteBatch } = freshStatistics(context.db, ['statement_lines'])
    let added = 0
    for await (const lines of linesOf(source, map, defaults, options.onProgress)) {
      const fresh = await insertLines(context.db, corp_id, lines, context.now)
      await noteBatch(fresh > 0)
      added += fresh
    }
    const matcher = {
      ...{ db: context.db, newId: context.newId, executor_id: context.account.app_id },
      ...freshStatistics(context.db, ['statement_matches']),
    }
    const matched_now = await matchCertain(matcher, { corp_id, time_zone })
    const proposed = await proposeMatches(context.db, { corp_id, time_zone })
    const told = await reportOutcomes(context, linesOf(source, map, defaults), proposed, options.outcomes)
    return {
      format: source.format,
      encoding: source.encoding ?? null,
      unknown_columns: map.unknown,
      ...told,
      lines: { total, new: added, matched_now, ...told.lines },
    }
  } finally {
    await source.close()
  }
}

async function* linesOf(
  source: RowSource,
  map: ReturnType<typeof mapColumns<keyof (typeof statementColumns)['columns']>>,
  defaults: LineDefaults,
  onProgress?: MatchOptions['onProgress'],
): AsyncGenerator<IdentifiedLine[]> {
  const identified = lineIdentifier()
  let batch: IdentifiedLine[] = []
  for await (const row of source.rows((bytes) => onProgress?.(bytes, source.bytes))) {
    const line = readLine(row, map, source, defaults)
    if (Array.isArray(line)) {
      const headerOf = (column: string) => source.headers[map.names.indexOf(column as never)] ?? column
      const reasons = line.map(({ column, reason }) => `column ${headerOf(column)}: ${reason}`)
      throw new FileRefused(`Row ${row.row}, ${reasons.join('; ')}. No line of the statement was stored.`)
    }
    batch.push(identified(line))
    if (batch.length < batchLines) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The outcome of each line, and the totals. */
async function reportOutcomes(
  { db, organization: { corp_id } }: OrganizationContext,
  batches: AsyncGenerator<IdentifiedLine[]>,
  proposed: Map<string, Pairing>,
  outcomesFile: string | undefined,
) {
  const outcomes = outcomesFile === undefined ? undefined : new LineFile(outcomesFile)
  const lines = { matched: 0, proposed: 0, unmatched: 0 }
  const totals = new Map<string, StatementTotal>()
  const shown = { first_proposed: [] as LineOutcome[], first_unmatched: [] as LineOutcome[] }
  try {
    for await (const batch of batches) {
      const ids = batch.map(({ line_id }) => line_id)
      for (const line of await findLines(db, corp_id, ids)) {
        const outcome = outcomeOf(line, proposed.get(line.line_id))
        lines[outcome.state]++
        countLine(totals, outcome)
        await outcomes?.add(`${JSON.stringify(outcome)}\n`)
        const list = outcome.state === 'proposed' ? shown.first_proposed : shown.first_unmatched
        if (outcome.state !== 'matched' && list.length < shownLines) list.push(outcome)
      }
    }
    await outcomes?.finish()
  } catch (error) {
    await outcomes?.discard()
    throw error
  }
  return { lines, totals: [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)), ...shown }
}

/** The current match of a line, or a proposed one. */
export function outcomeOf(stored: StoredLine, proposal: Pairing | undefined): LineOutcome {
  const { state: _, match_id, payment_ids, reason, ...line } = stored
  if (match_id !== null) return { ...line, state: 'matched', payment_ids, score: null, reason }
  if (!proposal) return { ...line, state: 'unmatched', payment_ids: [], score: null, reason: null }
  return {
    ...line,
    ...{
      state: 'proposed',
      payment_ids: proposal.payment_ids,
      score: proposal.score,
      reason: proposal.reason,
    },
  }
}

export function countLine(
  totals: Map<string, StatementTotal>,
  { currency, price, state }: LineOutcome,
): void {
  const total = totals.get(currency) ?? { currency, lines: 0, total: 0, matched: 0, unmatched: 0 }
  totals.set(currency, total)
  total.lines++
  total.total += price
  if (state === 'matched') total.matched += price
  else total.unmatched += price
}
