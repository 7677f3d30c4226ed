import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { OrganizationId, oneOf } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { DomainName, exampleDomain, ofDomains, SignInDomain, shownDomain } from './domain-fields.ts'
import { normalDomain } from './domain-name.ts'
import { findDomain } from './domain-store.ts'
import { recordProblems } from './look-up-record.ts'
import { verifyByRecord } from './manage-domains.ts'

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
