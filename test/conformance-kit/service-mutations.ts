import { createHash } from 'node:crypto'
import { data, failures, type Json, type Mutation, moved, rows } from './mutation.ts'

const created = 'tags/group/create'
const feed = 'event/list'

export const serviceMutations: Mutation[] = [
  {
    what: 'failures with HTTP status 200',
    only: 'failures 40401',
    ...failures((answer) => {
      answer.status = 200
    }),
  },
  {
    what: 'an unknown user has an empty profile',
    of: 'profile/fetch',
    only: 'failures 40401',
    ...failures((answer) => {
      Object.assign(answer, { status: 200, body: { code: 0, msg: 'success', data: {} } })
    }),
  },
  {
    what: 'an unknown order is 400',
    of: 'order/fetch',
    only: 'failures 40402',
    ...failures((answer) => {
      answer.status = 400
    }),
  },
  {
    what: 'code is the HTTP status',
    only: 'order/fetch parameter corp_id',
    ...failures(({ body }) => {
      body.code = Math.floor(body.code / 100)
    }),
  },
  {
    what: 'only the first fault is named',
    only: 'every wrong parameter',
    ...failures(({ body }) => {
      body.data.errors.length = 1
    }),
  },
  {
    what: 'a missing parameter is reported as invalid',
    only: 'every missing parameter',
    ...failures(({ body }) => {
      body.code = 40002
    }),
  },
  {
    what: 'an unknown route answers HTML',
    only: 'failures 40404',
    ...failures((answer) => {
      answer.text = '<h1>Not found</h1>'
    }),
  },
  {
    what: 'an empty msg',
    only: 'failures 40402',
    ...failures(({ body }) => {
      body.msg = ''
    }),
  },
  {
    what: 'data is null in failures',
    only: 'failures 40403',
    ...failures(({ body }) => {
      body.data = null
    }),
  },
  {
    what: 'a forged token is 403',
    only: 'failures 40102',
    ...failures((answer) => {
      answer.status = 403
    }),
  },
  { what: 'no Allow', only: 'failures 40501', ...failures(({ headers }) => headers.delete('allow')) },
  {
    what: 'a body of another media type is read',
    of: 'user/create',
    only: 'failures 41501',
    call: (call) => {
      call.headers.set('content-type', 'application/json')
      call.body ??= { corp_id: 'lakeside' }
    },
  },
  {
    what: 'Idempotency-Key is ignored',
    of: created,
    only: 'idempotency same body',
    call: ({ headers }) => headers.delete('idempotency-key'),
  },
  {
    what: 'Idempotency-Key is taken with another body',
    of: created,
    only: 'idempotency other body',
    call: ({ headers, body }) => {
      if (headers.has('idempotency-key'))
        headers.set('idempotency-key', createHash('sha256').update(JSON.stringify(body)).digest('hex'))
    },
  },
  {
    what: 'no Idempotent-Replayed',
    of: created,
    only: 'idempotency same body',
    answer: ({ headers }) => headers.delete('idempotent-replayed'),
  },
  {
    what: 'a repeat answers other bytes',
    of: created,
    only: 'idempotency same body',
    answer: ({ headers, body }) => {
      if (headers.has('idempotent-replayed')) body.msg = 'repeated'
    },
  },
  {
    what: 'failures are stored under the key',
    of: 'user/pool/update',
    only: 'idempotency failures',
    ...storedFailures(),
  },
  {
    what: 'X-Request-Id is not returned',
    only: 'headers X-Request-Id',
    answer: ({ headers }) => headers.set('x-request-id', 'own'),
  },
  {
    what: 'no X-Service-Version in failures',
    only: 'headers X-Service-Version',
    ...failures(({ headers }) => headers.delete('x-service-version')),
  },
  {
    what: 'unknown parameters are not named',
    only: 'headers X-Ignored',
    answer: ({ headers }) => headers.delete('x-ignored-parameters'),
  },
  {
    what: 'failures as text/plain',
    only: 'headers Content-Type',
    ...failures(({ headers }) => headers.set('content-type', 'text/plain')),
  },
]

export const feedMutations: Mutation[] = [
  {
    what: 'newest event first',
    of: feed,
    only: 'event/list order',
    ...data((d) => {
      d.list.reverse()
    }),
  },
  {
    what: 'an event is lost',
    of: feed,
    only: 'every change once',
    ...data((d) => {
      d.list = d.list.filter(({ type }: Json) => type !== 'user.updated')
    }),
  },
  {
    what: 'an event is repeated',
    of: feed,
    only: 'every change once',
    ...data((d) => {
      if (d.list[0]) d.list.push(d.list[0])
    }),
  },
  { what: 'next_cursor skips an event', of: feed, only: 'event/list page by page', ...skippingCursor() },
  {
    what: 'has_more is always false',
    of: feed,
    only: 'event/list page by page',
    ...data((d) => {
      d.has_more = false
    }),
  },
  {
    what: 'at in milliseconds',
    of: feed,
    only: 'event/list at',
    ...rows((row) => {
      row.at = row.at.replace(/\d{3}Z$/, 'Z')
    }),
  },
  {
    what: 'a slow clock: at',
    of: feed,
    only: 'event/list at',
    ...rows((row) => {
      row.at = moved(row.at, -30).replace('Z', '000Z')
    }),
  },
  {
    what: 'types is ignored',
    of: feed,
    only: 'event/list types',
    call: ({ query }) => query.delete('types'),
  },
  {
    what: 'a foreign cursor is 400',
    of: feed,
    only: 'leads nowhere',
    ...failures((answer) => {
      answer.status = 400
    }),
  },
  {
    what: 'no request_id',
    of: feed,
    only: 'event/list events',
    ...rows((row) => {
      delete row.request_id
    }),
  },
  {
    what: 'changed has values',
    of: feed,
    only: 'what an event says',
    ...rows((row) => {
      row.changed = row.changed.map((name: string) => `${name}=alive`)
    }),
  },
  {
    what: 'another event than in the feed',
    of: 'event/fetch',
    only: 'event/fetch',
    ...data((d) => {
      d.version = (d.version ?? 0) + 1
    }),
  },
]

/** A key that failed once always returns the failure. */
function storedFailures(): Pick<Mutation, 'answer'> {
  const stored = new Map<string, { status: number; body: Json }>()
  return {
    answer(answer, { headers }) {
      const key = headers.get('idempotency-key')
      if (key === null) return
      if (answer.body.code !== 0) stored.set(key, { status: answer.status, body: answer.body })
      Object.assign(answer, stored.get(key))
    },
  }
}

/** The cursor of the second event, after a page with the first. */
function skippingCursor(): Pick<Mutation, 'call' | 'answer'> {
  return {
    call({ query }) {
      if (query.get('limit') === '1' && query.has('after')) query.set('limit', '2')
    },
    answer({ body }, { query }) {
      if (query.get('limit') === '2') body.data.list = body.data.list.slice(0, 1)
    },
  }
}
