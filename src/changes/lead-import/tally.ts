/** The outcomes of a row. */
export const rowOutcomes = [
  ...(['new_user', 'known_user', 'duplicate_entry', 'duplicate_row', 'reject', 'erased'] as const),
]
export type RowOutcomeName = (typeof rowOutcomes)[number]

/** The number of rows by outcome. */
export type RowTally = Record<RowOutcomeName, number>

export function emptyTally(): RowTally {
  return { new_user: 0, known_user: 0, duplicate_entry: 0, duplicate_row: 0, reject: 0, erased: 0 }
}

export function tallied(tally: RowTally, outcomes: { outcome: RowOutcomeName }[]): RowTally {
  const sum = { ...emptyTally(), ...tally }
  for (const { outcome } of outcomes) sum[outcome]++
  return sum
}
