import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, namedObject, oneOf, oneOfOr, optionalLine, Timestamp } from '../../contract/fields.ts'
import { pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { fullName } from '../../people/users/full-name.ts'
import { examplePage, figureRowsOf } from '../figure-rows.ts'
import { cohortsOf, funnelQuestion, rangeIsBounded } from './funnel.ts'
import { readFunnelLeads, stages } from './funnel-store.ts'

const FunnelLead = namedObject('FunnelLead', {
  lead_id: Id,
  user_id: Id,
  user_name: Type.String(),
  utm_source: Type.String(),
  campaign: Type.String(),
  order_id: described(Type.String(), 'The first order of the lead'),
  leads_at: Timestamp,
  contacted_at: Timestamp,
  ordered_at: Timestamp,
  paid_at: Timestamp,
  enrolled_at: Timestamp,
})

/** The leads behind a figure of the funnel. */
export const listFunnelLeads = endpoint({
  id: 'listFunnelLeads',
  method: 'GET',
  path: '/api/v5/entity/numbers/funnel/rows',
  group: 'Numbers',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List the leads of a figure of the funnel',
  description:
    'Takes the query of numbers/funnel, for one stage and one key; without a key, for the total. `value` is the figure: ' +
    'the number of leads on all pages.',
  input: Type.Object({
    ...funnelQuestion,
    stage: oneOf(stages, 'The stage of the figure'),
    key: optionalLine(undefined, 'The key of the figure; omitted: the total'),
    unnamed: Type.Optional(
      Type.Boolean({ description: 'Selects the leads without a value, whose key is ""' }),
    ),
    year: oneOfOr('this', ['this', 'last'], 'The given days, or the same days one year earlier'),
    ...pageParameters,
  }),
  rules: rangeIsBounded,
  data: figureRowsOf(FunnelLead),
  example: {
    input: {
      corp_id: 'lakeside',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      by: 'channel',
      stage: 'paid',
      key: 'open-day',
    },
    data: {
      as_of: '2026-11-15T09:30:00.000000Z',
      value: 1,
      ...examplePage,
      list: [
        {
          lead_id: '0198c0de88887c41a2f0d8e6b4937215',
          user_id: '019672b93ea877f0b98a30ed5184dccd',
          user_name: '林晓',
          utm_source: 'open-day',
          campaign: 'autumn',
          order_id: '01a00491d4087169b3c88f8f9813ae4a',
          leads_at: '2026-10-02 10:00:00',
          contacted_at: '2026-10-03 15:20:00',
          ordered_at: '2026-10-10 18:05:12',
          paid_at: '2026-10-11 09:30:00',
          enrolled_at: '',
        },
      ],
    },
  },

  async handle(context, { by = 'month', stage, key: named, unnamed, year = 'this', ...input }) {
    const { page, page_size, limit, offset } = windowOf(input)
    const key = unnamed ? '' : named
    const { now, lastYear } = await cohortsOf(context, { ...input, by })
    const cohort = year === 'this' ? now : lastYear
    const { total, leads } = await readFunnelLeads(context.db, cohort, { by, stage, key }, { limit, offset })
    const list = leads.map(({ name, first_name, last_name, ...lead }) => ({
      ...lead,
      user_name: fullName({ name, first_name, last_name }),
    }))
    return { as_of: cohort.asOf, value: total, total, page, page_size, list }
  },
})
