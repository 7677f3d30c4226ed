import { asIso, data, type Json, type Mutation, movedLocal, rows } from './mutation.ts'

const list = 'order/list'
const financial = 'order/financial/list'
const slotNames =
  'id status source currency charge_id comments completed_time price exchange_rate receipt_num'.split(' ')

export const orderMutations: Mutation[] = [
  {
    what: 'total_price as a String',
    of: 'order/fetch',
    only: 'order/fetch data total_price',
    ...data((d) => {
      d.total_price = String(d.total_price)
    }),
  },
  {
    what: 'no sub_orders',
    of: 'order/fetch',
    only: 'order/fetch data sub_orders',
    ...data((d) => {
      delete d.sub_orders
    }),
  },
  {
    what: 'paid_price is one unit off',
    of: 'order/fetch',
    only: 'agrees',
    ...data((d) => {
      d.paid_price++
    }),
  },
  {
    what: 'an instalment is missing',
    of: 'order/fetch',
    only: 'order/fetch sub_orders',
    ...data((d) => {
      d.sub_orders.pop()
    }),
  },
  {
    what: 'version as an Integer',
    of: list,
    only: 'order/list row version',
    ...rows((row) => {
      row.version = Number(row.version)
    }),
  },
  {
    what: 'an extra null: currency of one row',
    of: list,
    only: 'order/list row currency',
    ...data((d) => {
      d.list.at(-1).currency = null
    }),
  },
  {
    what: 'a price with a fraction',
    of: list,
    only: 'order/list row unpaid_price',
    ...rows((row) => {
      row.unpaid_price += 0.5
    }),
  },
  {
    what: 'one row misses user_nationality',
    of: list,
    only: 'order/list row user_nationality',
    ...data((d) => {
      delete d.list.at(-1)?.user_nationality
    }),
  },
  {
    what: 'share_proportion as a List',
    of: list,
    only: 'order/list row share_proportion',
    ...rows((row) => {
      row.share_proportion = []
    }),
  },
  {
    what: 'pages count from 1',
    of: list,
    only: 'order/list pages',
    call: ({ query }) => {
      if (query.has('page')) query.set('page', String(Math.max(0, Number(query.get('page')) - 1)))
    },
  },
  {
    what: 'page in the response counts from 1',
    of: list,
    only: 'order/list pages',
    ...data((d) => {
      d.page++
    }),
  },
  {
    what: 'the last row of a page is missing',
    of: list,
    only: 'order/list pages',
    ...data((d, { query }) => {
      if (query.get('page_size') === '2') d.list.pop()
    }),
  },
  {
    what: 'the default of page_size is 20',
    of: list,
    only: 'parameter page_size default',
    call: ({ query }) => {
      if (!query.has('page_size')) query.set('page_size', '20')
    },
  },
  {
    what: 'the default of page is 1',
    of: list,
    only: 'parameter page default',
    call: ({ query }) => {
      if (!query.has('page')) query.set('page', '1')
    },
  },
  {
    what: 'the page limit is not enforced',
    of: list,
    only: 'order/list parameter page_size',
    call: ({ query }) => {
      if (Number(query.get('page_size')) > 1000) query.set('page_size', '1000')
    },
  },
  {
    what: 'a page of 1,000 rows is refused',
    of: list,
    only: 'parameter page_size maximum',
    call: ({ query }) => {
      if (query.get('page_size') === '1000') query.set('page_size', '2000')
    },
  },
  {
    what: 'total counts the page',
    of: list,
    only: 'order/list total',
    ...data((d) => {
      d.total = d.list.length
    }),
  },
  {
    what: 'total is one too high',
    of: list,
    only: 'order/list total',
    ...data((d) => {
      d.total++
    }),
  },
  {
    what: 'total as a String',
    of: list,
    only: 'order/list data total',
    ...data((d) => {
      d.total = String(d.total)
    }),
  },
  {
    what: 'newest first',
    of: list,
    only: 'order/list order by create',
    ...data((d) => {
      d.list.reverse()
    }),
  },
  {
    what: 'status is ignored',
    of: list,
    only: 'order/list only success',
    call: ({ query }) => query.delete('status'),
  },
  {
    what: 'status as a filter misses one order',
    of: list,
    only: 'order/list only pending',
    ...data((d, { query }) => {
      if (query.has('status')) {
        d.list.pop()
        d.total--
      }
    }),
  },
  {
    what: 'the end day does not belong to the range',
    of: list,
    only: 'order/list days by create',
    call: ({ query }) => {
      if (query.has('end_date'))
        query.set('end_date', movedLocal(`${query.get('end_date')} 00:00:00`, -1440).slice(0, 10))
    },
  },
  {
    what: 'the range is ignored',
    of: list,
    only: 'order/list range by create',
    call: ({ query }) => {
      query.delete('start_date')
      query.delete('end_date')
    },
  },
  {
    what: 'the default of time_range_type is modify',
    of: list,
    only: 'order/list parameter time_range_type default',
    call: ({ query }) => {
      if (!query.has('time_range_type')) query.set('time_range_type', 'modify')
    },
  },
  {
    what: 'modify means create',
    of: list,
    only: 'order/list range by modify',
    call: ({ query }) => query.set('time_range_type', 'create'),
  },
  {
    what: 'mtime as ISO 8601',
    of: list,
    only: 'order/list mtime format',
    ...rows((row) => {
      row.mtime = asIso(row.mtime)
    }),
  },
  {
    what: 'an order of another organization',
    of: list,
    only: 'order/list organization',
    ...data((d) => {
      d.list.at(-1).corp_id = 'another'
    }),
  },
  {
    what: 'data is the list itself',
    of: list,
    only: 'order/list data',
    answer: ({ body }) => {
      body.data = body.data.list
    },
  },
  {
    what: 'a ninth status',
    of: list,
    only: 'status words',
    ...rows((row) => {
      row.status = row.status === 'success' ? 'completed' : row.status
    }),
  },
  {
    what: 'an unknown status is taken',
    of: list,
    only: 'order/list parameter status unknown',
    call: ({ query }) => query.delete('status'),
  },
  {
    what: 'an Integer with letters is taken',
    of: list,
    only: 'order/list parameter page type',
    call: ({ query }) => {
      if (query.get('page') === 'seven') query.delete('page')
    },
  },
  {
    what: 'a source of its own',
    of: list,
    only: 'type and source',
    ...rows((row) => {
      row.source = 'OpenAPI'
    }),
  },
  {
    what: 'prices as Strings',
    of: financial,
    only: 'financial/list row total_price',
    ...rows((row) => {
      row.total_price = row.total_price.toFixed(2)
    }),
  },
  {
    what: 'fourteen payment slots',
    of: financial,
    only: 'payment slots',
    ...rows((row) => {
      for (const name of slotNames) delete row[`payment15_${name}`]
    }),
  },
  {
    what: 'sixteen payment slots',
    of: financial,
    only: 'payment slots',
    ...rows((row) => {
      for (const name of slotNames) row[`payment16_${name}`] = null
    }),
  },
  {
    what: 'empty texts in unused slots',
    of: financial,
    only: 'unused slots',
    ...rows((row) => {
      row.payment15_comments ??= ''
    }),
  },
  {
    what: 'minor units',
    of: financial,
    only: 'financial/list unit',
    ...rows((row) => {
      row.total_price *= 100
    }),
  },
  {
    what: 'receipt_num as a String',
    of: financial,
    only: 'row payment1_receipt_num',
    ...rows((row) => {
      row.payment1_receipt_num &&= String(row.payment1_receipt_num)
    }),
  },
  {
    what: 'modity is refused',
    of: financial,
    only: 'time_range_type = modity',
    call: ({ query }) => {
      if (query.get('time_range_type') === 'modity') query.set('time_range_type', 'modit')
    },
  },
  {
    what: 'newest first',
    of: financial,
    only: 'financial/list order by modify',
    ...data((d) => {
      d.list.reverse()
    }),
  },
  { what: 'pages overlap by a row', of: financial, only: 'financial/list pages', ...overlapping() },
]

/** Each page begins with the last row of the page before. */
function overlapping(): Pick<Mutation, 'answer'> {
  let last: Json
  return data((d) => {
    const rowsOfPage = d.list
    if (last && d.page > 0) d.list = [last, ...rowsOfPage.slice(0, -1)]
    last = rowsOfPage.at(-1)
  })
}
