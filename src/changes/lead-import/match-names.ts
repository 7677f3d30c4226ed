export interface NamedRecord {
  id: string
  name: string
  /** Other texts that mean it, such as an e-mail address. */
  also: string[]
}

/** The record that a text names. With less than full confidence, the text is only a part of its name. */
export interface Match {
  id: string
  name: string
  /** In percent. */
  confidence: number
}

/** Undefined if no record has the name, or more than one. */
export type Matcher = (text: string) => Match | undefined

/** By id, by whole name, and by a part of a name, if only one record has it. */
export function createMatcher(records: NamedRecord[]): Matcher {
  const byId = new Map(records.map((record) => [record.id, record]))
  const plain = records.map(({ id, name, also }) => ({
    id,
    name,
    words: [id, name, ...also].map(plainOf).filter((word) => word !== ''),
    key: plainOf(name),
  }))
  const only = (found: { id: string; name: string }[], confidence: number): Match | undefined =>
    found.length === 1 ? { id: found[0]!.id, name: found[0]!.name, confidence } : undefined
  return (text) => {
    const known = byId.get(text)
    if (known) return { id: known.id, name: known.name, confidence: 100 }
    const written = plainOf(text)
    if (written === '') return undefined
    const whole = plain.filter(({ words }) => words.includes(written))
    if (whole.length > 0) return only(whole, 95)
    const part = plainOf(withoutTitle(text))
    if (part === '') return undefined
    const named = plain.filter(({ words }) => words.includes(part))
    if (named.length > 0) return only(named, 90)
    return only(
      plain.filter(({ key }) => isPart(part, key)),
      70,
    )
  }
}

/** Ignores letter case, width and spaces. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s·•._-]/g, '')
}

/** 王老师, Ms. Wang and 课程顾问李芳 are 王, Wang and 李芳. */
function withoutTitle(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^(mr|mrs|ms|miss|dr|prof|teacher|课程顾问|顾问|老师|销售)[.:\s]*/i, '')
    .replace(/(老师|顾问|经理|主管|主任|总监|教师|先生|女士|小姐|同学|总)$/, '')
    .replace(/\(.*\)$/, '')
    .trim()
}

/** One Chinese character is a family name, which begins the name. Other parts need two characters, or three letters. */
function isPart(part: string, whole: string): boolean {
  if (whole === '') return false
  const isHan = /\p{Script=Han}/u.test(part)
  if (isHan && part.length === 1) return whole.startsWith(part)
  if (part.length < (isHan ? 2 : 3)) return false
  return whole.includes(part) || (whole.length >= (isHan ? 2 : 3) && part.includes(whole))
}
