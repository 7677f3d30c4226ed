import { Command } from 'commander'
import { addMasterKey, forgetOldKeys } from '../access/organizations/master-key.ts'
import {
  countSealedByOthers,
  countSecretsByKey,
  newestKeyOf,
  resealSecrets,
} from '../access/organizations/reseal-secrets.ts'
import { registerKeyIds, resealRegisters } from '../changes/erasure/reseal-registers.ts'
import type { Config } from '../config.ts'
import { countBar } from './count-bar.ts'
import { jsonOption } from './options.ts'
import { print, table } from './output.ts'
import { type Session, type Settings, withDatabase } from './session.ts'

export function keyCommand(settings: Settings): Command {
  const key = new Command('key')
  key
    .command('show')
    .description('Show the ids of the master keys, and how many secrets each has sealed.')
    .option(...jsonOption)
    .action((options) => show(settings, options))
  key
    .command('rotate')
    .description('Seal every secret with a new master key, while servers go on.')
    .option(...jsonOption)
    .action((options) => rotate(settings, options))
  key
    .command('forget')
    .description('Remove the old master keys from the data folder, once nothing is sealed with them.')
    .option(...jsonOption)
    .action((options) => forget(settings, options))
  return key
}

async function show(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  const keys = await withDatabase(settings, async ({ db, keyring }) => {
    const counts = await countSecretsByKey(db)
    const registers = await registerKeyIds(db)
    const known = keyring.tokenKeys.map(({ id }) => id)
    const ids = [...new Set([...known, ...counts.keys(), ...registers])]
    return ids.map((key_id) => ({
      key_id,
      is_known: known.includes(key_id),
      is_newest: key_id === known[0],
      secrets: (counts.get(key_id) ?? 0) + registers.filter((id) => id === key_id).length,
    }))
  })
  const columns = {
    key: (row: (typeof keys)[number]) => row.key_id,
    known: (row: (typeof keys)[number]) => row.is_known,
    newest: (row: (typeof keys)[number]) => row.is_newest,
    secrets: (row: (typeof keys)[number]) => row.secrets,
  }
  print({ json: { keys }, text: table(keys, columns) }, json)
}

/** A rotation that was cut off is finished first; only then another key is made. */
async function rotate(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  const config = settings()
  if (!(await isUnderWay(settings))) await makeKey(config)
  const bar = countBar('Sealing', json)
  const done = await withDatabase(settings, async ({ db, keyring }) => ({
    key_id: newestKeyOf(keyring),
    resealed:
      (await resealSecrets(db, keyring, bar.show)) +
      (await resealRegisters(db, keyring, newestKeyOf(keyring))),
    old_keys: keyring.tokenKeys.slice(1).map(({ id }) => id),
  })).finally(bar.stop)
  const text = [
    `${done.resealed} secrets are sealed with the master key ${done.key_id} now.`,
    config.masterKeys
      ? 'Take the old keys out of MATRICULA_KEY once every server has been started with the new one in front, two hours ago: tokens are signed with it, too.'
      : 'Restart the server when it suits you; after two more hours, matricula key forget removes the old key.',
  ]
  print({ json: done, text: text.join('\n') }, json)
}

async function isUnderWay(settings: Settings): Promise<boolean> {
  return withDatabase(settings, async (session) => (await countLeft(session)) > 0)
}

/** Secrets that an older key than the newest has sealed. */
async function countLeft({ db, keyring }: Session): Promise<number> {
  const newest = newestKeyOf(keyring)
  const registers = await registerKeyIds(db)
  return (await countSealedByOthers(db, newest)) + registers.filter((id) => id !== newest).length
}

async function makeKey({ masterKeys, dataDir }: Config): Promise<void> {
  if (!masterKeys) return addMasterKey(dataDir)
  throw new Error(
    'Every secret is sealed with the first key of MATRICULA_KEY: put a new one before it (openssl rand -hex 32), ' +
      'restart the servers one by one, and run this again.',
  )
}

async function forget(settings: Settings, { json }: { json?: boolean }): Promise<void> {
  const { masterKeys, dataDir } = settings()
  if (masterKeys) throw new Error('The master keys are those of MATRICULA_KEY: take the old ones out there.')
  const left = await withDatabase(settings, countLeft)
  if (left > 0) throw new Error(`Old keys have still sealed ${left} secrets: run matricula key rotate first.`)
  const forgotten = await forgetOldKeys(dataDir)
  print({ json: { forgotten }, text: `${forgotten} old master keys were removed.` }, json)
}
