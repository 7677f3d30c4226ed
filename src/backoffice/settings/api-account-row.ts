import {
  type AccountRecord,
  findWorkingSecrets,
  listAccountRecordsOf,
} from '../../access/organizations/manage-accounts.ts'
import { noteGrant } from '../../access/staff/staff-store.ts'
import { shownOnce } from '../../contract/contacts.ts'
import { localTime } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Name, NullableInteger, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { timeStampRuleNames } from '../../contract/time-stamps.ts'
import { type Static, Type } from '../../contract/type.ts'

/** An API account, as administrators see it. */
export const ApiAccount = namedObject('ApiAccount', {
  app_id: Id,
  name: Name,
  permissions: Type.Array(Type.String()),
  is_disabled: Type.Boolean(),
  rate_limit_per_minute: described(NullableInteger, 'Calls per minute; null: no limit'),
  expires_at: described(Timestamp, 'Expiry of the account; "": never'),
  allowed_networks: Type.Array(Type.String(), {
    description: 'Addresses and networks that may use the account; none: all',
  }),
  time_stamps: oneOf(timeStampRuleNames, 'Time stamps that its token requests may have'),
  signs_money: Type.Boolean({ description: 'Whether its calls that move money must be signed' }),
  secrets: Type.Array(
    namedObject('ApiAccountSecret', {
      ctime: Timestamp,
      expires_at: described(Timestamp, 'Expiry of the secret; "": never'),
    }),
    { description: 'Valid secrets, newest first; two while one is replaced' },
  ),
  is_shared: Type.Boolean({
    description:
      'Whether other organizations use the account too. Then only its name, permissions and state are shown here; use the ' +
      'command line for the rest',
  }),
})
type ApiAccount = Static<typeof ApiAccount>

export const ApiAccountWithSecret = namedObject('ApiAccountWithSecret', {
  ...ApiAccount.properties,
  user_api_secret: shownOnce(Type.String({ description: 'Shown only once' })),
})

type Asked = Pick<OrganizationContext, 'db' | 'organization' | 'now'>

/** Accounts with their valid secrets. */
export async function accountRows(
  { db, organization: { time_zone }, now }: Asked,
  records: AccountRecord[],
): Promise<ApiAccount[]> {
  const ids = records.filter((record) => !isShared(record)).map(({ app_id }) => app_id)
  const secrets = await findWorkingSecrets({ shared: db }, ids, now)
  const local = (at: Date | null) => (at === null ? '' : localTime(at.toISOString(), time_zone))
  return records.map((record) => {
    if (isShared(record)) return sharedRow(record)
    const { corp_ids: _, expires_at, ...account } = record
    return {
      ...account,
      expires_at: local(expires_at),
      secrets: secrets
        .filter(({ app_id }) => app_id === account.app_id)
        .map((secret) => ({ ctime: local(secret.ctime), expires_at: local(secret.expires_at) })),
      is_shared: false,
    }
  })
}

function isShared({ corp_ids }: AccountRecord): boolean {
  return corp_ids.length > 1
}

/** Hides networks, limits and secrets of a shared account, which would disclose other organizations. */
function sharedRow({ app_id, name, permissions, is_disabled }: AccountRecord): ApiAccount {
  return {
    ...{ app_id, name, permissions, is_disabled, is_shared: true },
    ...{ rate_limit_per_minute: null, expires_at: '', allowed_networks: [], time_stamps: 'any' },
    ...{ signs_money: false, secrets: [] },
  }
}

export async function accountRow(asked: Asked, record: AccountRecord): Promise<ApiAccount> {
  return (await accountRows(asked, [record]))[0]!
}

/** An administrator cannot change an account that other organizations use. */
export async function requireOwnAccount({ db, organization }: Asked, app_id: string): Promise<AccountRecord> {
  const known = await listAccountRecordsOf({ shared: db }, organization.corp_id)
  const account = known.find((each) => each.app_id === app_id)
  if (!account) throw new ApiError('accountNotFound')
  if (isShared(account))
    throw new ApiError('stateForbids', {
      msg: 'Other organizations use this account too. The operator of the service can change it by command line.',
      allowed: [],
    })
  return account
}

/** For rules that need two people, an account counts as the person who gave it access or has seen its secret. */
export async function noteGrantOf(
  { db, organization: { corp_id }, account, now }: OrganizationContext,
  app_id: string,
): Promise<void> {
  await noteGrant(db, { corp_id, account_id: app_id, granted_by: account.app_id }, now)
}

export const exampleAccount: ApiAccount = {
  app_id: 'lakeside-finance',
  name: 'Student portal',
  permissions: ['read', 'write'],
  is_disabled: false,
  rate_limit_per_minute: 60_000,
  expires_at: '',
  allowed_networks: ['203.0.113.0/24'],
  time_stamps: 'any',
  signs_money: false,
  secrets: [{ ctime: '2026-11-15 09:30:00', expires_at: '' }],
  is_shared: false,
}
export const exampleSecret = 'e-mySKz7Qm1xT7bR5yU2wE8oP4aS6dF0gHjKlZxCvBn'
