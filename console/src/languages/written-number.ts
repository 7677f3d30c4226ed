const digits = '零一二三四五六七八九'

/** 12, 十二 or 两; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  const written = text.replace('两', '二')
  const tens = /^([一二三四五六七八九])?十([一二三四五六七八九])?$/.exec(written)
  if (tens) return (tens[1] ? digits.indexOf(tens[1]) : 1) * 10 + (tens[2] ? digits.indexOf(tens[2]) : 0)
  return written.length === 1 && digits.includes(written) ? digits.indexOf(written) : undefined
}
