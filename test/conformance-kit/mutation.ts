// biome-ignore lint/suspicious/noExplicitAny: mutations change responses of every shape.
export type Json = any

/** A call on its way to the server. */
export interface SentCall {
  /** Below /api/v5/. */
  path: string
  query: URLSearchParams
  headers: Headers
  /** Undefined if the body is no JSON. */
  body: Json
}

/** A response on its way back. */
export interface SentAnswer {
  status: number
  headers: Headers
  body: Json
  /** Sent instead of the body. */
  text?: string
}

/** One thing that a broken server does differently. */
export interface Mutation {
  what: string
  /** The operation that is broken, below /api/v5/entity/ or authentication/. Absent: all. */
  of?: string
  /** The checks that could notice, as --only takes them. */
  only: string
  call?(call: SentCall): void
  answer?(answer: SentAnswer, call: SentCall): void
}

/** Breaks the data of successes. */
export function data(change: (data: Json, call: SentCall) => void): Pick<Mutation, 'answer'> {
  return {
    answer: ({ body }, call) => {
      if (body?.code === 0) change(body.data, call)
    },
  }
}

/** Breaks every row of a list. */
export function rows(change: (row: Json) => void): Pick<Mutation, 'answer'> {
  return data((found) => (found.list ?? found.rows).forEach(change))
}

/** Breaks failures. */
export function failures(change: (answer: SentAnswer) => void): Pick<Mutation, 'answer'> {
  return {
    answer: (answer) => {
      if (answer.body?.code !== 0) change(answer)
    },
  }
}

/** An ISO 8601 time, moved. */
export function moved(time: string, minutes: number): string {
  return new Date(Date.parse(time) + minutes * 60_000).toISOString()
}

/** A time of a record, moved. */
export function movedLocal(time: string, minutes: number): string {
  return moved(`${time.replace(' ', 'T')}Z`, minutes)
    .slice(0, 19)
    .replace('T', ' ')
}

export function asIso(time: string): string {
  return time && `${time.replace(' ', 'T')}Z`
}
