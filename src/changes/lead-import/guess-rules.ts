import type { GuessRules } from '../../files/guess-columns.ts'
import { forgiven } from '../../files/header-words.ts'
import { birthday, dayOrderOf, leadTime } from './lead-cells.ts'
import type { ColumnName } from './lead-columns.ts'

/** The rules for guessing the columns of a lead file. */
export const guessRules: GuessRules<ColumnName> = {
  ids: new Set(['user_id', 'entry_id', 'page_id', 'bd_vid', 'oid', 'external_id'] as const),
  second: { mobile: 'backup_mobile' },
  repeats: new Set(['question'] as const),
  byValues(values, header) {
    if (isMost(values, isAddress)) return 'email'
    if (isMost(values, isSurelyMobile)) return 'mobile'
    return isAboutTime(header) && isMost(values, isPast) ? 'lead_time' : undefined
  },
  // An id of another system under this header would match nobody here.
  isDoubtful: (name, header, values) =>
    name === 'user_id' && forgiven(header) !== 'userid' && fits('user_id', values) === false,
  fits,
}

type Sign = (value: string) => boolean

const isNumber: Sign = (value) => {
  const digits = value.replaceAll(/\D/g, '').length
  return digits >= 7 && digits <= 16 && digits / value.replaceAll(/[\s()+.-]/g, '').length > 0.6
}
/** Stricter: other numbers, such as those of orders, have as many digits. */
const isSurelyMobile: Sign = (value) =>
  /^(p:)?(\+[0-9]{8,15}|(\+?86)?1[3-9][0-9]{9})$/.test(value.replaceAll(/[\s-]/g, ''))
const isAddress: Sign = (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
const isDate: Sign = (value) => {
  try {
    return leadTime(value, { countsFrom1904: false }) !== ''
  } catch {
    return dayOrderOf(value) === 'either'
  }
}
/** A time that something happened to the record is not the time of the enquiry. */
const isAboutTime = (header: string) =>
  /date|time|stamp|datum|日期|时间|时刻/i.test(header) &&
  !/last|modif|updat|change|next|start|schedul|birth|confirm|expir|due|最近|最后|修改|更新|变更|下次|生日|出生|预约|到期|截止|开始/i.test(
    header,
  )
const isPast: Sign = (value) => {
  if (!/[-/.年月]/.test(value)) return false
  if (dayOrderOf(value) === 'either') return true
  try {
    return leadTime(value, { countsFrom1904: false }) < tomorrow()
  } catch {
    return false
  }
}
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const isBirthday: Sign = (value) => {
  try {
    return birthday(value, { countsFrom1904: false }) < new Date().toISOString()
  } catch {
    return false
  }
}
const isWord: Sign = (value) => /\p{L}/u.test(value) && !isNumber(value) && !isAddress(value)
const isName: Sign = (value) => isWord(value) && !/[0-9]{2}/.test(value) && value.length <= 60
const isUserId: Sign = (value) => /^[0-9a-f]{32}$/.test(value)

const signs: Partial<Record<ColumnName, Sign>> = {
  user_id: isUserId,
  mobile: isNumber,
  backup_mobile: isNumber,
  email: isAddress,
  name: isName,
  first_name: isName,
  last_name: isName,
  lead_time: isDate,
  birthday: isBirthday,
  area_code: (value) => /^(\+|00)?[0-9]{1,4}$/.test(value.trim()),
}
/** These columns take any text, but a column of numbers or addresses is none of them. */
const textual = new Set<ColumnName>([
  ...(['utm_source', 'utm_medium', 'utm_channel', 'utm_campaign', 'campaign', 'course_code'] as const),
  ...(['company_name', 'job_title', 'department', 'city', 'owner_ids', 'tags'] as const),
])

const mostRead = 100
const share = 0.7

/** Whether most values look like those of the column; undefined if values of the column look like any text. */
function fits(name: ColumnName, values: string[]): boolean | undefined {
  if (values.length === 0) return undefined
  const sign = signs[name]
  if (sign) return isMost(values, sign)
  return textual.has(name) && !isMost(values, isWord) ? false : undefined
}

function isMost(values: string[], sign: Sign): boolean {
  const some = values.slice(0, mostRead)
  return some.length > 0 && some.filter(sign).length >= some.length * share
}
