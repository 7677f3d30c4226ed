import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { knownOrganization } from '../organizations/organization-store.ts'
import { askProvider } from '../staff/provider/check-provider.ts'
import { removeProvider, setProvider, type WantedProvider } from '../staff/provider/manage-provider.ts'
import { findProvider, type Provider } from '../staff/provider/provider-store.ts'
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
    .description('Show the provider; its secret is never shown.')
    .argument(...corpId)
    .option(...jsonOption)
    .action((corp_id, options) => show(settings, corp_id, options))
  oidc
    .command('set')
    .description('Set the provider, once it answers. It must know our address, with /sign-in behind it.')
    .argument(...corpId)
    .requiredOption('--issuer <url>', 'where the provider describes itself, without /.well-known')
    .requiredOption('--client-id <id>', 'what the provider calls this service')
    .requiredOption(
      '--client-secret-file <file>',
      'a file with the secret that the provider gave, - for standard input',
    )
    .option(
      '--email-domains <list>',
      'domains that addresses must have (default: any that was invited)',
      splitList,
    )
    .option('--trust-emails', 'take addresses as verified where the provider does not say so')
    .addOption(
      new Option('--default-role <role>', 'let everybody of these domains in, as this').choices([
        ...['counsellor', 'finance', 'viewer'],
      ]),
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
  const shown = provider ? record({ ...provider }) : nobody
  print({ json: { provider }, text: shown }, json)
}

async function set(settings: Settings, corp_id: string, options: SetOptions): Promise<void> {
  const wanted: WantedProvider = {
    corp_id,
    issuer: options.issuer,
    client_id: options.clientId,
    client_secret: await readSecret(options.clientSecretFile),
    email_domains: options.emailDomains?.map((domain) => domain.toLowerCase()),
    trusts_emails: options.trustEmails,
    default_role: options.defaultRole,
  }
  if (options.check) await refuseSilent(wanted, settings().privateProviders)
  const provider = await withDatabase(settings, async ({ db, keyring, now }) => {
    await knownOrganization(db.shared, corp_id)
    return setProvider(db.of(corp_id), keyring, wanted, now)
  })
  print({ json: { provider }, text: `Staff may sign in by:\n${record({ ...provider })}` }, options.json)
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
  const { problem } = await askProvider({ corp_id, issuer, allowsPrivate })
  if (problem)
    throw new Error(
      `The provider does not answer as it should (${problem}): check --issuer, or pass --no-check.`,
    )
}
