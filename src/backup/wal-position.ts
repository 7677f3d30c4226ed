/** A position in the write-ahead log, in bytes since the creation of the database. */
export type WalPosition = bigint

export function parsePosition(text: string): WalPosition {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export function formatPosition(position: WalPosition): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()
}

export function startOfSegment(position: WalPosition, segmentBytes: number): WalPosition {
  return position - (position % BigInt(segmentBytes))
}

/** The name of the file that contains a position: timeline, then the segment number in two halves. */
export function segmentName(timeline: number, position: WalPosition, segmentBytes: number): string {
  const segment = position / BigInt(segmentBytes)
  const perHalf = 0x1_0000_0000n / BigInt(segmentBytes)
  return [BigInt(timeline), segment / perHalf, segment % perHalf].map(eightDigits).join('')
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0')
}
