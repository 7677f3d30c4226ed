/** Prefixes that exports and people put before a number. */
const prefix = /^(?:p|tel|phone|mobile|cell|whatsapp|手机号?码?|电话号?码?|联系电话)\s*[:：]\s*/i
const extension = /\s*(?:ext(?:ension)?\.?|分机号?|转|[#x])\s*[:：]?\s*([0-9]+)$/i

/**
 * Removes everything around a number that exports and spreadsheets add. The reason says what happened to the number if
 * a part of it is lost.
 */
export function plainNumber(text: string): { text: string } | { reason: string } {
  const written = text
    .normalize('NFKC')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^['’‘`]+/, '')
    .replace(prefix, '')
    .trim()
  if (/[*•●×]|x{3,}/i.test(written)) return { reason: 'is masked: the hidden digits are lost' }
  const scientific = /^([0-9])(?:[.,]([0-9]+))?e\+?([0-9]{1,2})$/i.exec(written)
  if (scientific) return fromScientific(scientific)
  const extended = extension.exec(written)
  if (extended)
    return { reason: `has the extension ${extended[1]}, which a mobile number cannot have: remove it` }
  const plain = written
    .replace(/^[0-9]{1,3}(,[0-9]{3})+(\.0+)?$/, (grouped) => grouped.replace(/\.0+$/, '').replaceAll(',', ''))
    .replace(/^([0-9]+)\.0+$/, '$1')
    .replace(/^\(?00/, '+')
    .replace(/^\(\s*\+\s*([0-9]{1,4})\s*\)/, '+$1 ')
  return /^[+0-9()\s.‐-―-]+$/.test(plain) ? { text: plain } : { reason: 'is not a phone number' }
}

/** 1.3900000034E+10 has all digits of its number; 1.39E+10 has lost eight. */
function fromScientific([, first = '', rest = '', exponent]: string[]):
  | { text: string }
  | { reason: string } {
  if (rest.length === Number(exponent)) return { text: first + rest }
  return { reason: 'was shortened by Excel: format the column as text, and enter the whole number' }
}
