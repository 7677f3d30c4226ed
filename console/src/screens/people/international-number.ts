/** Codes of countries: those of one and two figures; every other one has three. None begins another. */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/
/** Of three figures, as far as they are given to a country. */
const longCodes =
  /^(?:21[12368]|2[2346]\d|25[0-8]|29[01789]|35\d|37[0-8]|38[0-35-79]|42[013]|50\d|59\d|67[02-9]|68[0-35-9]|69[0-2]|85[02356]|88[06]|96[0-8]|97[0-7]|99[2-68])/

/**
 * A number that says by a plus or 00 which country it is of, in parts; `undefined` where it does not say so, `null` where
 * there is no such country. Spaces, hyphens and the nought that is dialled within the country only are left out.
 */
export function readInternational(text: string): { area_code: string; mobile: string } | null | undefined {
  const written = text.normalize('NFKC').trim().replace(/^00/, '+')
  if (!written.startsWith('+')) return undefined
  const digits = written.replace('(0)', '').replace(/\D/g, '')
  const area_code = (shortCodes.exec(digits) ?? longCodes.exec(digits))?.[0]
  if (!area_code || digits.length === area_code.length) return null
  return { area_code, mobile: digits.slice(area_code.length) }
}
