import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { described, OrganizationId } from '../../contract/fields.ts'
import '../console-context.ts'
import { Issuer, issuerFaults } from './manage-provider.ts'
import { discoverInTurn } from './openid.ts'

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
    problem: described(Type.String(), '"" where it answers as it should'),
    authorization_endpoint: described(Type.String(), 'Where it will send people who sign in'),
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      issuer: 'https://login.lakeside.example',
    },
    data: {
      ...{ is_answering: true, problem: '' },
      authorization_endpoint: 'https://login.lakeside.example/auth',
    },
  },

  async handle({ organization, allowsPrivateProviders = false }, { issuer }) {
    const asked = { corp_id: organization.corp_id, issuer, allowsPrivate: allowsPrivateProviders }
    const { problem = '', authorization_endpoint = '' } = await askProvider(asked)
    return { is_answering: problem === '', problem, authorization_endpoint }
  },
})

/** Where it sends people, or why it is none. */
export async function askProvider({
  corp_id,
  issuer,
  allowsPrivate,
}: {
  corp_id: string
  issuer: string
  allowsPrivate: boolean
}): Promise<{ problem?: string; authorization_endpoint?: string }> {
  const rest = { email_domains: [], trusts_emails: false, default_role: null, redirectUri: '' }
  // Only what the provider says of itself is read: it is told neither who asks nor a secret.
  const access = { corp_id, issuer, allowsPrivate, ...rest, client_id: 'check', client_secret: 'check' }
  try {
    const { authorization_endpoint } = (await discoverInTurn(access)).serverMetadata()
    if (authorization_endpoint !== undefined) return { authorization_endpoint }
    return { problem: 'It does not say where people sign in' }
  } catch (error) {
    const cause = (error as Error).cause
    return { problem: (cause instanceof Error ? cause : (error as Error)).message.replace(/\.$/, '') }
  }
}
