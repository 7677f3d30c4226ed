import { Type } from 'typebox'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { exampleIds } from '../../../contract/example-ids.ts'
import { described, OrganizationId, oneOf } from '../../../contract/fields.ts'
import '../console-context.ts'
import { Issuer, issuerFaults } from './manage-provider.ts'
import { discoverInTurn } from './openid.ts'
import { type ProviderProblem, problemOf, providerProblems } from './provider-error.ts'

const reasons = Object.keys(providerProblems) as ProviderProblem[]

/** Asks a provider what it is, before anybody depends on it. */
export const checkSignInProvider = endpoint({
  id: 'checkSignInProvider',
  method: 'GET',
  path: '/api/v5/console/provider/check',
  group: 'Console',
  since: 'Ver5.2026-11-15',
  permission: 'admin',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Ask whether there is a sign-in provider at an address',
  description: 'Nothing is stored, and no secret sent.',
  input: Type.Object({ corp_id: OrganizationId, issuer: Issuer }),
  rules: issuerFaults,
  data: Type.Object({
    is_answering: Type.Boolean(),
    problem: described(Type.String(), 'One sentence; "" where it answers as it should'),
    reason: oneOf(['', ...reasons], 'The problem as a word'),
    authorization_endpoint: described(Type.String(), 'Where it will send people who sign in'),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      issuer: 'https://login.lakeside.example',
    },
    data: {
      ...{ is_answering: true, problem: '', reason: '' },
      authorization_endpoint: 'https://login.lakeside.example/auth',
    },
  },

  async handle({ organization, allowsPrivateProviders = false }, { issuer }) {
    const asked = { corp_id: organization.corp_id, issuer, allowsPrivate: allowsPrivateProviders }
    const { reason, authorization_endpoint = '' } = await askProvider(asked)
    const problem = reason === undefined ? '' : providerProblems[reason]
    return {
      is_answering: reason === undefined,
      problem,
      reason: reason ?? ('' as const),
      authorization_endpoint,
    }
  },
})

/** The address where people sign in, or the reason why there is no provider. */
export async function askProvider({
  corp_id,
  issuer,
  allowsPrivate,
}: {
  corp_id: string
  issuer: string
  allowsPrivate: boolean
}): Promise<{ reason?: ProviderProblem; authorization_endpoint?: string }> {
  const rest = { email_domains: [], trusts_emails: false, default_role: null, redirectUri: '' }
  // Only what the provider says of itself is read: it is told neither who asks nor a secret.
  const access = { corp_id, issuer, allowsPrivate, ...rest, client_id: 'check', client_secret: 'check' }
  try {
    const { authorization_endpoint } = (await discoverInTurn(access)).serverMetadata()
    return { authorization_endpoint: authorization_endpoint! }
  } catch (error) {
    // Too many ask at this moment: that says nothing of the provider.
    if (error instanceof ApiError) throw error
    return { reason: problemOf(error) }
  }
}
