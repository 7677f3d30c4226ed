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
} from '../organizations/manage-accounts.ts'
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

const appId = ['<app_id>', 'the account'] as const

interface UpdateOptions {
  rateLimit?: Limit
  strictTimeStamps?: boolean
  expires?: Date | 'never'
  addresses?: string[]
  signMoney?: boolean
  json?: boolean
}

export function updateCommand(settings: Settings): Command {
  return new Command('update')
    .description('Change what is given of an account, and leave the rest.')
    .argument(...appId)
    .option('--rate-limit <per_minute>', 'most calls a minute, or none', readLimit)
    .option('--strict-time-stamps', 'refuse time stamps that are old or were used before')
    .option('--no-strict-time-stamps', 'take any number as a time stamp')
    .option('--expires <when>', 'when it ends: 2027-01-31, 90d, never', readWhen)
    .option('--addresses <list>', 'networks that it may be used from (203.0.113.0/24), or any', splitList)
    .option('--sign-money', 'its calls that move money must be signed')
    .option('--no-sign-money', 'its calls need no signature')
    .option(...jsonOption)
    .action((app_id, options) => update(settings, app_id, options))
}

async function update(settings: Settings, app_id: string, options: UpdateOptions): Promise<void> {
  const wanted = {
    rate_limit_per_minute: numberOrNull(options.rateLimit),
    strict_time_stamps: options.strictTimeStamps,
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
  return grants(settings, 'grant', 'Let an account work for more organizations, or do more.', grantAccount)
}

export function revokeCommand(settings: Settings): Command {
  return grants(settings, 'revoke', 'Take organizations or permissions from an account.', revokeAccount)
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
    .description('Give an account a new secret and show it, once.')
    .argument(...appId)
    .option('--keep-old <when>', 'until when the old one works, too: 2027-01-31, 7d', readWhen)
    .option('--expires <when>', 'when the new one ends (default: never)', readWhen)
    .option('--revoke', 'end the tokens that were issued before')
    .option(...jsonOption)
    .action((app_id, options) => rotate(settings, app_id, options))
}

async function rotate(settings: Settings, app_id: string, options: RotateOptions): Promise<void> {
  const { keepOld } = options
  if (keepOld === 'never') throw new Error('The old secret must end some time.')
  const wanted = {
    app_id,
    revokeTokens: options.revoke ?? false,
    ...(keepOld && { oldUntil: keepOld }),
    secret_expires_at: dateOrNull(options.expires),
  }
  const rotated = await withDatabase(settings, ({ db, keyring, now }) =>
    rotateSecret(db, keyring, wanted, now),
  )
  const tokens = wanted.revokeTokens
    ? 'its earlier tokens have ended'
    : 'its earlier tokens live until they expire'
  const old = keepOld ? `; the old one works until ${keepOld.toISOString()}` : ''
  const heading = `The account has a new secret${old}, and ${tokens}:`
  print({ json: rotated, text: withSecret(heading, rotated) }, options.json)
}

export function endOldCommand(settings: Settings): Command {
  return new Command('end-old-secret')
    .description('End the secret of before a rotation now.')
    .argument(...appId)
    .option('--revoke', 'end the tokens that were issued before')
    .option(...jsonOption)
    .action(async (app_id, { revoke, json }: { revoke?: boolean; json?: boolean }) => {
      const wanted = { app_id, revokeTokens: revoke ?? false }
      const ended = await withDatabase(settings, ({ db, now }) => endOldSecret(db, wanted, now))
      const text = ended.had_old_secret
        ? 'The old secret has ended.'
        : 'There was no old secret; the one of now goes on working.'
      print({ json: ended, text }, json)
    })
}

export function withSecret(heading: string, account: AccountWithSecret): string {
  return `${heading}\n${record({ ...account } satisfies AccountRecord)}\n\nKeep the secret now: it will not be shown again.`
}
