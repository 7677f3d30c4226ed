import type { Call } from '../caller.ts'

/** A call that Matricula refuses, and the code: HTTP status × 100 and a count. */
export interface FailureRow {
  code: number
  words: string
  call: Partial<Call> & Pick<Call, 'method' | 'path'>
  params?: string[]
}

const unknown = '00000000000000000000000000000000'
const json = (rawBody: string) => ({ method: 'POST' as const, path: 'entity/user/create', rawBody })

/** Failures that the interface does not describe and any caller can get. */
export const failureTable: FailureRow[] = [
  { code: 40003, words: 'a body that is not JSON', call: json('{"corp_id":') },
  { code: 40003, words: 'a body that is no JSON object', call: json('[1, 2]') },
  {
    code: 41501,
    words: 'another media type',
    call: { ...json('corp_id=1'), headers: { 'Content-Type': 'text/plain' } },
  },
  {
    code: 41301,
    words: 'a body above the limit (1 MiB unless the operator set another one)',
    call: json(`{"corp_id":"${'x'.repeat(2_000_000)}"}`),
  },
  { code: 40101, words: 'no token', call: { method: 'GET', path: 'authentication/verify', token: null } },
  {
    code: 40102,
    words: 'a token that was not issued here',
    call: { method: 'GET', path: 'authentication/verify', token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl' },
  },
  {
    code: 40302,
    words: 'X-APP-ID of another account',
    call: { method: 'GET', path: 'authentication/verify', headers: { 'X-APP-ID': 'another-account' } },
  },
  {
    code: 40301,
    words: 'an organization that the account is not granted',
    call: { method: 'GET', path: 'entity/order/list', input: { corp_id: unknown } },
  },
  { code: 40404, words: 'a route that does not exist', call: { method: 'GET', path: 'entity/nothing/here' } },
  {
    code: 40501,
    words: 'a method that the route does not take',
    call: { method: 'POST', path: 'entity/order/list' },
  },
  {
    code: 40401,
    words: 'a user who does not exist: profile',
    call: { method: 'GET', path: 'entity/profile/fetch', input: { user_id: unknown } },
  },
  {
    code: 40401,
    words: 'a user who does not exist: tags',
    call: { method: 'GET', path: 'entity/user/tags/list', input: { user_id: unknown } },
  },
  {
    code: 40401,
    words: 'a user who does not exist: contact',
    call: {
      method: 'GET',
      path: 'entity/user/contact/fetch',
      input: { user_id: unknown, contact_type: 'mobile' },
    },
  },
  {
    code: 40401,
    words: 'a user who does not exist: pool',
    call: { method: 'POST', path: 'entity/user/pool/update', input: { user_id: unknown, pool: 'alive' } },
  },
  {
    code: 40401,
    words: 'a user who does not exist: owner',
    call: {
      method: 'POST',
      path: 'entity/user/owner/update',
      input: { user_id: unknown, owner_id: 'owner', event_type: 'add' },
    },
  },
  {
    code: 40402,
    words: 'an order that does not exist',
    call: { method: 'GET', path: 'entity/order/fetch', input: { order_id: unknown } },
  },
  {
    code: 40403,
    words: 'a tag group that does not exist',
    call: { method: 'POST', path: 'entity/tags/group/activate', input: { entity_id: unknown } },
  },
  {
    code: 40001,
    words: 'every missing parameter is named at once',
    call: { method: 'GET', path: 'entity/tags/group/list' },
    params: ['category', 'start_index', 'step'],
  },
  {
    code: 40002,
    words: 'every wrong parameter is named at once',
    call: { method: 'GET', path: 'entity/order/list', input: { page: 'x', page_size: 0, status: 'none' } },
    params: ['page', 'page_size', 'status'],
  },
  {
    code: 40002,
    words: 'step above 1,000',
    call: {
      method: 'GET',
      path: 'entity/tags/group/list',
      input: { category: 'none', start_index: 0, step: 1001 },
    },
    params: ['step'],
  },
  {
    code: 40002,
    words: 'an area code with a plus sign',
    call: { method: 'POST', path: 'entity/user/create', input: { area_code: '+44', mobile: '7700900000' } },
    params: ['area_code'],
  },
  {
    code: 40002,
    words: 'an e-mail address without a domain',
    call: { method: 'POST', path: 'entity/user/create', input: { email: 'nobody' } },
    params: ['email'],
  },
  {
    code: 40002,
    words: 'an id of 65 characters',
    call: { method: 'GET', path: 'entity/order/fetch', input: { order_id: 'x'.repeat(65) } },
    params: ['order_id'],
  },
  {
    code: 40002,
    words: 'an empty required parameter',
    call: { method: 'GET', path: 'entity/order/fetch', input: { order_id: '' } },
    params: ['order_id'],
  },
  {
    code: 40002,
    words: 'a name of 201 characters',
    call: { method: 'POST', path: 'entity/leads/import', input: { user_id: unknown, name: 'x'.repeat(201) } },
    params: ['name'],
  },
]
