/** The parts that the time of a call is divided into. */
export const callParts = [
  /** Identifying the caller, and counting its calls. */
  'admission',
  /** Waiting for the bytes of the request. */
  'input',
  /** Waiting for memory for a long response. */
  'room',
  /** Waiting for the group whose statement answers several calls. */
  'batch',
  /** Waiting for a turn among the writers of the organization. */
  'turn',
  /** Waiting for a connection to the database. */
  'connection',
  /** Round trips that lock records: waiting for the locks, and taking them. */
  'lock',
  /** Other round trips to the database. */
  'statements',
  /** Waiting for events, as the caller asked for. */
  'events',
  /** Writing the response as JSON, and compressing it. */
  'render',
  /** Waiting for the client to read the response. */
  'send',
] as const

export type CallPart = (typeof callParts)[number]

/** A period of a call, on the clock of `performance.now()`. */
export interface TimedPart {
  part: CallPart
  beganMs: number
  endedMs: number
  /** The verb and table of the round trip, such as "update users". Never values. */
  summary: string | undefined
}

/** Where the time of one call went: milliseconds of each part. */
export type CallTimes = Record<CallPart, number> & {
  statementCount: number
  /** Each period, of a call that is traced. */
  periods: TimedPart[] | undefined
}

export function newCallTimes(): CallTimes {
  return {
    admission: 0,
    input: 0,
    room: 0,
    batch: 0,
    turn: 0,
    connection: 0,
    lock: 0,
    statements: 0,
    events: 0,
    render: 0,
    send: 0,
    statementCount: 0,
    periods: undefined,
  }
}

export function addTime(
  times: CallTimes,
  part: CallPart,
  beganMs: number,
  endedMs: number,
  summary?: string,
): void {
  times[part] += endedMs - beganMs
  times.periods?.push({ part, beganMs, endedMs, summary })
}

/** Awaits a promise, and notes the wait. */
export function timed<T>(times: CallTimes | undefined, part: CallPart, awaited: Promise<T>): Promise<T> {
  return times ? noteWait(times, part, awaited) : awaited
}

async function noteWait<T>(times: CallTimes, part: CallPart, awaited: Promise<T>): Promise<T> {
  const beganMs = performance.now()
  try {
    return await awaited
  } finally {
    addTime(times, part, beganMs, performance.now())
  }
}

/** The parts in which a group of calls uses the database. */
const sharedParts = ['turn', 'connection', 'lock', 'statements'] as const

/** Times that a group of calls adds to its first call, to be shared with the others. */
export interface SharedTimes {
  first: CallTimes
  before: CallTimes
  periodsBefore: number
}

export function beginSharing(first: CallTimes): SharedTimes {
  return { first, before: { ...first }, periodsBefore: first.periods?.length ?? 0 }
}

/** Adds what the first call has spent since to another call of the group. */
export function shareTimes({ first, before, periodsBefore }: SharedTimes, other: CallTimes): void {
  for (const part of sharedParts) other[part] += first[part] - before[part]
  other.statementCount += first.statementCount - before.statementCount
  if (first.periods) other.periods?.push(...first.periods.slice(periodsBefore))
}
