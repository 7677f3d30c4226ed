import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { askProvider } from '../access/staff/provider/check-provider.ts'
import { removeProvider, setProvider, type WantedProvider } from '../access/staff/provider/manage-provider.ts'
import { providerProblems } from '../access/staff/provider/provider-error.ts'
import { findProvider, type Provider } from '../access/staff/provider/provider-store.ts'
import { redirectAddressOf } from '../access/staff/provider/redirect-address.ts'
import { jsonOption, splitList } from './options.ts'
import { print, record } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

interface SetOptions {
  issuer: string
  clientId: string
  clientSecretFile: string
  emailDomains?: string[]
  trustEmails?: boolean
  defaultRole?: NonNullable<Provider['default_role']>
  check: boolean
  json?: boolean
}

const nobody = 'Staff of this organization sign in by no provider.'

export function oidcCommand(settings: Settings): Command {
  const oidc = new Command('oidc').description('The OpenID Connect provider that staff may sign in by.')
  const corpId = ['<corp_id>', 'the organization'] as const
  oidc
    .command('show')
    .description(
      'Show the provider and the address to register at it as redirect URI; its secret is never shown.',
    )
    .argument(...corpId)
    .option(...jsonOption)
    .action((corp_id, options) => show(settings, corp_id, options))
  oidc
    .command('set')
    .description(
      'Set the provider, once it answers. Register the redirect_uri that is printed at the provider: each organization has its own.',
    )
    .argument(...corpId)
    .requiredOption('--issuer <url>', 'where the provider describes itself, without /.well-known')
    .requiredOption('--client-id <id>', 'what the provider calls this service')
    .requiredOption(
      '--client-secret-file <file>',
      'a file with the secret that the provider gave, - for standard input',
    )
    .option(
      '--email-domains <list>',
      'domains that addresses must have (default: any that was invited); new ones wait for verification (org domain)',
      splitList,
    )
    .option('--trust-emails', 'take addresses as verified where the provider does not say so')
    .addOption(
      new Option(
        '--default-role <role>',
        'let everybody of these domains in, once they are verified, as this',
      ).choices([...['counsellor', 'finance', 'viewer']]),
    )
    .option('--no-check', 'do not ask the provider first')
    .option(...jsonOption)
    .action((corp_id, options) => set(settings, corp_id, options))
  oidc
    .command('remove')
    .description('Let nobody sign in by the provider any more.')
    .argument(...corpId)
    .option(...jsonOption)
    .action((corp_id, options) => remove(settings, corp_id, options))
  return oidc
}

async function show(settings: Settings, corp_id: string, { json }: { json?: boolean }): Promise<void> {
  const provider = await withDatabase(settings, async ({ db }) => {
    await knownOrganization(db.shared, corp_id)
    return (await findProvider(db.of(corp_id), corp_id)) ?? null
  })
  const redirect_uri = redirectOf(settings, corp_id)
  const shown = provider ? record({ ...provider, redirect_uri }) : `${nobody}\n${record({ redirect_uri })}`
  print({ json: { provider, redirect_uri }, text: shown }, json)
}

/** Without a public address, browsers reach the service at localhost only. */
function redirectOf(settings: Settings, corp_id: string): string {
  const { publicUrl, port } = settings()
  return redirectAddressOf(publicUrl?.origin ?? `http://localhost:${port}`, corp_id)
}

async function set(settings: Settings, corp_id: string, options: SetOptions): Promise<void> {
  const wanted: WantedProvider = {
    corp_id,
    issuer: options.issuer,
    client_id: options.clientId,
    client_secret: await readSecret(options.clientSecretFile),
    email_domains: options.emailDomains,
    trusts_emails: options.trustEmails,
    default_role: options.defaultRole,
  }
  if (options.check) await refuseSilent(wanted, settings().privateProviders)
  const provider = await withDatabase(settings, async ({ db, keyring, now }) => {
    await knownOrganization(db.shared, corp_id)
    return setProvider(db.of(corp_id), keyring, wanted, now)
  })
  const redirect_uri = redirectOf(settings, corp_id)
  const text = `Staff may sign in by:\n${record({ ...provider, redirect_uri })}`
  print({ json: { provider, redirect_uri }, text }, options.json)
}

async function remove(settings: Settings, corp_id: string, { json }: { json?: boolean }): Promise<void> {
  await withDatabase(settings, ({ db }) => removeProvider(db.of(corp_id), corp_id))
  print({ json: { provider: null }, text: nobody }, json)
}

async function readSecret(file: string): Promise<string> {
  const secret = (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim()
  if (secret === '') throw new Error('The file of the secret is empty.')
  return secret
}

/** Better now than when the first person wants to sign in. */
async function refuseSilent({ corp_id, issuer }: WantedProvider, allowsPrivate: boolean): Promise<void> {
  const { reason } = await askProvider({ corp_id, issuer, allowsPrivate })
  if (reason) throw new Error(`${providerProblems[reason]} Check --issuer, or pass --no-check.`)
}
