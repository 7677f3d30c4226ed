import { type Static, Type } from 'typebox'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError, faulty, type InputFault } from '../../../contract/errors.ts'
import { exampleIds } from '../../../contract/example-ids.ts'
import { described, Id, NullableString, namedObject, OrganizationId } from '../../../contract/fields.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Keyring } from '../../organizations/keyring.ts'
import type { Site } from '../console-context.ts'
import { DomainName } from '../domains/domain-fields.ts'
import { addDomains, mostDomains, readDomain } from '../domains/manage-domains.ts'
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

export const Issuer = described(Url, 'Where the provider describes itself: its address without /.well-known')

const settings = {
  issuer: Issuer,
  client_id: described(Id, 'What the provider calls this service'),
  email_domains: described(
    Type.Array(DomainName, { maxItems: mostDomains }),
    'The domains that addresses must have; none: every address that was invited. Only verified ones find the provider by an ' +
      'address and let people in who were not invited (console/domain)',
  ),
  trusts_emails: Type.Boolean({
    description: 'Whether addresses count as verified where the provider does not say so',
  }),
}

const ProviderSettings = namedObject('SignInProvider', {
  ...settings,
  issuer: described(Type.String(), '"" where there is no provider'),
  client_id: Type.String(),
  default_role: described(
    NullableString,
    'What somebody becomes who was not invited; null: nobody is let in',
  ),
  redirect_uri: described(
    Type.String(),
    'The address that the provider must know as redirect URI: each organization has its own. "" where nobody has said at which address browsers reach the service',
  ),
})

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const
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
  summary: 'Show the provider that staff sign in by',
  description: 'Where there is none, issuer is "".',
  input: Type.Object({ corp_id: OrganizationId }),
  data: ProviderSettings,
  example: { input: { corp_id }, data: example },

  async handle({ db, organization, site }) {
    const { corp_id } = organization
    return shown((await findProvider(db, corp_id)) ?? { corp_id, ...none }, site!)
  },
})

export const updateSignInProvider = endpoint({
  ...shared,
  id: 'updateSignInProvider',
  method: 'POST',
  path: '/api/v5/console/provider/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Set the provider that staff sign in by',
  description:
    'By OpenID Connect: authorization code with PKCE. Register redirect_uri at the provider exactly as console/provider/fetch ' +
    'answers it: the address at which browsers reach the service, with /sign-in/{corp_id} behind it. Domains that are new wait ' +
    'for verification.',
  input: Type.Object({
    corp_id: OrganizationId,
    issuer: settings.issuer,
    client_id: settings.client_id,
    client_secret: Type.Optional(
      described(
        Url,
        'What the provider gave this service to prove itself; sealed, never shown. Left out: the one of before, of the same issuer and client',
      ),
    ),
    email_domains: Type.Optional(settings.email_domains),
    trusts_emails: Type.Optional(settings.trusts_emails),
    default_role: Type.Optional(
      Type.Unsafe<NonNullable<Provider['default_role']>>({
        type: 'string',
        enum: roleNames.filter((role) => role !== 'admin'),
        description: 'What somebody of these domains becomes who was not invited; left out: nobody is let in',
      }),
    ),
  }),
  rules: providerFaults,
  data: ProviderSettings,
  example: {
    input: {
      ...{ corp_id, issuer: example.issuer, client_id: example.client_id },
      ...{ client_secret: 'the secret of the client', email_domains: example.email_domains },
    },
    data: example,
  },

  async handle({ db, keyring, now, site }, input) {
    return shown(await setProvider(db, keyring, input, now), site!)
  },
})

export const removeSignInProvider = endpoint({
  ...shared,
  id: 'removeSignInProvider',
  method: 'POST',
  path: '/api/v5/console/provider/remove',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Let nobody sign in by the provider any more',
  description: 'Sessions that it vouched for end.',
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
  /** Absent: that of before. */
  client_secret?: string
  email_domains?: string[]
  trusts_emails?: boolean
  default_role?: NonNullable<Provider['default_role']> | null
}

/**
 * Sets the provider, and names its domains. Another provider speaks for other people: sessions that the one before vouched for
 * end.
 */
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
    // What one provider was given must not go to another.
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
      reason: 'is required with default_role: else anybody could come in',
    })
  return faults
}

/** Without TLS on this machine only, for trying things out; whether such a one is called, a setting decides. */
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

function shown(provider: Provider, site: () => Site): Static<typeof ProviderSettings> {
  const { corp_id, issuer, client_id, email_domains, trusts_emails, default_role } = provider
  const redirect_uri = redirectUriOf(corp_id, site)
  return { issuer, client_id, email_domains, trusts_emails, default_role, redirect_uri }
}

/** Settings can be looked at from an address that nobody has named; a provider cannot send people there. */
function redirectUriOf(corp_id: string, site: () => Site): string {
  try {
    return redirectAddressOf(site().origin, corp_id)
  } catch (error) {
    if (error instanceof ApiError) return ''
    throw error
  }
}
