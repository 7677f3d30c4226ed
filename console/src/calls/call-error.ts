export interface ParameterFault {
  param: string
  reason: string
}

/** A call that the service refused, or that never reached it (code 0). */
export class CallError extends Error {
  readonly code: number
  readonly errors: ParameterFault[]
  readonly requestId: string | undefined
  /** The moves that are allowed instead (40904). */
  readonly allowed: string[]
  readonly retryAfterSeconds: number | undefined
  /** Further members of the answer, such as `reason`. */
  readonly details: Record<string, unknown>
  /** The input of the call. Its records determine the currency of amounts. */
  input: Record<string, unknown> = {}

  constructor(
    code: number,
    msg: string,
    data: { request_id?: string; errors?: ParameterFault[]; allowed?: string[] } = {},
    retryAfterSeconds?: number,
  ) {
    super(msg)
    this.code = code
    this.errors = data.errors ?? []
    this.requestId = data.request_id
    this.allowed = data.allowed ?? []
    this.retryAfterSeconds = retryAfterSeconds
    this.details = { ...data }
  }

  get isSignedOut(): boolean {
    return this.code === 40101 || this.code === 40107
  }

  /** The school of the session is suspended. */
  get isSuspended(): boolean {
    return this.code === 40310
  }

  /** The fault of one parameter, for its field. */
  faultOf(param: string): string | undefined {
    return this.errors.find((fault) => fault.param === param)?.reason
  }
}
