import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { DomainName, exampleDomain, ofDomains } from './domain-fields.ts'
import { normalDomain } from './domain-name.ts'
import { removeDomain } from './manage-domains.ts'

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
