import { type Static, Type } from 'typebox'
import {
  type AccountRecord,
  findWorkingSecrets,
  listAccountRecordsOf,
} from '../../access/organizations/manage-accounts.ts'
import { noteGrant } from '../../access/staff/access-grant-store.ts'
import { localTime } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, Name, NullableInteger, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { shownOnce } from '../../contract/shown-once.ts'
import { timeStampRuleNames } from '../../contract/time-stamps.ts'

/** An account of a program, as administrators see it. */
export const ApiAccount = namedObject('ApiAccount', {
  app_id: Id,
  name: Name,
  permissions: Type.Array(Type.String()),
  is_disabled: Type.Boolean(),
  rate_limit_per_minute: described(NullableInteger, 'Calls a minute; null: no limit'),
  expires_at: described(Timestamp, 'When the account ends; "": never'),
  allowed_networks: Type.Array(Type.String(), {
    description: 'What it may be used from; none: from everywhere',
  }),
  time_stamps: oneOf(timeStampRuleNames, 'Which time stamps its token requests may carry'),
  signs_money: Type.Boolean({ description: 'Whether its calls that move money must be signed' }),
  secrets: Type.Array(
    namedObject('ApiAccountSecret', {
      ctime: Timestamp,
      expires_at: described(Timestamp, 'When it ends; "": never'),
    }),
    { description: 'Those that work now, the newest first: two while one is replaced' },
  ),
  is_shared: Type.Boolean({
    description:
      'Whether it works for other organizations, too: then only its name, permissions and state are shown here, and ' +
      'only the command line shows and changes the rest',
  }),
})
type ApiAccount = Static<typeof ApiAccount>

export const ApiAccountWithSecret = namedObject('ApiAccountWithSecret', {
  ...ApiAccount.properties,
  user_api_secret: shownOnce(Type.String({ description: 'Shown this once' })),
})

type Asked = Pick<OrganizationContext, 'db' | 'organization' | 'now'>

/** Accounts with the secrets that they have now. */
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

/** Networks, limits and secrets of a shared account tell of the other organizations that it works for. */
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

/** An administrator of one organization does not decide for the others that an account works for. */
export async function requireOwnAccount({ db, organization }: Asked, app_id: string): Promise<AccountRecord> {
  const known = await listAccountRecordsOf({ shared: db }, organization.corp_id)
  const account = known.find((each) => each.app_id === app_id)
  if (!account) throw new ApiError('accountNotFound')
  if (isShared(account))
    throw new ApiError('stateForbids', {
      msg: 'The account works for other organizations, too. The operator of the service can change it by command line.',
      allowed: [],
    })
  return account
}

/** Who gives an account access, or sees its secret, answers for what it does where a second person is needed. */
export async function noteGrantOf(
  { db, organization: { corp_id }, account, now }: OrganizationContext,
  app_id: string,
): Promise<void> {
  await noteGrant(db, { corp_id, account_id: app_id, granted_by: account.app_id }, now)
}

export const exampleAccount: ApiAccount = {
  app_id: '0198c0de99997c41a2f0d8e6b4937215',
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
