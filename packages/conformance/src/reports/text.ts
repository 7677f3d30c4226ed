import type { Report, Result } from '../run.ts'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export function countsOf({ results }: Pick<Report, 'results'>): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { state } of results) counts[state]++
  return counts
}

/** A failure as the terminal shows it. */
export function failureText({ check, expected, actual, curl }: Result): string {
  return [
    `✗ ${check.id}  [${check.level}${check.gap ? `, gap ${check.gap}` : ''}]`,
    `    row       ${check.row}`,
    `    expected  ${expected}`,
    `    actual    ${actual}`,
    ...(curl ? [`    call      ${curl}`] : []),
  ].join('\n')
}

/** The end of a run: warnings, counts, and the records that stay. */
export function closingText(report: Report): string {
  const { passed, failed, skipped } = countsOf(report)
  const reasons = new Map<string, number>()
  for (const { why } of report.results) if (why) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  const kinds = new Map<string, number>()
  for (const { kind, why } of report.left)
    kinds.set(`${kind}: ${why}`, (kinds.get(`${kind}: ${why}`) ?? 0) + 1)
  return [
    ...report.warnings.map((warning) => `warning: ${warning}`),
    `${passed} passed, ${failed} failed, ${skipped} skipped in ${(report.ms / 1000).toFixed(1)} s (${report.levels.join(', ')})`,
    ...[...reasons].map(([why, count]) => `  ${count} skipped: ${why}`),
    `${report.removed} records removed, ${report.left.length} stay`,
    ...[...kinds].map(([text, count]) => `  ${count} × ${text} (names begin with ${report.prefix})`),
  ].join('\n')
}
