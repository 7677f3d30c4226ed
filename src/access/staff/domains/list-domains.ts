import { endpoint, exampleIds } from '../../../contract/endpoint.ts'
import { OrganizationId } from '../../../contract/fields.ts'
import { Type } from '../../../contract/type.ts'
import '../console-context.ts'
import { exampleDomain, ofDomains, SignInDomain, shownDomain } from './domain-fields.ts'
import { listDomains } from './domain-store.ts'

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
