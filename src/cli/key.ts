import { Command } from 'commander'
import { resealMails } from '../access/mail/reseal-mails.ts'
import { keyIdOf } from '../access/organizations/keyring.ts'
import { addMasterKey, removeOldKeys } from '../access/organizations/master-key.ts'
import { resealSecrets } from '../access/organizations/reseal-secrets.ts'
import { countSealedByOthers, countSecretsByKey } from '../access/organizations/sealing-keys.ts'
import { resealRegisters } from '../changes/erasure/reseal-registers.ts'
import type { Config } from '../config.ts'
import { resealWebhooks } from '../events/webhooks/reseal-webhooks.ts'
import { findMasterKeys } from '../open-keyring.ts'
import { type Answer, print, table } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { answering, type Session, type Settings, withDatabase } from './session.ts'

export function createCommand(settings: Settings): Command {
  const key = new Command('key')
  key
    .command('show')
    .description('Show the ids of the master keys, and the number of secrets encrypted with each.')
    .action(answering(settings, (session) => show(session, settings())))
  key
    .command('rotate')
    .description('Encrypt every secret with a new master key, while servers run.')
    .action((options) => rotate(settings, options))
  key
    .command('forget')
    .description('Remove old master keys from the data folder, when no secret uses them.')
    .action((options) => forget(settings, options))
  return key
}

/** Works without the keys too: it shows which are missing. */
async function show({ db }: Session, config: Config): Promise<Answer> {
  const counts = await countSecretsByKey(db)
  const known = ((await findMasterKeys(config)) ?? []).map(keyIdOf)
  const ids = [...new Set([...known, ...counts.keys()])]
  const keys = ids.map((key_id) => ({
    key_id,
    is_known: known.includes(key_id),
    is_newest: key_id === known[0],
    secrets: counts.get(key_id) ?? 0,
  }))
  const columns = { key: 'key_id', known: 'is_known', newest: 'is_newest', secrets: 'secrets' } as const
  return { json: { keys }, text: table(keys, columns) }
}

/** Completes an interrupted rotation first, before it creates another key. */
async function rotate(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  const config = settings()
  if (!(await isUnderWay(settings))) await makeKey(config)
  const bar = progressBar('Encrypting', json)
  const done = await withDatabase(settings, async ({ db, openKeyring }) => {
    const keyring = await openKeyring()
    return {
      key_id: keyring.newestKeyId,
      resealed:
        (await resealSecrets(db, keyring, bar.show)) +
        (await resealRegisters(db, keyring, keyring.newestKeyId)) +
        (await resealWebhooks(db, keyring)) +
        (await resealMails(db, keyring)),
      old_keys: keyring.tokenKeys.slice(1).map(({ id }) => id),
    }
  }).finally(bar.stop)
  const text = [
    `${done.resealed} secrets are now encrypted with the master key ${done.key_id}.`,
    config.masterKeys
      ? 'Tokens are signed with the master key too. Restart every server with the new key first in MATRICULA_KEY, wait two hours, then remove the old keys.'
      : 'Restart the server. After two more hours, remove the old key with matricula key forget.',
  ]
  print({ json: done, text: text.join('\n') }, json)
}

async function isUnderWay(settings: Settings): Promise<boolean> {
  return withDatabase(settings, async (session) => (await countLeft(session)) > 0)
}

/** Number of secrets that are encrypted with an old key. */
async function countLeft({ db, openKeyring }: Session): Promise<number> {
  return countSealedByOthers(db, (await openKeyring()).newestKeyId)
}

async function makeKey({ masterKeys, dataDir }: Config): Promise<void> {
  if (!masterKeys) return addMasterKey(dataDir)
  throw new Error(
    'Every secret uses the first key of MATRICULA_KEY. Put a new key before it (openssl rand -hex 32), restart the ' +
      'servers one by one, and run this command again.',
  )
}

async function forget(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  const { masterKeys, dataDir } = settings()
  if (masterKeys) throw new Error('The master keys come from MATRICULA_KEY. Remove the old ones there.')
  const left = await withDatabase(settings, countLeft)
  if (left > 0) throw new Error(`Old keys still encrypt ${left} secrets. Run matricula key rotate first.`)
  const forgotten = await removeOldKeys(dataDir)
  print({ json: { forgotten }, text: `Removed ${forgotten} old master keys.` }, json)
}
