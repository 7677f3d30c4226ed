import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, Id, Name, namedObject, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'

const DescribedOrganization = namedObject('Organization', {
  corp_id: Id,
  name: Name,
  time_zone: described(Type.String(), 'IANA zone of the timestamps and days of its records'),
  currency: described(Type.String(), 'ISO 4217 code of prices without a currency'),
  country: described(Type.String(), 'ISO 3166 code of mobile numbers without a calling code'),
  pools: Type.Array(Type.String(), { description: 'The pools that its users can be in, in order' }),
})

/** The facts about the organization that a program needs to read its records. */
export const describeOrganization = endpoint({
  id: 'describeOrganization',
  method: 'GET',
  path: '/api/v5/entity/organization/fetch',
  group: 'Organizations',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: DescribedOrganization,
  example: {
    input: { corp_id: exampleIds.corp_id },
    data: {
      corp_id: exampleIds.corp_id,
      name: 'Northgate College',
      time_zone: 'Asia/Shanghai',
      currency: 'CNY',
      country: 'CN',
      pools: ['alive', 'dead', 'public'],
    },
  },

  async handle({ organization }) {
    const { corp_id, name, time_zone, currency, country, pools } = organization
    return { corp_id, name, time_zone, currency, country, pools }
  },
})
