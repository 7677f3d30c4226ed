import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, OrganizationId, oneOf } from '../../../contract/fields.ts'
import { namesOf } from '../../../contract/record-of.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { Issuer, issuerFaults } from './manage-provider.ts'
import { discoverInTurn, type ProviderProblem, problemOf, providerProblems } from './openid.ts'

const reasons = namesOf(providerProblems)

/** Checks a provider before it is used. */
export const checkSignInProvider = endpoint({
  id: 'checkSignInProvider',
  method: 'GET',
  path: '/api/v5/console/provider/check',
  group: 'Console',
  permission: 'admin',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Check whether an address has a sign-in provider',
  description: 'Stores nothing and sends no secret.',
  input: Type.Object({ corp_id: OrganizationId, issuer: Issuer }),
  rules: issuerFaults,
  data: Type.Object({
    is_answering: Type.Boolean(),
    problem: described(Type.String(), 'One sentence; "" if the provider works'),
    reason: oneOf(['', ...reasons], 'The problem as a code'),
    authorization_endpoint: described(Type.String(), 'Address where people sign in'),
  }),
  example: {
    input: {
      corp_id: exampleIds.corp_id,
      issuer: 'https://login.lakeside.example',
    },
    data: {
      is_answering: true,
      problem: '',
      reason: '',
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
  // Discovery alone: the provider receives neither the client nor a secret.
  const access = { corp_id, issuer, allowsPrivate, ...rest, client_id: 'check', client_secret: 'check' }
  try {
    const { authorization_endpoint = '' } = (await discoverInTurn(access)).serverMetadata()
    return { authorization_endpoint }
  } catch (error) {
    // The queue of this server is full: no statement about the provider.
    if (error instanceof ApiError) throw error
    return { reason: problemOf(error) }
  }
}
