import { asIso, data, failures, type Mutation, moved, movedLocal, rows } from './mutation.ts'

const token = 'authentication/token'
const verify = 'authentication/verify'

let lastToken = ''

export const tokenMutations: Mutation[] = [
  {
    what: 'a token lives one hour',
    of: token,
    only: 'lives two hours',
    ...data((d) => {
      d.expire_time = moved(d.expire_time, -60)
    }),
  },
  {
    what: 'expire_time without fractional seconds',
    of: token,
    only: 'expire_time format',
    ...data((d) => {
      d.expire_time = d.expire_time.replace(/\.\d+/, '')
    }),
  },
  {
    what: 'a slow clock: expire_time',
    of: token,
    only: 'lives two hours',
    ...data((d) => {
      d.expire_time = moved(d.expire_time, -10)
    }),
  },
  {
    what: 'no expire_time',
    of: token,
    only: `${token} data`,
    ...data((d) => {
      delete d.expire_time
    }),
  },
  {
    what: 'a wrong signature gets a token',
    of: token,
    only: 'wrong signature',
    ...failures((answer) => {
      answer.body = {
        code: 0,
        msg: 'success',
        data: { token: 'x', expire_time: moved(new Date().toISOString(), 120) },
      }
    }),
  },
  {
    what: 'a token request without app_id is refused',
    of: token,
    only: 'body of the table',
    call: ({ body }) => {
      delete body.user_id
    },
  },
  {
    what: 'a slow clock: verification',
    of: verify,
    only: 'time is now',
    ...data((d) => {
      d.time = moved(d.time, -10)
    }),
  },
  {
    what: 'time as a record timestamp',
    of: verify,
    only: 'time format',
    ...data((d) => {
      d.time = d.time.slice(0, 19).replace('T', ' ')
    }),
  },
  {
    what: 'result as a Boolean',
    of: verify,
    only: `${verify} data result`,
    ...data((d) => {
      d.result = true
    }),
  },
  {
    what: 'app_id of another account',
    of: verify,
    only: `${verify} app_id`,
    ...data((d) => {
      d.app_id = 'another'
    }),
  },
  {
    what: 'no msg',
    of: verify,
    only: `${verify} envelope`,
    answer: ({ body }) => {
      delete body.msg
    },
  },
  {
    what: 'code as a String',
    of: verify,
    only: `${verify} envelope`,
    answer: ({ body }) => {
      body.code = '0'
    },
  },
  {
    what: 'a call without a token is served',
    of: verify,
    only: verify,
    call({ headers }) {
      const sent = headers.get('authorization')
      if (sent?.startsWith('Bearer ') && !sent.includes('e30')) lastToken = sent
      else headers.set('authorization', lastToken)
    },
  },
  {
    what: 'X-APP-ID of another account is taken',
    of: verify,
    only: 'failures 40302',
    call: ({ headers }) => headers.delete('x-app-id'),
  },
]

const list = 'tags/group/list'

export const tagMutations: Mutation[] = [
  {
    what: 'no tags_group_id',
    of: 'tags/group/create',
    only: 'tags/group/create data',
    ...data((d) => {
      delete d.tags_group_id
    }),
  },
  {
    what: 'another name than was sent',
    of: 'tags/group/create',
    only: 'answers what it stores',
    ...data((d) => {
      d.name = d.name.toUpperCase()
    }),
  },
  {
    what: 'an unknown attribute is taken',
    of: 'tags/group/create',
    only: 'tags/group/create parameter attribute',
    call: ({ body }) => {
      if (body.attribute === 'unheard-of') body.attribute = 'string'
    },
  },
  {
    what: 'a missing description is taken',
    of: 'tags/group/create',
    only: 'tags/group/create parameter description',
    call: ({ body }) => {
      body.description ??= 'none'
    },
  },
  {
    what: 'is_active as a String',
    of: list,
    only: `${list} row is_active`,
    ...rows((row) => {
      row.is_active = String(row.is_active)
    }),
  },
  {
    what: 'version as a String',
    of: list,
    only: `${list} row version`,
    ...rows((row) => {
      row.version = String(row.version)
    }),
  },
  {
    what: 'is_locked as a number',
    of: list,
    only: `${list} row is_locked`,
    ...rows((row) => {
      row.is_locked = 0
    }),
  },
  {
    what: 'an extra null: calculation_rules',
    of: list,
    only: `${list} row calculation_rules`,
    ...rows((row) => {
      row.calculation_rules = null
    }),
  },
  {
    what: 'total is one too low',
    of: list,
    only: `${list} total`,
    ...data((d) => {
      d.total--
    }),
  },
  {
    what: 'start_index counts from 1',
    of: list,
    only: 'start_index and step',
    call: ({ query }) => query.set('start_index', String(Math.max(0, Number(query.get('start_index')) - 1))),
  },
  {
    what: 'step is ignored',
    of: list,
    only: 'start_index and step',
    call: ({ query }) => query.set('step', '1000'),
  },
  {
    what: 'step has no limit',
    of: list,
    only: 'failures 40002 step',
    call: ({ query }) => query.set('step', '1000'),
  },
  {
    what: 'newest first',
    of: list,
    only: `${list} order`,
    ...data((d) => {
      d.rows.reverse()
    }),
  },
  {
    what: 'ctime as ISO 8601',
    of: list,
    only: `${list} ctime format`,
    ...rows((row) => {
      row.ctime = asIso(row.ctime)
    }),
  },
  {
    what: 'a slow clock: ctime',
    of: list,
    only: 'ctime is now',
    ...rows((row) => {
      row.ctime = movedLocal(row.ctime, -10)
    }),
  },
  {
    what: 'rows under another name',
    of: list,
    only: `${list} data`,
    ...data((d) => {
      d.list = d.rows
      delete d.rows
    }),
  },
  {
    what: 'category is ignored',
    of: list,
    only: `${list} category`,
    call: ({ query }) => query.set('category', query.get('category')!.replace('empty', 'category')),
  },
  {
    what: 'data is an object instead of the ID',
    of: 'tags/group/deactivate',
    only: 'tags/group/deactivate data',
    answer: ({ body }) => {
      body.data = { entity_id: body.data }
    },
  },
  {
    what: 'deactivate has no effect',
    of: 'tags/group/deactivate',
    only: 'deactivate moves',
    call: (call) => {
      call.path = 'entity/tags/group/activate'
    },
  },
  {
    what: 'activate a second time fails',
    of: 'tags/group/activate',
    only: 'tags/group/activate moves',
    call: ({ body }) => {
      body.entity_id += body.entity_id === activated ? 'x' : ''
      activated = body.entity_id
    },
  },
  {
    what: 'update stores no name',
    of: 'tags/group/update',
    only: 'update changes',
    call: ({ body }) => {
      body.name = 'unchanged'
    },
  },
  {
    what: 'HTTP status 201',
    of: 'tags/group/update',
    only: 'tags/group/update status',
    answer: (answer) => {
      if (answer.status === 200) answer.status = 201
    },
  },
  {
    what: 'define_value as a String',
    of: 'user/tags/list',
    only: 'user/tags/list row define_value',
    ...rows((row) => {
      row.define_value = String(row.define_value)
    }),
  },
  {
    what: 'total counts one tag',
    of: 'user/tags/list',
    only: 'user/tags/list total',
    ...data((d) => {
      d.total = 1
    }),
  },
  {
    what: 'no executor_id',
    of: 'user/tags/list',
    only: 'user/tags/list row executor_id',
    ...rows((row) => {
      delete row.executor_id
    }),
  },
  {
    what: 'data is null',
    of: 'user/tags/assign',
    only: 'user/tags/assign data',
    answer: ({ body }) => {
      body.data = null
    },
  },
  {
    what: 'a value that does not fit is taken',
    of: 'user/tags/assign',
    only: 'value fits',
    call: ({ body }) => {
      if (body.value === 'neither') body.value = 'true'
    },
  },
]

let activated = ''
