import { Command } from 'commander'
import {
  type AccountRecord,
  type AccountWithSecret,
  changeAccount,
  createAccount,
  defaultRateLimit,
  endAccount,
  endOldSecret,
  type Grants,
  grantAccount,
  listAccountRecords,
  revokeAccount,
  rotateSecret,
} from '../access/organizations/manage-accounts.ts'
import { timeStampRules } from '../contract/time-stamps.ts'
import {
  type Answer,
  dateOrNull,
  type Limit,
  numberOrNull,
  readLimit,
  readWhen,
  record,
  splitList,
  table,
  visible,
} from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

/** Explains each rule, after the options of a command. */
const timeStampHelp = [
  '\nTime stamps of token requests:',
  ...Object.entries(timeStampRules).map(([rule, sentence]) => `  ${rule.padEnd(8)}${sentence}`),
].join('\n')

const appId = ['<app_id>', 'the account'] as const

interface UpdateOptions {
  rateLimit?: Limit
  timeStamps?: string
  expires?: Date | 'never'
  addresses?: string[]
  signMoney?: boolean
}

function updateCommand(settings: Settings): Command {
  return new Command('update')
    .description('Change the given settings of an account.')
    .argument(...appId)
    .option('--rate-limit <per_minute>', 'calls per minute, or none', readLimit)
    .option('--time-stamps <rule>', 'time stamps of its token requests: any, recent or once')
    .option('--expires <when>', 'expiry of the account: 2027-01-31, 90d, never', readWhen)
    .option('--addresses <list>', 'networks that it may be used from (203.0.113.0/24), or any', splitList)
    .option('--sign-money', 'require signatures for calls that move money')
    .option('--no-sign-money', 'require no signatures')
    .addHelpText('after', timeStampHelp)
    .action(answering(settings, update))
}

async function update({ db, now }: Session, app_id: string, options: UpdateOptions): Promise<Answer> {
  const wanted = {
    rate_limit_per_minute: numberOrNull(options.rateLimit),
    time_stamps: options.timeStamps,
    expires_at: dateOrNull(options.expires),
    allowed_networks: readAddresses(options.addresses),
    signs_money: options.signMoney,
  }
  return changed(await changeAccount(db, app_id, wanted, now))
}

function readAddresses(texts: string[] | undefined): string[] | undefined {
  return texts?.length === 1 && texts[0] === 'any' ? [] : texts
}

function grantCommand(settings: Settings): Command {
  return grants(settings, 'grant', 'Grant an account more organizations or permissions.', grantAccount)
}

function revokeCommand(settings: Settings): Command {
  return grants(settings, 'revoke', 'Revoke organizations or permissions of an account.', revokeAccount)
}

function grants(settings: Settings, name: string, description: string, change: typeof grantAccount): Command {
  return new Command(name)
    .description(description)
    .argument(...appId)
    .option('--org <corp_id...>', 'organizations', splitList)
    .option('--permissions <list>', 'permissions', splitList)
    .action(
      answering(
        settings,
        async ({ db, now }, app_id: string, options: Pick<Partial<CreateOptions>, 'org' | 'permissions'>) => {
          const wanted: Grants = { corp_ids: options.org ?? [], permissions: options.permissions ?? [] }
          if (wanted.corp_ids.length + wanted.permissions.length === 0)
            throw new Error('Name organizations with --org, or permissions with --permissions.')
          return changed(await change(db, app_id, wanted, now))
        },
      ),
    )
}

interface RotateOptions {
  revoke?: boolean
  keepOld?: Date | 'never'
  expires?: Date | 'never'
}

function rotateCommand(settings: Settings): Command {
  return new Command('rotate-secret')
    .description(
      'Create a new secret for an account and show it once. Tokens end with the secret that obtained them.',
    )
    .argument(...appId)
    .option('--keep-old <when>', 'end of the old secret: 2027-01-31, 7d (default: now)', readWhen)
    .option('--expires <when>', 'expiry of the new secret (default: never)', readWhen)
    .option('--revoke', 'end the tokens of every secret now, including those of a secret that is kept')
    .action(answering(settings, rotate))
}

async function rotate(
  { db, openKeyring, now }: Session,
  app_id: string,
  options: RotateOptions,
): Promise<Answer> {
  const { keepOld } = options
  if (keepOld === 'never') throw new Error('The old secret must end. Name a day or a duration.')
  const wanted = {
    app_id,
    revokesTokens: options.revoke ?? false,
    ...(keepOld && { oldUntil: keepOld }),
    secret_expires_at: dateOrNull(options.expires),
  }
  const rotated = await rotateSecret(db, await openKeyring(), wanted, now)
  const tokens =
    keepOld && !wanted.revokesTokens ? 'its earlier tokens end with it' : 'its earlier tokens have ended'
  const old = keepOld ? `; the old one is valid until ${keepOld.toISOString()}` : ''
  const heading = `The account has a new secret${old}, and ${tokens}:`
  return { json: rotated, text: withSecret(heading, rotated) }
}

function endOldCommand(settings: Settings): Command {
  return new Command('end-old-secret')
    .description('End the old secret of an account, and its tokens.')
    .argument(...appId)
    .action(answering(settings, endOld))
}

async function endOld({ db }: Session, app_id: string): Promise<Answer> {
  const ended = await endOldSecret(db, app_id)
  const text = ended.had_old_secret
    ? 'The old secret and its tokens have ended.'
    : 'There was no old secret. The current one stays valid.'
  return { json: ended, text }
}

function withSecret(heading: string, account: AccountWithSecret): string {
  return `${heading}\n${record({ ...account } satisfies AccountRecord)}\n\nKeep the secret now: it will not be shown again.`
}

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
    .addHelpText('after', timeStampHelp)
    .action(answering(settings, create))
  account.command('list').description('List the accounts.').action(answering(settings, list))
  account
    .command('limit')
    .description('Set or remove the rate limit of an account.')
    .argument('<app_id>', 'the account')
    .argument('<per_minute>', 'calls per minute, or none', readLimit)
    .action(answering(settings, limit))
  account
    .command('disable')
    .description('Disable an account and end its tokens.')
    .argument('<app_id>', 'the account')
    .action(answering(settings, disable))
  for (const command of [updateCommand, grantCommand, revokeCommand, rotateCommand, endOldCommand])
    account.addCommand(command(settings))
  return account
}

async function create({ db, openKeyring, now }: Session, options: CreateOptions): Promise<Answer> {
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
  const made = await createAccount(db, await openKeyring(), wanted, now)
  return { json: made, text: withSecret('Created the account:', made) }
}

async function list({ db }: Session): Promise<Answer> {
  const accounts = await listAccountRecords(db)
  return { json: { accounts }, text: tableOf(accounts) }
}

async function limit({ db, now }: Session, app_id: string, perMinute: Limit): Promise<Answer> {
  return changed(await changeAccount(db, app_id, { rate_limit_per_minute: numberOrNull(perMinute) }, now))
}

function changed(account: AccountRecord): Answer {
  return { json: account, text: `The account now has:\n${record({ ...account })}` }
}

async function disable({ db, now }: Session, app_id: string): Promise<Answer> {
  const ended = await endAccount(db, app_id, now)
  const text = `Disabled the account ${ended.app_id} (${visible(ended.name)}) and ended its tokens.`
  return { json: ended, text }
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
