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

export function accountCommand(settings: Settings): Command {
  const account = new Command('account')
  account
    .command('create')
    .description('Create an account and show its secret, once.')
    .requiredOption('--name <name>', 'who or what will use it')
    .requiredOption('--org <corp_id...>', 'the organizations it may work for', splitList)
    .option('--permissions <list>', 'what it may do (default: read,write,finance)', splitList)
    .option(
      '--rate-limit <per_minute>',
      `most calls a minute, or none (default: ${defaultRateLimit})`,
      readLimit,
    )
    .option('--time-stamps <rule>', 'what its token requests carry: any, recent or once (default: any)')
    .option('--expires <when>', 'when it ends: 2027-01-31, 90d (default: never)', readWhen)
    .option('--secret-expires <when>', 'when its secret ends (default: never)', readWhen)
    .option(
      '--addresses <list>',
      'networks that it may be used from: 203.0.113.0/24 (default: any)',
      splitList,
    )
    .option('--sign-money', 'its calls that move money must be signed')
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
    .description('Set or lift the rate limit of an account.')
    .argument('<app_id>', 'the account')
    .argument('<per_minute>', 'most calls a minute, or none', readLimit)
    .option(...jsonOption)
    .action((app_id, perMinute, options) => limit(settings, app_id, perMinute, options))
  account
    .command('disable')
    .description('End an account and its tokens.')
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
  if (accounts.length === 0) return 'There is no account yet: make one with matricula account create.'
  return table(accounts, {
    app_id: (account) => account.app_id,
    name: (account) => account.name,
    permissions: (account) => account.permissions,
    disabled: (account) => account.is_disabled,
    'time stamps': (account) => account.time_stamps,
    expires: (account) => account.expires_at?.toISOString(),
    addresses: (account) => account.allowed_networks,
    'signs money': (account) => account.signs_money,
    'calls a minute': (account) => account.rate_limit_per_minute ?? 'no limit',
    organizations: (account) => account.corp_ids,
  })
}
