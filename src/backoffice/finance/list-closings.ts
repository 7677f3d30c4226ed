import { endpoint } from '../../contract/endpoint.ts'
import { described, namedObject, OrganizationId } from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { closePeriod } from './close-period.ts'
import { ClosingDocument, ClosingReversal } from './closing.ts'
import { findClosings } from './closing-store.ts'

const { corp_id } = closePeriod.example.input

const ListedClosing = namedObject('ListedClosing', {
  ...ClosingDocument.properties,
  reversal: Type.Optional(described(ClosingReversal, 'Absent while the closing is in force')),
})

/** Closed periods. */
export const listClosings = endpoint({
  id: 'listClosings',
  method: 'GET',
  path: '/api/v5/entity/finance/closing/list',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List closings, the newest first',
  description: 'A reversed closing stays in the list, with its reversal.',
  input: Type.Object({ corp_id: OrganizationId, ...pageParameters }),
  data: pageOf(ListedClosing),
  example: {
    input: { corp_id },
    data: examplePage(closePeriod.example.data),
  },

  async handle({ db }, input) {
    const { page, page_size, limit, offset } = windowOf(input)
    const { total, closings } = await findClosings(db, input.corp_id, { limit, offset })
    return { total, page, page_size, list: closings.map(listed) }
  },
})

/** A stored closing with its reversal. */
export function listed({ document, reversal }: { document: string; reversal: string | null }) {
  return { ...JSON.parse(document), ...(reversal !== null && { reversal: JSON.parse(reversal) }) }
}
