import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { askProvider } from '../access/staff/provider/check-provider.ts'
import { removeProvider, setProvider, type WantedProvider } from '../access/staff/provider/manage-provider.ts'
import { providerProblems } from '../access/staff/provider/openid.ts'
import { findProvider, type Provider } from '../access/staff/provider/provider-store.ts'
import { redirectAddressOf } from '../access/staff/provider/redirect-address.ts'
import { type Answer, print, record, splitList } from './output.ts'
import { answering, type Session, type Settings, withDatabase } from './session.ts'

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

const nobody = 'This organization has no provider.'

export function oidcCommand(settings: Settings): Command {
  const oidc = new Command('oidc').description('Manage the OpenID Connect provider of an organization.')
  const corpId = ['<corp_id>', 'the organization'] as const
  oidc
    .command('show')
    .description('Show the provider and its redirect URI. The secret is never shown.')
    .argument(...corpId)
    .action(answering(settings, show(settings)))
  oidc
    .command('set')
    .description(
      'Set the provider after a test call. Register the printed redirect_uri at the provider; each organization has its own.',
    )
    .argument(...corpId)
    .requiredOption('--issuer <url>', 'where the provider describes itself, without /.well-known')
    .requiredOption('--client-id <id>', 'client id of this service at the provider')
    .requiredOption('--client-secret-file <file>', 'file with the client secret; - for standard input')
    .option(
      '--email-domains <list>',
      'e-mail domains that may sign in (default: any invited address); new domains need verification (org domain)',
      splitList,
    )
    .option('--trust-emails', 'take addresses as verified where the provider does not say so')
    .addOption(
      new Option('--default-role <role>', 'role for everyone of the verified domains').choices([
        ...['counsellor', 'finance', 'viewer'],
      ]),
    )
    .option('--no-check', 'skip the test call to the provider')
    .action((corp_id, options) => set(settings, corp_id, options))
  oidc
    .command('remove')
    .description('Remove the provider.')
    .argument(...corpId)
    .action(answering(settings, remove))
  return oidc
}

function show(settings: Settings) {
  return async ({ db }: Session, corp_id: string): Promise<Answer> => {
    await knownOrganization(db.shared, corp_id)
    const provider = (await findProvider(db.of(corp_id), corp_id)) ?? null
    const redirect_uri = redirectOf(settings, corp_id)
    const text = provider ? record({ ...provider, redirect_uri }) : `${nobody}\n${record({ redirect_uri })}`
    return { json: { provider, redirect_uri }, text }
  }
}

/** Without a public address, browsers can only reach the service at localhost. */
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
  const provider = await withDatabase(settings, async ({ db, openKeyring, now }) => {
    await knownOrganization(db.shared, corp_id)
    return setProvider(db.of(corp_id), await openKeyring(), wanted, now)
  })
  const redirect_uri = redirectOf(settings, corp_id)
  const text = `Set the provider:\n${record({ ...provider, redirect_uri })}`
  print({ json: { provider, redirect_uri }, text }, options.json)
}

async function remove({ db }: Session, corp_id: string): Promise<Answer> {
  await removeProvider(db.of(corp_id), corp_id)
  return { json: { provider: null }, text: nobody }
}

async function readSecret(file: string): Promise<string> {
  const secret = (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim()
  if (secret === '') throw new Error('The file with the secret is empty.')
  return secret
}

/** Fails now rather than at the first sign-in. */
async function refuseSilent({ corp_id, issuer }: WantedProvider, allowsPrivate: boolean): Promise<void> {
  const { reason } = await askProvider({ corp_id, issuer, allowsPrivate })
  if (reason) throw new Error(`${providerProblems[reason]} Check --issuer, or pass --no-check.`)
}
