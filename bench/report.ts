import { writeFile } from 'node:fs/promises'

/** One figure of the benchmark, and its target. */
export interface Figure {
  work: string
  /** The dividend and the divisor, or the unit. */
  ratio: string
  value: number
  /** "≥ 2.5", "≤ 1.3"; null if the figure is only for information. */
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
  printRows(rows)
}

/** Prints rows of cells in aligned columns. */
export function printRows(rows: string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  process.stdout.write(`\n${lines.join('\n')}\n`)
}

/** A figure of two runs. A value is undefined if a run did not measure it. */
export interface Comparison {
  work: string
  ratio: string
  before: number | undefined
  after: number | undefined
  /** After ÷ before. */
  change: number | undefined
  verdict: 'better' | 'worse' | '' | 'new' | 'gone'
}

/** Values that differ by less than this share are equal: two runs of one version differ as much. */
const noise = 0.03

export function compareFigures(before: Figure[], after: Figure[]): Comparison[] {
  const keyOf = ({ work, ratio }: Figure) => `${work}\n${ratio}`
  const later = new Map(after.map((figure) => [keyOf(figure), figure]))
  const earlier = new Set(before.map(keyOf))
  const compared = before.map((figure): Comparison => {
    const { work, ratio, value } = figure
    const now = later.get(keyOf(figure))
    if (!now) return { work, ratio, before: value, after: undefined, change: undefined, verdict: 'gone' }
    const change = now.value / value
    return { work, ratio, before: value, after: now.value, change, verdict: verdictOf(now, change) }
  })
  const added = after.filter((figure) => !earlier.has(keyOf(figure)))
  return [
    ...compared,
    ...added.map(
      ({ work, ratio, value }): Comparison => ({
        work,
        ratio,
        before: undefined,
        after: value,
        change: undefined,
        verdict: 'new',
      }),
    ),
  ]
}

/** Rates are better when they grow; times, memory and other figures with an upper bound when they shrink. */
function verdictOf({ ratio, target }: Figure, change: number): Comparison['verdict'] {
  const isHigherBetter = target?.startsWith('≥') ?? /^ours ÷|\/s/.test(ratio)
  if (Math.abs(change - 1) <= noise) return ''
  return change > 1 === isHigherBetter ? 'better' : 'worse'
}

export async function writeJson(file: string, figures: Figure[]): Promise<void> {
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
}

/** Progress, with the seconds since the start. */
export function tell(text: string): void {
  process.stdout.write(`${String(Math.round(performance.now() / 1000)).padStart(5)} s  ${text}\n`)
}
