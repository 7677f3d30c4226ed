import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError, faulty, type InputFault } from '../../../contract/errors.ts'
import { described, Id, NullableString, namedObject, OrganizationId } from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Keyring } from '../../organizations/keyring.ts'
import type { Site } from '../console-context.ts'
import { DomainName } from '../domains/domains.ts'
import { addDomains, maxDomains, readDomain } from '../domains/manage-domains.ts'
import { roleNames } from '../roles.ts'
import { deleteVouchedSessions } from '../session-store.ts'
import {
  deleteProvider,
  findProvider,
  findProviderSecret,
  type Provider,
  putProvider,
  sealNameOf,
} from './provider-store.ts'
import { redirectAddressOf } from './redirect-address.ts'

const Url = Type.String({ format: 'line', minLength: 1, maxLength: 500 })

export const Issuer = described(Url, 'Address of the provider, without /.well-known')

const settings = {
  issuer: Issuer,
  client_id: described(Id, 'Client ID of this service at the provider'),
  email_domains: described(
    Type.Array(DomainName, { maxItems: maxDomains }),
    'Allowed e-mail domains; empty: every invited address. Only verified domains (console/domain) find the provider by an ' +
      'address and admit people without an invitation',
  ),
  trusts_emails: Type.Boolean({
    description: 'Whether an address counts as verified if the provider does not say so',
  }),
}

const ProviderSettings = namedObject('SignInProvider', {
  ...settings,
  issuer: described(Type.String(), '"" without a provider'),
  client_id: Type.String(),
  default_role: described(
    NullableString,
    'Role of people without an invitation; null: they are not admitted',
  ),
  redirect_uri: described(
    Type.String(),
    'Redirect URI to register at the provider; each organization has its own. "" if the public address of the service is not configured',
  ),
})

const shared = { group: 'Console', permission: 'admin' } as const
const corp_id = exampleIds.corp_id
const example: Static<typeof ProviderSettings> = {
  issuer: 'https://login.lakeside.example',
  client_id: 'matricula',
  email_domains: ['lakeside.example'],
  trusts_emails: false,
  default_role: null,
  redirect_uri: `https://matricula.example/sign-in/${corp_id}`,
}

export const fetchSignInProvider = endpoint({
  ...shared,
  id: 'fetchSignInProvider',
  method: 'GET',
  path: '/api/v5/console/provider/fetch',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the sign-in provider of the staff',
  description: 'Without a provider, `issuer` is "".',
  input: Type.Object({ corp_id: OrganizationId }),
  data: ProviderSettings,
  example: { input: { corp_id }, data: example },

  async handle({ db, organization, site }) {
    const { corp_id } = organization
    return shown((await findProvider(db, corp_id)) ?? { corp_id, ...none }, site)
  },
})

export const updateSignInProvider = endpoint({
  ...shared,
  id: 'updateSignInProvider',
  method: 'POST',
  path: '/api/v5/console/provider/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Set the sign-in provider of the staff',
  description:
    'OpenID Connect, authorization code with PKCE. Register the `redirect_uri` of console/provider/fetch at the provider: the ' +
    'public address of the service followed by /sign-in/{corp_id}. New domains need verification.',
  input: Type.Object({
    corp_id: OrganizationId,
    issuer: settings.issuer,
    client_id: settings.client_id,
    client_secret: Type.Optional(
      described(
        Url,
        'Client secret; stored sealed, never shown. If omitted, the stored secret of the same issuer and client stays',
      ),
    ),
    email_domains: Type.Optional(settings.email_domains),
    trusts_emails: Type.Optional(settings.trusts_emails),
    default_role: Type.Optional(
      Type.Unsafe<NonNullable<Provider['default_role']>>({
        type: 'string',
        enum: roleNames.filter((role) => role !== 'admin'),
        description:
          'Role of people of these domains without an invitation; if omitted, they are not admitted',
      }),
    ),
  }),
  rules: providerFaults,
  data: ProviderSettings,
  example: {
    input: {
      corp_id,
      issuer: example.issuer,
      client_id: example.client_id,
      client_secret: 'the secret of the client',
      email_domains: example.email_domains,
    },
    data: example,
  },

  async handle({ db, keyring, now, site }, input) {
    return shown(await setProvider(db, keyring, input, now), site)
  },
})

export const removeSignInProvider = endpoint({
  ...shared,
  id: 'removeSignInProvider',
  method: 'POST',
  path: '/api/v5/console/provider/remove',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Remove the sign-in provider',
  description: 'Ends all sessions that began there.',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({}),
  example: { input: { corp_id }, data: {} },
  errors: ['providerNotFound'],

  async handle({ db, organization }) {
    await removeProvider(db, organization.corp_id)
    return {}
  },
})

export interface WantedProvider {
  corp_id: string
  issuer: string
  client_id: string
  /** Absent: the stored one. */
  client_secret?: string
  email_domains?: string[]
  trusts_emails?: boolean
  default_role?: NonNullable<Provider['default_role']> | null
}

/** Sets the provider and adds its domains. A change of the issuer ends the sessions that began at the previous one. */
export async function setProvider(
  on: Queryable,
  keyring: Keyring,
  { client_secret, ...wanted }: WantedProvider,
  now: Date,
): Promise<Provider> {
  const faults = providerFaults(wanted)
  if (faults.length > 0) throw faulty(faults)
  const {
    corp_id,
    issuer,
    client_id,
    email_domains: named = [],
    trusts_emails = false,
    default_role = null,
  } = wanted
  const email_domains = await readDomains(named)
  const provider = { corp_id, issuer, client_id, email_domains, trusts_emails, default_role }
  await on.transaction(async (tx) => {
    const before = await findProvider(tx, corp_id)
    // The secret of one provider must not be sent to another.
    const isSame = before?.issuer === issuer && before.client_id === client_id
    const sealed = client_secret
      ? keyring.seal(sealNameOf(corp_id), client_secret)
      : isSame && (await findProviderSecret(tx, corp_id))
    if (!sealed) throw faulty([{ param: 'client_secret', reason: 'is required', missing: true }])
    await putProvider(tx, { ...provider, ...sealed }, now)
    await addDomains(tx, corp_id, email_domains, now)
    if (before && before.issuer !== issuer) await deleteVouchedSessions(tx, corp_id)
    tx.note({ record_type: 'sign_in_providers', record_id: corp_id, before, after: provider })
  })
  return provider
}

export async function removeProvider(on: Queryable, corp_id: string): Promise<void> {
  await on.transaction(async (tx) => {
    if (!(await deleteProvider(tx, corp_id))) throw new ApiError('providerNotFound')
    await deleteVouchedSessions(tx, corp_id)
  })
}

export function issuerFaults({ issuer }: { issuer?: string }): InputFault[] {
  if (issuer === undefined || isIssuer(issuer)) return []
  return [{ param: 'issuer', reason: 'must be an https address without a question mark or fragment' }]
}

function providerFaults({ issuer, email_domains, default_role }: Partial<WantedProvider>): InputFault[] {
  const faults = issuerFaults({ issuer })
  if (default_role && !email_domains?.length)
    faults.push({
      param: 'email_domains',
      reason: 'is required with default_role: without it, any address would be admitted',
    })
  return faults
}

/** http only for localhost, for tests; a setting decides whether it is called. */
function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.search || url.hash || url.username) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

async function readDomains(texts: string[]): Promise<string[]> {
  const domains = new Set<string>()
  for (const text of texts) domains.add(await readDomain('email_domains', text))
  return [...domains]
}

const none = { issuer: '', client_id: '', email_domains: [], trusts_emails: false, default_role: null }

function shown(provider: Provider, site: (() => Site) | undefined): Static<typeof ProviderSettings> {
  const { corp_id, issuer, client_id, email_domains, trusts_emails, default_role } = provider
  const redirect_uri = redirectUriOf(corp_id, site)
  return { issuer, client_id, email_domains, trusts_emails, default_role, redirect_uri }
}

/** "" if the public address of the service is not configured. */
function redirectUriOf(corp_id: string, site: (() => Site) | undefined): string {
  if (!site) return ''
  try {
    return redirectAddressOf(site().origin, corp_id)
  } catch (error) {
    if (error instanceof ApiError) return ''
    throw error
  }
}
