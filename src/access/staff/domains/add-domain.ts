import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { DomainName, exampleDomain, ofDomains, SignInDomain, shownDomain } from './domain-fields.ts'
import { findDomain } from './domain-store.ts'
import { addDomains, readDomain } from './manage-domains.ts'

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
