/** Options of one call. */
export interface CallOptions {
  /** Ends the call, with its waits and retries. */
  signal?: AbortSignal | undefined
  /** Longest time of one attempt, without the waits in between. */
  timeoutMs?: number | undefined
  /** Retries after the first attempt. */
  retries?: number | undefined
  /**
   * Of a POST. Derive it from your own record, such as the id of a notification, so that the call has its effect once even
   * if your process restarts. Absent: a random key for this call and its retries.
   */
  idempotencyKey?: string | undefined
  /** Your own id of the call in the log of the service. Absent: a random one. */
  requestId?: string | undefined
}

/** The input of an iterator: the filters of the list. `page_size` is the number of rows that each call fetches. */
export type Rows<Input, Page extends PropertyKey> = Omit<NonNullable<Input>, Page>

/** Something that works, but probably not as intended. */
export interface Warning {
  operation: string
  message: string
  /** Parameters that the service does not know and has ignored. */
  ignored?: string[]
}

/** One answer, for logs and metrics. */
export interface ResponseNote {
  operation: string
  /** 0 if there was no usable answer. */
  status: number
  requestId: string
  /** From 0. */
  attempt: number
  /** Whether the answer is the first one to this Idempotency-Key, again. */
  isReplayed: boolean
}

export interface MatriculaOptions {
  /** The address of the service, such as https://matricula.example.edu. */
  baseUrl: string
  appId: string
  secret: string
  /** The organization of the calls. */
  corpId: string
  /** Longest time of one attempt. Default: 30 seconds. */
  timeoutMs?: number | undefined
  /** Retries of a call. Default: 5. */
  retries?: number | undefined
  /** A longer Retry-After than this is not waited for: the call fails. Default: 65 seconds, which any rate limit fits. */
  longestWaitMs?: number | undefined
  /** Another fetch, such as one that uses a proxy. */
  fetch?: typeof fetch | undefined
  /** Default: console.warn. */
  onWarning?: ((warning: Warning) => void) | undefined
  onResponse?: ((note: ResponseNote) => void) | undefined
}
