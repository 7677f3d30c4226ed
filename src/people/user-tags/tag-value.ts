import type { Attribute } from '../tag-groups/attribute.ts'

/** What a value means under each attribute; null where it means nothing there. */
export interface TagValue {
  define: boolean | null
  number: number | null
  string: string
}

export function readTagValue(value: string): TagValue {
  return { define: readDefine(value), number: readNumber(value), string: value }
}

/** What a value must be, to be read after the parameter's name. */
export const requirements: Record<Attribute, string> = {
  define: 'must be true or false, as the attribute of the tag group is define',
  number:
    'must be a decimal number of at most 15 significant digits, as the attribute of the tag group is number',
  string: 'must be text',
}

function readDefine(value: string): boolean | null {
  if (value === 'true') return true
  return value === 'false' ? false : null
}

const decimal = /^[+-]?([0-9]+(?:\.[0-9]+)?)(?:[eE][+-]?[0-9]+)?$/
const maxSignificantDigits = 15
/** Below this a double loses digits, down to none. */
const smallestNormal = 2 ** -1022

/** Only numbers that a double, and so a JSON number, gives back digit for digit. */
function readNumber(value: string): number | null {
  const mantissa = decimal.exec(value)?.[1]
  if (mantissa === undefined) return null
  const digits = significantDigits(mantissa)
  // Also the zeros that are written with a sign or an exponent: JSON knows one zero.
  if (digits === '') return 0
  const number = Number(value)
  const isExact =
    digits.length <= maxSignificantDigits && Number.isFinite(number) && Math.abs(number) >= smallestNormal
  return isExact ? number : null
}

function significantDigits(mantissa: string): string {
  const digits = mantissa.replace('.', '').replace(/^0+/, '')
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
