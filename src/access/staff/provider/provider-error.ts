import { OutboundError, outboundProblems } from '../../outbound/outbound-error.ts'

/** The problems of a provider, for administrators. Error texts of sockets and libraries are never shown. */
export const providerProblems = {
  ...outboundProblems,
  not_a_provider: 'The server does not respond as an OpenID Connect provider.',
  other_issuer: 'The provider names another issuer than this address.',
} as const

export type ProviderProblem = keyof typeof providerProblems

export class ProviderError extends Error {
  readonly problem: ProviderProblem

  constructor(problem: ProviderProblem) {
    super(providerProblems[problem])
    this.problem = problem
  }
}

/** Error codes of the library, which makes some of the same checks. */
const problemsOfCodes: Record<string, ProviderProblem> = {
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'not_https',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'other_issuer',
}

/** The library nests errors; the first known one decides. */
export function problemOf(error: unknown): ProviderProblem {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundError || each instanceof ProviderError) return each.problem
    const known = problemsOfCodes[String((each as { code?: string }).code)]
    if (known) return known
  }
  return 'not_a_provider'
}
