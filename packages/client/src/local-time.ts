/** A time of a record: as the clocks of the organization show it, with their zone. */
export class LocalTime {
  /** As in the record: YYYY-MM-DD HH:MM:SS. */
  readonly text: string
  /** IANA zone of the organization. */
  readonly timeZone: string

  constructor(text: string, timeZone: string) {
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text))
      throw new RangeError(`${text} is not YYYY-MM-DD HH:MM:SS`)
    this.text = text
    this.timeZone = timeZone
  }

  /** The instant. Where clocks go back, a time exists twice: the first one. */
  get instant(): Date {
    return new Date(this.#epochMs())
  }

  #epochMs(): number {
    const wall = Date.parse(`${this.text.replace(' ', 'T')}Z`)
    const offsets = [wall - dayMs, wall + dayMs].map((each) => offsetAt(each, this.timeZone))
    // With the offset of before a change of clocks first, so that of two instants the first is taken.
    const fitting = offsets
      .map((offset) => wall - offset)
      .find((each) => each + offsetAt(each, this.timeZone) === wall)
    return fitting ?? wall - offsets[0]!
  }

  /** ISO 8601 with offset and zone, such as 2026-11-15T09:30:05+08:00[Asia/Shanghai]. Temporal.ZonedDateTime reads it. */
  toString(): string {
    const epochMs = this.#epochMs()
    const minutes = Math.round(offsetAt(epochMs, this.timeZone) / 60_000)
    const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    const offset = `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`
    return `${this.text.replace(' ', 'T')}${offset}[${this.timeZone}]`
  }

  toJSON(): string {
    return this.toString()
  }
}

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** The clocks of a zone less UTC, at an instant. */
function offsetAt(epochMs: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    // Swedish writes YYYY-MM-DD HH:MM:SS.
    format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return Date.parse(`${format.format(epochMs).replace(' ', 'T')}Z`) - epochMs
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
