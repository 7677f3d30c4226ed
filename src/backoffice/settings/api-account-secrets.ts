import { endOldSecret, rotateSecret } from '../../access/organizations/manage-accounts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import '../../access/staff/console-context.ts'
import { endOfLast, lastDayOr } from '../console/fetch-today.ts'
import {
  ApiAccount,
  ApiAccountWithSecret,
  accountRow,
  exampleAccount,
  exampleSecret,
  noteGrantOf,
  requireOwnAccount,
} from './api-account-row.ts'

const corp_id = 'lakeside'
const shared = {
  method: 'POST',
  group: 'Console',
  permission: 'admin',
} as const
const named = { corp_id: OrganizationId, app_id: described(Id, 'The account') }

export const rotateApiAccount = endpoint({
  ...shared,
  id: 'rotateApiAccount',
  path: '/api/v5/console/account/rotate',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create a new secret for an API account, shown once',
  description:
    'The old secret ends at once, or stays valid for some days, so that a program can switch without an interruption. ' +
    'Tokens end with the secret that obtained them.',
  input: Type.Object({
    ...named,
    keep_old_until: lastDayOr('The last day of the old secret; omitted: it ends now'),
    expires_on: lastDayOr('The last day of the new secret; default: never'),
  }),
  data: ApiAccountWithSecret,
  example: {
    input: { corp_id, app_id: exampleAccount.app_id, keep_old_until: '2026-11-22' },
    data: { ...exampleAccount, user_api_secret: exampleSecret },
  },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id, keep_old_until, expires_on }) {
    const { db, keyring, now, organization } = context
    await requireOwnAccount(context, app_id)
    const zone = { timeZone: organization.time_zone, now }
    const oldUntil = endOfLast('keep_old_until', keep_old_until, zone)
    if (oldUntil === null) throw invalid('keep_old_until', 'must be a day, because the old secret must end')
    const wanted = {
      ...{ app_id, ...(oldUntil && { oldUntil }) },
      secret_expires_at: endOfLast('expires_on', expires_on, zone) ?? null,
    }
    return db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      await noteGrantOf(inside, app_id)
      const { user_api_secret, ...rotated } = await rotateSecret({ shared: tx }, keyring, wanted, now)
      return { ...(await accountRow(inside, rotated)), user_api_secret }
    })
  },
})

export const endOldApiSecret = endpoint({
  ...shared,
  id: 'endOldApiSecret',
  path: '/api/v5/console/account/end-old-secret',
  guard: { effect: 'irreversible', people: 'none' },
  summary: 'End the old secret of an API account, with its tokens',
  description: 'The old secret is the second newest. Without one, nothing changes.',
  input: Type.Object(named),
  data: ApiAccount,
  example: { input: { corp_id, app_id: exampleAccount.app_id }, data: exampleAccount },
  errors: ['accountNotFound', 'stateForbids'],

  async handle(context, { app_id }) {
    await requireOwnAccount(context, app_id)
    const { had_old_secret: _, ...account } = await endOldSecret({ shared: context.db }, app_id)
    return accountRow(context, account)
  },
})
