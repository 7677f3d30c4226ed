import { Command } from 'commander'
import {
  type AccountRecord,
  type AccountWithSecret,
  changeAccount,
  endOldSecret,
  type Grants,
  grantAccount,
  revokeAccount,
  rotateSecret,
} from '../access/organizations/manage-accounts.ts'
import { timeStampRules } from '../contract/time-stamps.ts'
import {
  dateOrNull,
  jsonOption,
  type Limit,
  numberOrNull,
  readLimit,
  readWhen,
  splitList,
} from './options.ts'
import { print, record } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

/** Explains each rule, after the options of a command. */
export const timeStampHelp = [
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
  json?: boolean
}

export function updateCommand(settings: Settings): Command {
  return new Command('update')
    .description('Change the given settings of an account.')
    .argument(...appId)
    .option('--rate-limit <per_minute>', 'calls per minute, or none', readLimit)
    .option('--time-stamps <rule>', 'time stamps of its token requests: any, recent or once')
    .option('--expires <when>', 'expiry of the account: 2027-01-31, 90d, never', readWhen)
    .option('--addresses <list>', 'networks that it may be used from (203.0.113.0/24), or any', splitList)
    .option('--sign-money', 'require signatures for calls that move money')
    .option('--no-sign-money', 'require no signatures')
    .option(...jsonOption)
    .addHelpText('after', timeStampHelp)
    .action((app_id, options) => update(settings, app_id, options))
}

async function update(settings: Settings, app_id: string, options: UpdateOptions): Promise<void> {
  const wanted = {
    rate_limit_per_minute: numberOrNull(options.rateLimit),
    time_stamps: options.timeStamps,
    expires_at: dateOrNull(options.expires),
    allowed_networks: readAddresses(options.addresses),
    signs_money: options.signMoney,
  }
  const changed = await withDatabase(settings, ({ db, now }) => changeAccount(db, app_id, wanted, now))
  print({ json: changed, text: `The account now has:\n${record({ ...changed })}` }, options.json)
}

export function readAddresses(texts: string[] | undefined): string[] | undefined {
  return texts?.length === 1 && texts[0] === 'any' ? [] : texts
}

export function grantCommand(settings: Settings): Command {
  return grants(settings, 'grant', 'Grant an account more organizations or permissions.', grantAccount)
}

export function revokeCommand(settings: Settings): Command {
  return grants(settings, 'revoke', 'Revoke organizations or permissions of an account.', revokeAccount)
}

function grants(settings: Settings, name: string, description: string, change: typeof grantAccount): Command {
  return new Command(name)
    .description(description)
    .argument(...appId)
    .option('--org <corp_id...>', 'organizations', splitList)
    .option('--permissions <list>', 'permissions', splitList)
    .option(...jsonOption)
    .action(async (app_id, options: { org?: string[]; permissions?: string[]; json?: boolean }) => {
      const wanted: Grants = { corp_ids: options.org ?? [], permissions: options.permissions ?? [] }
      if (wanted.corp_ids.length + wanted.permissions.length === 0)
        throw new Error('Name organizations with --org, or permissions with --permissions.')
      const changed = await withDatabase(settings, ({ db, now }) => change(db, app_id, wanted, now))
      print({ json: changed, text: `The account now has:\n${record({ ...changed })}` }, options.json)
    })
}

interface RotateOptions {
  revoke?: boolean
  keepOld?: Date | 'never'
  expires?: Date | 'never'
  json?: boolean
}

export function rotateCommand(settings: Settings): Command {
  return new Command('rotate-secret')
    .description(
      'Create a new secret for an account and show it once. Tokens end with the secret that obtained them.',
    )
    .argument(...appId)
    .option('--keep-old <when>', 'end of the old secret: 2027-01-31, 7d (default: now)', readWhen)
    .option('--expires <when>', 'expiry of the new secret (default: never)', readWhen)
    .option('--revoke', 'end the tokens of every secret now, including those of a secret that is kept')
    .option(...jsonOption)
    .action((app_id, options) => rotate(settings, app_id, options))
}

async function rotate(settings: Settings, app_id: string, options: RotateOptions): Promise<void> {
  const { keepOld } = options
  if (keepOld === 'never') throw new Error('The old secret must end. Name a day or a duration.')
  const wanted = {
    app_id,
    revokesTokens: options.revoke ?? false,
    ...(keepOld && { oldUntil: keepOld }),
    secret_expires_at: dateOrNull(options.expires),
  }
  const rotated = await withDatabase(settings, ({ db, keyring, now }) =>
    rotateSecret(db, keyring, wanted, now),
  )
  const tokens =
    keepOld && !wanted.revokesTokens ? 'its earlier tokens end with it' : 'its earlier tokens have ended'
  const old = keepOld ? `; the old one is valid until ${keepOld.toISOString()}` : ''
  const heading = `The account has a new secret${old}, and ${tokens}:`
  print({ json: rotated, text: withSecret(heading, rotated) }, options.json)
}

export function endOldCommand(settings: Settings): Command {
  return new Command('end-old-secret')
    .description('End the old secret of an account, and its tokens.')
    .argument(...appId)
    .option(...jsonOption)
    .action(async (app_id, { json }: { json?: boolean }) => {
      const ended = await withDatabase(settings, ({ db }) => endOldSecret(db, app_id))
      const text = ended.had_old_secret
        ? 'The old secret and its tokens have ended.'
        : 'There was no old secret. The current one stays valid.'
      print({ json: ended, text }, json)
    })
}

export function withSecret(heading: string, account: AccountWithSecret): string {
  return `${heading}\n${record({ ...account } satisfies AccountRecord)}\n\nKeep the secret now: it will not be shown again.`
}
