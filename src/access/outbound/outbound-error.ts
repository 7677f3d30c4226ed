/** Why a configured address could not be called. Error texts of sockets are never shown: they hold addresses and ports. */
export const outboundProblems = {
  not_https: 'The address must start with https.',
  private_network: 'The address leads into a private network.',
  unknown_host: 'The host name does not exist.',
  refused: 'The server refuses the connection.',
  no_answer: 'The server does not respond.',
  no_tls: 'The server does not support TLS.',
  bad_certificate: 'The TLS certificate of the server is not valid.',
  too_large: 'The response of the server is too large.',
} as const

export type OutboundProblem = keyof typeof outboundProblems

export class OutboundError extends Error {
  readonly problem: OutboundProblem

  constructor(problem: OutboundProblem) {
    super(outboundProblems[problem])
    this.problem = problem
  }
}

/** Without a cause, so that no log and no response shows the address of the connection. */
export function outboundErrorOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  return new OutboundError(problemOf((error as NodeJS.ErrnoException).code ?? ''))
}

function problemOf(code: string): OutboundProblem {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA'].includes(code)) return 'unknown_host'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'EPROTO' || /^ERR_SSL_|^ERR_TLS_HANDSHAKE/.test(code)) return 'no_tls'
  // Certificate error codes of OpenSSL and Node.
  if (/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$|^INVALID_(CA|PURPOSE)$/.test(code))
    return 'bad_certificate'
  return 'no_answer'
}
