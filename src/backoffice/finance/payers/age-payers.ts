import { endpoint, type OrganizationContext } from '../../../contract/endpoint.ts'
import { described, IsoInstant, Money, namedObject, OrganizationId } from '../../../contract/fields.ts'
import { pageOf, pageParameters, windowOf } from '../../../contract/paging.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { exampleCorp, examplePayer, payerOperation } from '../../../orders/payers/payer-row.ts'
import { type OwedByPayer, readOwedByPayer } from '../ageing-store.ts'
import { AsOf, asOfInstant } from '../as-of.ts'

const Text = Type.String()

const PayerDebts = namedObject('PayerDebts', {
  payer_id: described(Text, '"" where the person of the order pays'),
  payer_name: Text,
  user_id: described(Text, 'The person, where there is no payer'),
  user_name: Text,
  currency: Text,
  orders: Type.Integer({ description: 'Orders with an unpaid amount' }),
  outstanding: Money,
  not_due: described(Money, 'With a future deadline, or none'),
  days_0_30: described(Money, 'Overdue for at most 30 days'),
  days_31_60: Money,
  days_61_90: Money,
  days_over_90: Money,
})

/** Outstanding amounts by payer and age. */
export const agePayers = endpoint({
  ...payerOperation,
  id: 'agePayers',
  method: 'GET',
  path: '/api/v5/entity/finance/ageing/payers',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List outstanding amounts by payer and age',
  description:
    'An order belongs to the payer of the last payment for it that names one, and otherwise to its person. The largest debt ' +
    'comes first. The sums of a currency equal those of finance/ageing.',
  input: Type.Object({ corp_id: OrganizationId, as_of: Type.Optional(AsOf), ...pageParameters }),
  data: Type.Object({ as_of: IsoInstant, ...pageOf(PayerDebts).properties }),
  example: {
    input: { corp_id: exampleCorp, as_of: '2026-11-01' },
    data: {
      as_of: '2026-11-01T23:59:59.999999Z',
      total: 1,
      page: 0,
      page_size: 10,
      list: [
        {
          payer_id: examplePayer.payer_id,
          payer_name: examplePayer.name,
          user_id: '',
          user_name: '',
          currency: 'CNY',
          orders: 2,
          outstanding: 1_200_000,
          not_due: 900_000,
          days_0_30: 300_000,
          days_31_60: 0,
          days_61_90: 0,
          days_over_90: 0,
        },
      ],
    },
  },

  async handle(context, { as_of: wanted, ...input }) {
    const { page, page_size, offset } = windowOf(input)
    const { as_of, list } = await payersOwing(context, wanted)
    return { as_of, total: list.length, page, page_size, list: list.slice(offset, offset + page_size) }
  },
})

export async function payersOwing(
  context: Pick<OrganizationContext, 'db' | 'organization'>,
  wanted: string | undefined,
): Promise<{ as_of: string; list: Static<typeof PayerDebts>[] }> {
  const { corp_id, time_zone } = context.organization
  const as_of = await asOfInstant(context, wanted)
  const owed: OwedByPayer[] = await readOwedByPayer(context.db, corp_id, as_of, time_zone)
  return { as_of, list: owed }
}
