import { Command } from 'commander'
import {
  type AccountRecord,
  changeAccount,
  createAccount,
  defaultRateLimit,
  endAccount,
  listAccountRecords,
} from '../access/organizations/manage-accounts.ts'
import {
  endOldCommand,
  grantCommand,
  readAddresses,
  revokeCommand,
  rotateCommand,
  timeStampHelp,
  updateCommand,
  withSecret,
} from './account-changes.ts'
import {
  dateOrNull,
  jsonOption,
  type Limit,
  numberOrNull,
  readLimit,
  readWhen,
  splitList,
} from './options.ts'
import { print, record, table, visible } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

interface CreateOptions {
  name: string
  org: string[]
  permissions?: string[]
  rateLimit?: Limit
  timeStamps?: string
  expires?: Date | 'never'
  secretExpires?: Date | 'never'
  addresses?: string[]
  signMoney?: boolean
  json?: boolean
}

export function createCommand(settings: Settings): Command {
  const account = new Command('account')
  account
    .command('create')
    .description('Create an account and show its secret once.')
    .requiredOption('--name <name>', 'name of the person or program that uses it')
    .requiredOption('--org <corp_id...>', 'organizations that it may access', splitList)
    .option('--permissions <list>', 'permissions (default: read,write,finance)', splitList)
    .option(
      '--rate-limit <per_minute>',
      `calls per minute, or none (default: ${defaultRateLimit})`,
      readLimit,
    )
    .option('--time-stamps <rule>', 'time stamps of its token requests: any, recent or once (default: any)')
    .option('--expires <when>', 'expiry of the account: 2027-01-31, 90d (default: never)', readWhen)
    .option('--secret-expires <when>', 'expiry of the secret (default: never)', readWhen)
    .option(
      '--addresses <list>',
      'networks that may use the account: 203.0.113.0/24 (default: any)',
      splitList,
    )
    .option('--sign-money', 'require signatures for calls that move money')
    .option(...jsonOption)
    .addHelpText('after', timeStampHelp)
    .action((options) => create(settings, options))
  account
    .command('list')
    .description('List the accounts.')
    .option(...jsonOption)
    .action((options) => list(settings, options))
  account
    .command('limit')
    .description('Set or remove the rate limit of an account.')
    .argument('<app_id>', 'the account')
    .argument('<per_minute>', 'calls per minute, or none', readLimit)
    .option(...jsonOption)
    .action((app_id, perMinute, options) => limit(settings, app_id, perMinute, options))
  account
    .command('disable')
    .description('Disable an account and end its tokens.')
    .argument('<app_id>', 'the account')
    .option(...jsonOption)
    .action((app_id, options) => disable(settings, app_id, options))
  for (const command of [updateCommand, grantCommand, revokeCommand, rotateCommand, endOldCommand])
    account.addCommand(command(settings))
  return account
}

async function create(settings: Settings, options: CreateOptions): Promise<void> {
  const wanted = {
    name: options.name,
    corp_ids: options.org,
    permissions: options.permissions,
    rate_limit_per_minute: numberOrNull(options.rateLimit),
    time_stamps: options.timeStamps,
    expires_at: dateOrNull(options.expires),
    secret_expires_at: dateOrNull(options.secretExpires),
    allowed_networks: readAddresses(options.addresses),
    signs_money: options.signMoney,
  }
  const made = await withDatabase(settings, ({ db, keyring, now }) => createAccount(db, keyring, wanted, now))
  print({ json: made, text: withSecret('Created the account:', made) }, options.json)
}

async function list(settings: Settings, options: { json?: boolean }): Promise<void> {
  const accounts = await withDatabase(settings, ({ db }) => listAccountRecords(db))
  print({ json: { accounts }, text: tableOf(accounts) }, options.json)
}

async function limit(
  settings: Settings,
  app_id: string,
  wanted: Limit,
  options: { json?: boolean },
): Promise<void> {
  const rate_limit_per_minute = numberOrNull(wanted)
  const limited = await withDatabase(settings, ({ db, now }) =>
    changeAccount(db, app_id, { rate_limit_per_minute }, now),
  )
  print({ json: limited, text: `The account now has:\n${record({ ...limited })}` }, options.json)
}

async function disable(settings: Settings, app_id: string, options: { json?: boolean }): Promise<void> {
  const ended = await withDatabase(settings, ({ db, now }) => endAccount(db, app_id, now))
  print(
    {
      json: ended,
      text: `Disabled the account ${ended.app_id} (${visible(ended.name)}) and ended its tokens.`,
    },
    options.json,
  )
}

function tableOf(accounts: AccountRecord[]): string {
  if (accounts.length === 0) return 'There are no accounts. Create one with matricula account create.'
  return table(accounts, {
    app_id: 'app_id',
    name: 'name',
    permissions: 'permissions',
    disabled: 'is_disabled',
    'time stamps': 'time_stamps',
    expires: (account) => account.expires_at?.toISOString(),
    addresses: 'allowed_networks',
    'signs money': 'signs_money',
    'calls per minute': (account) => account.rate_limit_per_minute ?? 'no limit',
    organizations: 'corp_ids',
  })
}
