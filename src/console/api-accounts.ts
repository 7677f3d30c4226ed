import { type Static, Type } from 'typebox'
import { permissions } from '../contract/caller.ts'
import { endpoint, type OrganizationContext } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import {
  described,
  Id,
  Name,
  NullableInteger,
  namedObject,
  OrganizationId,
  oneOf,
} from '../contract/fields.ts'
import { shownOnce } from '../contract/shown-once.ts'
import {
  type AccountRecord,
  createAccount,
  endAccount,
  listAccountRecordsOf,
  resumeAccount,
  rotateSecret,
} from '../organizations/manage-accounts.ts'
import '../staff/console-context.ts'

const ApiAccount = namedObject('ApiAccount', {
  app_id: Id,
  name: Name,
  permissions: Type.Array(Type.String()),
  is_disabled: Type.Boolean(),
  rate_limit_per_minute: described(NullableInteger, 'Calls a minute; null: no limit'),
  is_shared: Type.Boolean({
    description: 'Whether it works for other organizations, too: then only the command line changes it',
  }),
})
type ApiAccount = Static<typeof ApiAccount>

const WithSecret = namedObject('ApiAccountWithSecret', {
  ...ApiAccount.properties,
  user_api_secret: shownOnce(Type.String({ description: 'Shown this once' })),
})

const corp_id = '0198c0de00007c41a2f0d8e6b4937215'
const example: ApiAccount = {
  app_id: '0198c0de99997c41a2f0d8e6b4937215',
  name: 'Student portal',
  permissions: ['read', 'write'],
  is_disabled: false,
  rate_limit_per_minute: 60_000,
  is_shared: false,
}
const user_api_secret = 'e-mySKz7Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBn'

const shared = { group: 'Console', since: 'Ver5.2026-11-15', permission: 'admin' } as const
const named = { corp_id: OrganizationId, app_id: described(Id, 'The account') }

export const listApiAccounts = endpoint({
  ...shared,
  id: 'listApiAccounts',
  method: 'GET',
  path: '/api/v5/console/account/list',
  summary: 'List the API accounts of an organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(ApiAccount) }),
  example: { input: { corp_id }, data: { list: [example] } },

  async handle({ db }, { corp_id }) {
    return { list: (await accountsOf(db, corp_id)).map(shown) }
  },
})

export const createApiAccount = endpoint({
  ...shared,
  id: 'createApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/create',
  needsConfirmation: true,
  summary: 'Create an API account, and show its secret once',
  input: Type.Object({
    corp_id: OrganizationId,
    name: Name,
    permissions: Type.Optional(
      Type.Array(oneOf(permissions), {
        minItems: 1,
        maxItems: permissions.length,
        description: 'Default: all',
      }),
    ),
  }),
  data: WithSecret,
  example: {
    input: { corp_id, name: example.name, permissions: ['read', 'write'] },
    data: { ...example, user_api_secret },
  },

  async handle({ db, keyring, now }, { corp_id, name, permissions }) {
    const wanted = { name, corp_ids: [corp_id], permissions, strict_time_stamps: true }
    return withSecret(await createAccount({ shared: db }, keyring!, wanted, now))
  },
})

export const rotateApiAccount = endpoint({
  ...shared,
  id: 'rotateApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/rotate',
  needsConfirmation: true,
  summary: 'Give an API account a new secret, shown once',
  input: Type.Object({
    ...named,
    revoke_tokens: Type.Optional(
      Type.Boolean({ description: 'Whether tokens that were obtained before end at once; default false' }),
    ),
  }),
  data: WithSecret,
  example: { input: { corp_id, app_id: example.app_id }, data: { ...example, user_api_secret } },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id, revoke_tokens = false }) {
    const { db, keyring, now } = context
    await requireOwnAccount(context, app_id)
    const wanted = { app_id, revokeTokens: revoke_tokens }
    return withSecret(await rotateSecret({ shared: db }, keyring!, wanted, now))
  },
})

export const disableApiAccount = endpoint({
  ...shared,
  id: 'disableApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/disable',
  summary: 'Disable an API account and end its tokens',
  input: Type.Object(named),
  data: ApiAccount,
  example: { input: { corp_id, app_id: example.app_id }, data: { ...example, is_disabled: true } },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id }) {
    await requireOwnAccount(context, app_id)
    return shown(await endAccount({ shared: context.db }, app_id, context.now))
  },
})

export const enableApiAccount = endpoint({
  ...shared,
  id: 'enableApiAccount',
  method: 'POST',
  path: '/api/v5/console/account/enable',
  needsConfirmation: true,
  summary: 'Let an API account that was disabled call again',
  description: 'Its secret is the same; tokens that it had stay ended.',
  input: Type.Object(named),
  data: ApiAccount,
  example: { input: { corp_id, app_id: example.app_id }, data: example },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id }) {
    await requireOwnAccount(context, app_id)
    return shown(await resumeAccount({ shared: context.db }, app_id, context.now))
  },
})

async function accountsOf(db: OrganizationContext['db'], corp_id: string): Promise<AccountRecord[]> {
  return listAccountRecordsOf({ shared: db }, corp_id)
}

/** An administrator of one organization does not decide for the others that an account works for. */
async function requireOwnAccount({ db, organization }: OrganizationContext, app_id: string): Promise<void> {
  const account = (await accountsOf(db, organization.corp_id)).find((each) => each.app_id === app_id)
  if (!account) throw new ApiError('accountNotFound')
  if (account.corp_ids.length > 1)
    throw new ApiError('stateForbids', {
      msg: 'The account works for other organizations, too; whoever runs the service can change it by command line.',
      allowed: [],
    })
}

function shown({
  app_id,
  name,
  permissions,
  is_disabled,
  rate_limit_per_minute,
  corp_ids,
}: AccountRecord): ApiAccount {
  return { app_id, name, permissions, is_disabled, rate_limit_per_minute, is_shared: corp_ids.length > 1 }
}

function withSecret({ user_api_secret, ...account }: AccountRecord & { user_api_secret: string }) {
  return { ...shown(account), user_api_secret }
}
