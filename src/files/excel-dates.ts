/** Built-in number formats of Excel that show a date or a time. */
const builtIn = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
])

export function showsDate(formatId: number, code: string | undefined): boolean {
  if (code === undefined) return builtIn.has(formatId)
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replace(/;.*$/s, '')
  return /[ymdhs年月日]/i.test(bare) && !/general/i.test(bare)
}

const dayMs = 86_400_000

/**
 * The day, or the day and time, of a serial number; undefined if it is none. Excel has a day 60, 29 February 1900,
 * that never existed. Earlier days are shifted by one.
 */
export function dateOfSerial(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (!Number.isFinite(serial) || day < 1 || day > 2_958_465 || (!countsFrom1904 && day === 60))
    return undefined
  const epoch = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  const seconds = Math.round((serial - day) * 86_400)
  const instant = new Date(epoch + day * dayMs + seconds * 1000).toISOString()
  return seconds === 0 ? instant.slice(0, 10) : `${instant.slice(0, 10)} ${instant.slice(11, 19)}`
}
