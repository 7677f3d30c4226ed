import { writeFile } from 'node:fs/promises'

/** One figure of the bench, held against its target. */
export interface Figure {
  work: string
  /** What was divided by what, or the unit. */
  ratio: string
  value: number
  /** "≥ 2.5", "≤ 1.3"; null where the figure is only for information. */
  target: string | null
  ok: boolean
}

export function figure(work: string, ratio: string, value: number, target: string | null): Figure {
  if (!Number.isFinite(value)) throw new Error(`${work}: ${ratio} could not be measured`)
  const [comparison, bound] = target?.split(' ') ?? []
  const ok = target === null || (comparison === '≥' ? value >= Number(bound) : value <= Number(bound))
  return { work, ratio, value: Number(value.toPrecision(3)), target, ok }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!
}

export function printTable(figures: Figure[]): void {
  const rows = [['work', 'ratio', 'value', 'target', '']]
  for (const { work, ratio, value, target, ok } of figures)
    rows.push([work, ratio, String(value), target ?? '', target === null ? '' : ok ? 'ok' : 'MISSED'])
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  process.stdout.write(`\n${lines.join('\n')}\n`)
}

export async function writeJson(file: string, figures: Figure[]): Promise<void> {
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
}

/** Progress, with the seconds since the start. */
export function tell(text: string): void {
  process.stdout.write(`${String(Math.round(performance.now() / 1000)).padStart(5)} s  ${text}\n`)
}
