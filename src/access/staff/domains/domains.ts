import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { described, namedObject, OrganizationId, oneOf, Timestamp } from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { maxDomainLength, normalDomain } from './domain-name.ts'
import { type DomainState, findDomain, listDomains } from './domain-store.ts'
import { recordOf, recordProblems } from './look-up-record.ts'
import { addDomains, readDomain, removeDomain, verifyByRecord } from './manage-domains.ts'

export const DomainName = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: maxDomainLength,
  description: 'A domain of e-mail addresses, such as lakeside.example',
})

const SignInDomain = namedObject('SignInDomain', {
  domain: Type.String(),
  is_verified: Type.Boolean({ description: 'Whether the domain is verified and in effect' }),
  verified_by: oneOf(['', 'dns', 'operator'], 'dns: by the TXT record; operator: by command line'),
  verified_at: described(Timestamp, 'Time of verification; "" before'),
  requested_at: Timestamp,
  record_name: described(Type.String(), 'Name of the TXT record that verifies the domain'),
  record_value: described(Type.String(), 'Value of the TXT record'),
})

export function shownDomain(state: DomainState): Static<typeof SignInDomain> {
  const { domain, token, requested_at, verified_at, verified_by } = state
  const { name, value } = recordOf(domain, token)
  return {
    domain,
    is_verified: verified_by !== '',
    verified_by,
    verified_at,
    requested_at,
    record_name: name,
    record_value: value,
  }
}

const exampleDomain: Static<typeof SignInDomain> = {
  domain: 'lakeside.example',
  is_verified: false,
  verified_by: '',
  verified_at: '',
  requested_at: '2026-11-17 09:30:00',
  record_name: '_matricula.lakeside.example',
  record_value: 'matricula-verification=Zk3v9Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBnM12',
}

const ofDomains = { group: 'Console', since: 'Ver5.2026-11-17', permission: 'admin' } as const

export const verifySignInDomain = endpoint({
  ...ofDomains,
  id: 'verifySignInDomain',
  method: 'POST',
  path: '/api/v5/console/domain/verify',
  guard: { effect: 'grants', people: 'none' },
  callsOut: true,
  summary: 'Verify an e-mail domain by its TXT record',
  description:
    'Looks the TXT record up. If it exists, the domain belongs to the organization: addresses of the domain find its sign-in ' +
    'provider. A domain belongs to one organization.',
  input: Type.Object({ corp_id: OrganizationId, domain: DomainName }),
  data: Type.Object({
    ...SignInDomain.properties,
    problem: oneOf(
      ['', ...recordProblems],
      'Reason: no TXT record, only other records, or no response from the name servers',
    ),
  }),
  example: {
    input: { corp_id: exampleIds.corp_id, domain: exampleDomain.domain },
    data: { ...exampleDomain, problem: 'not_found' },
  },
  errors: ['domainNotFound', 'taken', 'tooManyRequests', 'unavailable'],

  async handle({ db, organization, now, dnsServers = [] }, input) {
    const { corp_id, time_zone } = organization
    const domain = normalDomain(input.domain)
    const problem = await verifyByRecord(db, corp_id, domain, dnsServers, now)
    const found = await findDomain(db, { corp_id, domain }, time_zone)
    if (!found) throw new ApiError('domainNotFound')
    return { ...shownDomain(found), problem: problem ?? ('' as const) }
  },
})

export const addSignInDomain = endpoint({
  ...ofDomains,
  id: 'addSignInDomain',
  method: 'POST',
  path: '/api/v5/console/domain/add',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Add an e-mail domain of the organization',
  description:
    'The domain takes effect after verification: publish the TXT record, then call console/domain/verify. An existing ' +
    'domain keeps its record.',
  input: Type.Object({ corp_id: OrganizationId, domain: DomainName }),
  data: SignInDomain,
  example: { input: { corp_id: exampleIds.corp_id, domain: exampleDomain.domain }, data: exampleDomain },

  async handle({ db, organization, now }, input) {
    const { corp_id, time_zone } = organization
    const domain = await readDomain('domain', input.domain)
    await addDomains(db, corp_id, [domain], now)
    const added = await findDomain(db, { corp_id, domain }, time_zone)
    if (!added) throw new ApiError('domainNotFound')
    return shownDomain(added)
  },
})

export const removeSignInDomain = endpoint({
  ...ofDomains,
  id: 'removeSignInDomain',
  method: 'POST',
  path: '/api/v5/console/domain/remove',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Remove an e-mail domain of the organization',
  description:
    'Takes effect at once: addresses of the domain no longer find the sign-in provider, and no new person joins with one.',
  input: Type.Object({ corp_id: OrganizationId, domain: DomainName }),
  data: Type.Object({}),
  example: { input: { corp_id: exampleIds.corp_id, domain: exampleDomain.domain }, data: {} },
  errors: ['domainNotFound'],

  async handle({ db, organization }, input) {
    await removeDomain(db, organization.corp_id, normalDomain(input.domain))
    return {}
  },
})

export const listSignInDomains = endpoint({
  ...ofDomains,
  id: 'listSignInDomains',
  method: 'GET',
  path: '/api/v5/console/domain/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the e-mail domains of the organization',
  description: 'Each with its TXT record. A domain takes effect after verification.',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(SignInDomain) }),
  example: { input: { corp_id: exampleIds.corp_id }, data: { list: [exampleDomain] } },

  async handle({ db, organization }) {
    const { corp_id, time_zone } = organization
    return { list: (await listDomains(db, corp_id, time_zone)).map(shownDomain) }
  },
})
