import { numberOf } from './written-number.ts'

/** A time of day: `HH:MM`. */
export type Clock = string

/** Takes the time off the end (or, in Chinese, from anywhere) of a text: "tomorrow 3 pm", 明天下午三点半. */
export function readClock(text: string): { clock: Clock | undefined; rest: string } {
  for (const form of [readEnglish, readChinese]) {
    const found = form(text)
    if (found)
      return {
        clock: found.clock,
        rest: found.rest
          .replace(/( at|(?<=\d)t)$/, '')
          .replace(/^(at) /, '')
          .trim(),
      }
  }
  return { clock: undefined, rest: text }
}

interface Found {
  clock: Clock
  rest: string
}

const namedTimes: Record<string, Clock> = { noon: '12:00', midday: '12:00', midnight: '00:00' }

function readEnglish(text: string): Found | undefined {
  const named = /(?:^|\s)(noon|midday|midnight)$/.exec(text)
  if (named) return { clock: namedTimes[named[1]!]!, rest: text.slice(0, named.index) }
  const half = /(?:^|\s|[\u4e00-\u9fff])(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?$/.exec(text)
  if (half) {
    const hour = Number(half[1])
    if (hour < 1 || hour > 12) return undefined
    return found(text, half, (hour % 12) + (half[3] === 'p' ? 12 : 0), Number(half[2] ?? 0))
  }
  const full = /(?:^|\s|t|[\u4e00-\u9fff])(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text)
  if (full) return chinesePart(text, full) ?? found(text, full, Number(full[1]), Number(full[2]))
  const at = /(?:^|\s)at (\d{1,2})$/.exec(text)
  return at ? found(text, at, Number(at[1]), 0) : undefined
}

const partsOfDay = '凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|晚'

/** A part of the day before the digits: 下午3:30. */
function chinesePart(text: string, match: RegExpExecArray): Found | undefined {
  const digits = match[0].search(/\d/) + match.index
  const part = new RegExp(`(${partsOfDay})$`).exec(text.slice(0, digits).trimEnd())
  if (!part) return undefined
  const hour = hourIn(part[1]!, Number(match[1]))
  return clockAt(hour, Number(match[2]), withoutPart(text.slice(0, digits).trimEnd(), part[1]!))
}

function readChinese(text: string): Found | undefined {
  const number = '(\\d{1,2}|[零一二两三四五六七八九十]{1,3})'
  const form = new RegExp(`(${partsOfDay})? ?${number} ?[点时](?:(半|一刻|三刻|整)|${number}分?)?$`)
  const match = form.exec(text)
  if (match) {
    const hour = numberOf(match[2]!)
    const minute = match[3]
      ? { 半: 30, 一刻: 15, 三刻: 45, 整: 0 }[match[3]]!
      : match[4]
        ? numberOf(match[4])
        : 0
    if (hour === undefined || minute === undefined) return undefined
    const before = text.slice(0, match.index)
    return clockAt(
      hourIn(match[1], hour),
      minute,
      match[1] ? withoutPart(before + match[1], match[1]) : before,
    )
  }
  const noon = /(中午|正午)$/.exec(text)
  return noon ? { clock: '12:00', rest: text.slice(0, noon.index) } : undefined
}

/** 今晚 and 明晚 also name the day, which stays. */
function withoutPart(text: string, part: string): string {
  return part === '今晚' || part === '明晚' ? text : text.slice(0, text.length - part.length)
}

function hourIn(part: string | undefined, hour: number): number {
  if (part === undefined || hour > 12) return hour
  if (/下午|傍晚|晚/.test(part)) return hour === 12 ? (part === '下午' ? 12 : 0) : hour + 12
  if (part === '中午') return hour < 4 ? hour + 12 : hour
  return part === '凌晨' && hour === 12 ? 0 : hour
}

function found(text: string, match: RegExpExecArray, hour: number, minute: number): Found | undefined {
  const start = match.index + match[0].search(/at \d|\d/)
  return clockAt(hour, minute, text.slice(0, start))
}

function clockAt(hour: number, minute: number, rest: string): Found | undefined {
  if (hour > 23 || minute > 59) return undefined
  return {
    clock: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
    rest: rest.trimEnd(),
  }
}
