/**
 * Why an address that an administrator named could not be called. The sentences are all that anybody is told: error
 * texts of sockets hold addresses and ports.
 */
export const outboundProblems = {
  not_https: 'The address must begin with https.',
  private_network: 'The address leads into a private network.',
  unknown_host: 'There is no server of that name.',
  refused: 'The server refuses the connection.',
  no_answer: 'The server does not answer.',
  no_tls: 'The server does not speak TLS.',
  bad_certificate: 'The TLS certificate of the server is not valid.',
  too_large: 'The answer of the server is too large.',
} as const

export type OutboundProblem = keyof typeof outboundProblems

export class OutboundError extends Error {
  readonly problem: OutboundProblem

  constructor(problem: OutboundProblem) {
    super(outboundProblems[problem])
    this.problem = problem
  }
}

/** Without the error itself as its cause, so that no log and no answer shows where we connected to. */
export function outboundErrorOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  return new OutboundError(problemOf((error as NodeJS.ErrnoException).code ?? ''))
}

function problemOf(code: string): OutboundProblem {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA'].includes(code)) return 'unknown_host'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'EPROTO' || /^ERR_SSL_|^ERR_TLS_HANDSHAKE/.test(code)) return 'no_tls'
  // OpenSSL's names of what is wrong with a certificate, and Node's own.
  if (/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$|^INVALID_(CA|PURPOSE)$/.test(code))
    return 'bad_certificate'
  return 'no_answer'
}
