/** The languages in which reasons are shown. */
export const reasonLanguages = ['en', 'zh'] as const
export type ReasonLanguage = (typeof reasonLanguages)[number]

/** A fault of a row, as stored: the place of its cell, and the reason in English. */
export interface RowFault {
  /** The index of the cell; null if the file has no such column. */
  at: number | null
  reason: string
}

/** The reason of a row that is rejected or skipped, with the headers of the file. */
export function rowReasonIn(
  language: ReasonLanguage,
  row: number,
  faults: RowFault[],
  headers: string[],
): string {
  const isChinese = language === 'zh'
  const texts = faults.map(({ at, reason }) => {
    const header = at === null ? undefined : headers[at]
    const text = reasonIn(language, reason)
    if (!header) return text
    return isChinese ? `“${header}”${text}` : `column ${header}: ${text}`
  })
  return isChinese ? `第 ${row} 行：${texts.join('；')}` : `row ${row}, ${texts.join('; ')}`
}

/** A reason in the language of the reader. A reason without a translation stays in English. */
export function reasonIn(language: ReasonLanguage, reason: string): string {
  if (language === 'en') return reason
  for (const [pattern, chinese] of translations)
    if (pattern.test(reason)) return reason.replace(pattern, chinese)
  return reason
}

/** Each pattern covers a whole reason. */
const translations: [RegExp, string][] = [
  [/^is empty: a row needs .*$/, '为空：每行需要手机号或邮箱'],
  [/^was shortened by Excel: .*$/, '被 Excel 缩写，号码已不完整：请将该列设为文本格式，重新填写完整号码'],
  [/^has the extension (\d+), .*$/, '带分机号 $1，手机号没有分机：请删除'],
  [/^is masked: .*$/, '已打码，隐藏的数字无法还原'],
  [/^is not a phone number$/, '不是电话号码'],
  [/^has (\d+) numbers: .*$/, '含 $1 个号码：最多保留两个'],
  [/^would be number (\d+) of the person: .*$/, '是该客户的第 $1 个号码：最多保留两个'],
  [/^is not a mobile number of ([A-Z]{2}) \((\d+) digits\)$/, '不是 $1 的手机号（共 $2 位）'],
  [/^is not a mobile number of calling code (\d+) \((\d+) digits\)$/, '不是区号 $1 的手机号（共 $2 位）'],
  [/^is not a mobile number \((\d+) digits\)$/, '不是手机号（共 $1 位）'],
  [/^is a number of a landline or a service \((\w+)\), .*$/, '是座机或服务号码（$1），不是手机号'],
  [/^looks like a number of calling code (\d+): .*$/, '像是区号 $1 的号码：请确认，或补上区号'],
  [/^has the calling code (\d+), but the other column says (\d+)$/, '的区号是 $1，与区号列的 $2 不一致'],
  [/^names no course: (.*)\. Choose one.*$/s, '没有课程“$1”：请选择，或留空'],
  [/^names no member of staff: (.*)\. Choose one.*$/s, '没有叫“$1”的员工：请选择，或留空'],
  [/^names no tag group: (.*)\. Choose one.*$/s, '没有标签组“$1”：请选择，或留空'],
  [/^has the tag (.*), but there is no such tag group$/s, '没有标签组“$1”'],
  [/^has no fitting value for the tag (.*): write (.*)$/s, '标签“$1”的值不合适：请写成 $2'],
  [/^is in the future$/, '是将来的时间'],
  [/^can be read as two different days: .*$/, '可以理解为两个日期：请写成 YYYY-MM-DD'],
  [/^must be a date .*$/, '必须是存在的日期（YYYY-MM-DD）或时间（YYYY-MM-DD HH:MM:SS）'],
  [/^must be yes or no$/, '必须是“是”或“否”'],
  [/^must be an e-mail address$/, '不是有效的邮箱地址'],
  [/^must be an existing country calling code.*$/, '不是存在的国家区号'],
  [/^must be at most (\d+) characters long$/, '最多 $1 个字符'],
  [/^must have at most (\d+) characters$/, '最多 $1 个字符'],
  [/^must have at most (\d+) items$/, '最多 $1 项'],
  [/^must not be empty$/, '不能为空'],
  [/^must be one line of text.*$/, '必须是单行文本，不含控制字符'],
  [/^must be text without.*$/, '含有无法保存的字符'],
  [/^belongs to another user$/, '已属于另一位客户'],
  [/^belongs to a lead with other content$/, '已属于另一条内容不同的线索'],
  [/^is in row (\d+) already, with other content$/, '与第 $1 行相同，但内容不同'],
  [/^names no user of the organization$/, '不是本机构的客户'],
  [/^repeats row (\d+)$/, '与第 $1 行重复'],
  [/^is the lead (.*)$/, '就是线索 $1'],
  [
    /^belongs to a person who was erased on (\S+) \((.*)\); .*$/,
    '属于 $1 已删除资料的客户（$2）；管理员可以解除',
  ],
  [/^line (\d+) has a quoted cell that does not end$/, '文件第 $1 行的引号没有结束'],
  [/^line (\d+) has a quote in a quoted cell.*$/, '文件第 $1 行的单元格内有未成对的引号'],
  [/^the row has (\d+) cells under a header of (\d+)$/, '有 $1 个单元格，表头有 $2 个：缺少引号或分隔符'],
  [/^the line is not JSON$/, '不是 JSON'],
  [/^the line is not a JSON object$/, '不是 JSON 对象'],
  [/^holds a formula without a stored value.*$/, '是没有结果的公式：请用表格软件打开并保存一次'],
  [/^holds the error (.*)$/, '是错误值 $1'],
  [/^holds a number of more than 15 digits.*$/, '超过 15 位，已被表格软件舍入：请以文本保存'],
  [/^holds the date number (.*), which is not a date$/, '的日期数值 $1 不是日期'],
]
