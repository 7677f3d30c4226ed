import { Type } from 'typebox'
import { endpoint } from '../../../contract/endpoint.ts'
import { OrganizationId } from '../../../contract/fields.ts'
import '../console-context.ts'
import {
  DomainName,
  exampleCorpId,
  exampleDomain,
  ofDomains,
  SignInDomain,
  shownDomain,
} from './domain-fields.ts'
import { findDomain } from './domain-store.ts'
import { addDomains, readDomain } from './manage-domains.ts'

export const addSignInDomain = endpoint({
  ...ofDomains,
  id: 'addSignInDomain',
  method: 'POST',
  path: '/api/v5/console/domain/add',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Name an e-mail domain of the organization',
  description:
    'It takes effect once it is verified: publish the TXT record, then call console/domain/verify. One that is there already ' +
    'keeps its record.',
  input: Type.Object({ corp_id: OrganizationId, domain: DomainName }),
  data: SignInDomain,
  example: { input: { corp_id: exampleCorpId, domain: exampleDomain.domain }, data: exampleDomain },

  async handle({ db, organization, now }, input) {
    const { corp_id, time_zone } = organization
    const domain = await readDomain('domain', input.domain)
    await addDomains(db, corp_id, [domain], now)
    return shownDomain((await findDomain(db, { corp_id, domain }, time_zone))!)
  },
})
