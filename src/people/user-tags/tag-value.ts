import type { Attribute } from '../tag-groups/tag-group.ts'

/** The value as each attribute reads it; null if the attribute does not allow it. */
export interface TagValue {
  define: boolean | null
  number: number | null
  string: string
}

export function readTagValue(value: string): TagValue {
  return { define: readDefine(value), number: readNumber(value), string: value }
}

/** The requirement of each attribute. Messages put it after the name of the parameter. */
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
/** Smaller numbers are subnormal: a double loses digits of them. */
const smallestNormal = 2 ** -1022

/** Accepts only numbers that a double, and therefore JSON, reproduces digit for digit. */
function readNumber(value: string): number | null {
  const mantissa = decimal.exec(value)?.[1]
  if (mantissa === undefined) return null
  const digits = significantDigits(mantissa)
  // Any notation of zero, such as -0 or 0e5: JSON has one zero.
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
