import type { InputFault } from '../../contract/errors.ts'

/** Fractions of an order as basis points. They are JSON numbers, so their decimals are read from their text. */
export function basisPointsOfShares(shares: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(shares).map(([owner, fraction]) => [owner, basisPoints(fraction) ?? 0]),
  )
}

export function sharesAreWhole(shares: Record<string, number> | undefined): InputFault[] {
  if (shares === undefined || Object.keys(shares).length === 0) return []
  const points = Object.values(shares).map(basisPoints)
  if (points.includes(undefined))
    return [{ param: 'share_proportion', reason: 'must have fractions of at most four decimals' }]
  const sum = points.reduce<number>((all, value) => all + value!, 0)
  return sum === 10_000 ? [] : [{ param: 'share_proportion', reason: 'must sum to 1' }]
}

function basisPoints(fraction: number): number | undefined {
  const [, whole, decimals = ''] = /^([01])(?:\.([0-9]{1,4}))?$/.exec(String(fraction)) ?? []
  return whole === undefined ? undefined : Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'))
}
