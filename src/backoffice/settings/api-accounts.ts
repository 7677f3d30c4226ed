import {
  changeAccount,
  createAccount,
  endAccount,
  grantAccount,
  listAccountRecordsOf,
  maxNetworks,
  maxRateLimit,
  resumeAccount,
  revokeAccount,
} from '../../access/organizations/manage-accounts.ts'
import { permissions } from '../../contract/caller.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, Name, OrganizationId, oneOf } from '../../contract/fields.ts'
import { timeStampRuleNames, timeStampRules } from '../../contract/time-stamps.ts'
import { Type } from '../../contract/type.ts'
import '../../access/staff/console-context.ts'
import { endOfLast, lastDayOr } from '../console/fetch-today.ts'
import { readable } from '../console/readable.ts'
import {
  ApiAccount,
  ApiAccountWithSecret,
  accountRow,
  accountRows,
  exampleAccount,
  exampleSecret,
  noteGrantOf,
  requireOwnAccount,
} from './api-account-row.ts'

const corp_id = 'lakeside'
const shared = { group: 'Console', permission: 'admin' } as const
const named = { corp_id: OrganizationId, app_id: described(Id, 'The account') }

const rulesExplained = Object.entries(timeStampRules)
  .map(([rule, sentence]) => `${rule}: ${sentence}`)
  .join(' ')

const settings = {
  rate_limit_per_minute: Type.Optional(
    Type.Integer({ minimum: 0, maximum: maxRateLimit, description: 'Calls per minute; 0: no limit' }),
  ),
  expires_on: lastDayOr('The last day of the account in the time zone of the organization, or never'),
  allowed_networks: Type.Optional(
    Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: 50 }), {
      maxItems: maxNetworks,
      description: 'Addresses and networks that may use the account, such as 203.0.113.0/24; none: all',
    }),
  ),
  time_stamps: Type.Optional(
    oneOf(timeStampRuleNames, `Time stamps that its token requests may have. ${rulesExplained}`),
  ),
  signs_money: Type.Optional(
    Type.Boolean({ description: 'Whether its calls that move money must be signed' }),
  ),
  permissions: Type.Optional(
    Type.Array(oneOf(permissions), { minItems: 1, maxItems: permissions.length, uniqueItems: true }),
  ),
}

export const listApiAccounts = endpoint({
  ...shared,
  id: 'listApiAccounts',
  method: 'GET',
  path: '/api/v5/console/account/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List the API accounts of an organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(ApiAccount) }),
  example: { input: { corp_id }, data: { list: [exampleAccount] } },

  async handle(context, { corp_id }) {
    return { list: await accountRows(context, await listAccountRecordsOf({ shared: context.db }, corp_id)) }
  },
})

export const createApiAccount = endpoint({
  ...shared,
  id: 'createApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/create',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create an API account, and show its secret once',
  description: 'Without `permissions`, the account gets all permissions except to manage the organization.',
  input: Type.Object({ corp_id: OrganizationId, name: Name, ...settings }),
  data: ApiAccountWithSecret,
  example: {
    input: { corp_id, name: exampleAccount.name, permissions: ['read', 'write'] },
    data: { ...exampleAccount, user_api_secret: exampleSecret },
  },

  async handle(context, { corp_id, name, expires_on, rate_limit_per_minute: limit, ...input }) {
    const { db, keyring, now } = context
    const wanted = {
      ...{ name, corp_ids: [corp_id], ...input },
      expires_at: endOfLast('expires_on', expires_on, zoneOf(context)),
      ...(limit !== undefined && { rate_limit_per_minute: limit === 0 ? null : limit }),
    }
    return db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      const { user_api_secret, ...made } = await readable('allowed_networks', () =>
        createAccount({ shared: tx }, keyring, wanted, now),
      )
      await noteGrantOf(inside, made.app_id)
      return { ...(await accountRow(inside, made)), user_api_secret }
    })
  },
})

export const updateApiAccount = endpoint({
  ...shared,
  id: 'updateApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/update',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Change permissions, networks, limits and expiry of an API account',
  description:
    'Only members that are sent change. Grant the permission to manage the organization by command line.',
  input: Type.Object({ ...named, ...settings }),
  data: ApiAccount,
  example: {
    input: { corp_id, app_id: exampleAccount.app_id, allowed_networks: ['203.0.113.0/24'] },
    data: exampleAccount,
  },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id, permissions: wanted, expires_on, rate_limit_per_minute: limit, ...input }) {
    const { db, now } = context
    const expires_at = endOfLast('expires_on', expires_on, zoneOf(context))
    const change = {
      ...{ allowed_networks: input.allowed_networks, time_stamps: input.time_stamps },
      ...{ signs_money: input.signs_money, expires_at },
      rate_limit_per_minute: limit === 0 ? null : limit,
    }
    return db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      const on = { shared: tx }
      let account = await requireOwnAccount(inside, app_id)
      const more = wanted?.filter((each) => !account.permissions.includes(each)) ?? []
      const less = wanted
        ? permissions.filter((each) => account.permissions.includes(each) && !wanted.includes(each))
        : []
      if (more.length > 0) {
        account = await grantAccount(on, app_id, { corp_ids: [], permissions: more }, now)
        await noteGrantOf(inside, app_id)
      }
      if (less.length > 0) account = await revokeAccount(on, app_id, { corp_ids: [], permissions: less }, now)
      if (Object.values(change).some((value) => value !== undefined))
        account = await readable('allowed_networks', () => changeAccount(on, app_id, change, now))
      return accountRow(inside, account)
    })
  },
})

export const disableApiAccount = endpoint({
  ...shared,
  id: 'disableApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/disable',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Disable an API account and end its tokens',
  input: Type.Object(named),
  data: ApiAccount,
  example: {
    input: { corp_id, app_id: exampleAccount.app_id },
    data: { ...exampleAccount, is_disabled: true },
  },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id }) {
    await requireOwnAccount(context, app_id)
    return accountRow(context, await endAccount({ shared: context.db }, app_id, context.now))
  },
})

export const enableApiAccount = endpoint({
  ...shared,
  id: 'enableApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/enable',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Enable a disabled API account',
  description: 'The secret stays valid. Tokens from before stay revoked.',
  input: Type.Object(named),
  data: ApiAccount,
  example: { input: { corp_id, app_id: exampleAccount.app_id }, data: exampleAccount },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id }) {
    return context.db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      await requireOwnAccount(inside, app_id)
      await noteGrantOf(inside, app_id)
      return accountRow(inside, await resumeAccount({ shared: tx }, app_id, context.now))
    })
  },
})

function zoneOf({ organization, now }: { organization: { time_zone: string }; now: Date }) {
  return { timeZone: organization.time_zone, now }
}
