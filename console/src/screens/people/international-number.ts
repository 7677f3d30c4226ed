/** Country codes of one and two digits; all others have three. No code is a prefix of another. */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/
/** Assigned country codes of three digits. */
const longCodes =
  /^(?:21[12368]|2[2346]\d|25[0-8]|29[01789]|35\d|37[0-8]|38[0-35-79]|42[013]|50\d|59\d|67[02-9]|68[0-35-9]|69[0-2]|85[02356]|88[06]|96[0-8]|97[0-7]|99[2-68])/

/**
 * Splits a number that starts with + or 00 into country code and rest; `undefined` without such a prefix, `null` for an
 * unknown country. Drops spaces, hyphens and the trunk prefix (0).
 */
export function readInternational(text: string): { area_code: string; mobile: string } | null | undefined {
  const written = text.normalize('NFKC').trim().replace(/^00/, '+')
  if (!written.startsWith('+')) return undefined
  const digits = written.replace('(0)', '').replace(/\D/g, '')
  const area_code = (shortCodes.exec(digits) ?? longCodes.exec(digits))?.[0]
  if (!area_code || digits.length === area_code.length) return null
  return { area_code, mobile: digits.slice(area_code.length) }
}
