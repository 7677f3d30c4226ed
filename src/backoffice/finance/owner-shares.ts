import { shareOut } from '../../contract/rounding.ts'

/** Splits an amount among owners by basis points, to the unit. Undefined if no owner has a share. */
export function splitByOwners(
  amount: number,
  basisPoints: Record<string, number>,
): Map<string, number> | undefined {
  const owners = Object.entries(basisPoints).filter(([, points]) => points > 0)
  if (owners.length === 0) return undefined
  const weights = owners.map(([, points]) => points)
  const parts = shareOut(amount, weights)
  return new Map(owners.map(([owner], index) => [owner, parts[index] ?? 0]))
}
