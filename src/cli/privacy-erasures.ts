import type { Command } from 'commander'
import { knownOrganization, listOrganizations } from '../access/organizations/organization-store.ts'
import { erasureFiles } from '../backup/erasure-files.ts'
import { type AppliedErasures, applyErasures } from '../changes/erasure/apply-erasures.ts'
import { readLists } from '../changes/erasure/erasure-list.ts'
import { createErasureList, type ErasureList, finishErasures } from '../changes/erasure/finish-erasures.ts'
import { liftOne } from '../changes/erasure/lift-erasure.ts'
import { findErasurePage } from '../changes/erasure/tombstone-store.ts'
import { programAccount } from '../contract/caller.ts'
import { isEmail } from '../contract/formats.ts'
import { readPhoneNumber } from '../people/users/phone-number.ts'
import type { Person } from '../people/users/user-plan.ts'
import { type Answer, table } from './output.ts'
import { answering, type Session, type Settings, withoutTimeouts } from './session.ts'

/** The commands of `privacy` that list, lift, export and apply erasures. */
export function addErasureCommands(privacy: Command, settings: Settings): void {
  const org = ['--org <corp_id>', 'the organization'] as const
  privacy
    .command('erasures')
    .description('List erased people by id, and whether each erasure is in force.')
    .requiredOption(...org)
    .action(answering(settings, list))
  privacy
    .command('lift')
    .description('Lift the erasure of a person who wants to come back.')
    .requiredOption(...org)
    .option(
      '--mobile <number>',
      'the complete number; without a calling code, a number of the organization’s country',
    )
    .option('--email <address>', 'the complete address')
    .action(answering(settings, lift(settings)))
  privacy
    .command('export-erasures')
    .description('Write all erasures to a list outside the database, as ids and keyed hashes.')
    .requiredOption('--out <file>', 'the list, which is made where there is none')
    .action(answering(settings, exportAll))
  privacy
    .command('apply-erasures')
    .description('Erase the people of a list again, after a database was restored by other tools.')
    .requiredOption('--file <file>', 'the list')
    .action(answering(settings, apply, withoutTimeouts))
}

/** Lists of the embedded database. With DATABASE_URL, a server updates the lists. */
export function erasureListOf(settings: Settings): ErasureList | undefined {
  const { databaseUrl, dataDir } = settings()
  return databaseUrl === undefined ? createErasureList(() => erasureFiles(dataDir)) : undefined
}

export async function eraserOf({ db, openKeyring, now }: Session, corp_id: string) {
  const organization = await knownOrganization(db.shared, corp_id)
  const on = db.of(corp_id)
  const account = programAccount(on.origin.actor_id, 'Command line')
  return { db: on, organization, account, keyring: await openKeyring(), now }
}

const mostListed = 100

async function list(session: Session, { org }: { org: string }): Promise<Answer> {
  const { db, organization } = await eraserOf(session, org)
  const found = await findErasurePage(db, organization, { limit: mostListed, offset: 0 })
  const text = table(found.list, {
    user: 'user_id',
    time: 'time',
    reason: 'reason',
    contacts: 'contacts',
    complete: 'is_complete',
    lifted: ({ lifted_time }) => lifted_time || '-',
  })
  return { json: { total: found.total, erasures: found.list }, text }
}

function lift(settings: Settings) {
  return async (
    session: Session,
    { org, ...contact }: { org: string; mobile?: string; email?: string },
  ): Promise<Answer> => {
    const context = await eraserOf(session, org)
    const lifted = await liftOne(context, contactOf(contact, context.organization.country))
    await finishErasures({ ...context, erasureList: erasureListOf(settings) })
    const text = `Lifted: ${lifted.contacts} contacts of ${lifted.user_ids.join(', ')} may be imported again.`
    return { json: lifted, text }
  }
}

function contactOf({ mobile, email }: { mobile?: string; email?: string }, country: string): Person {
  if ((mobile === undefined) === (email === undefined)) throw new Error('Name either --mobile or --email.')
  if (email !== undefined) {
    if (!isEmail(email)) throw new Error('--email must be a complete e-mail address.')
    return { email }
  }
  const number = readPhoneNumber(mobile!, { country })
  if (!number) throw new Error('--mobile must be a complete number, such as +86 138 0013 8000.')
  return number
}

async function exportAll({ db }: Session, { out }: { out: string }): Promise<Answer> {
  const list = createErasureList(async () => [out])
  const all = await listOrganizations(db.shared)
  for (const { corp_id } of all) await list.publish(db.of(corp_id), corp_id)
  const text = `Wrote the erasures of ${all.length} organizations to ${out}.`
  return { json: { file: out, organizations: all.length }, text }
}

async function apply({ db, openKeyring }: Session, { file }: { file: string }): Promise<Answer> {
  const listed = await readLists([file])
  if (listed.size === 0) throw new Error(`The file ${file} is not a list of erasures, or is empty.`)
  const applied = await applyErasures(db, listed, await openKeyring())
  if (applied.failed.length > 0) process.exitCode = 1
  const lines = describeErasures(applied)
  return { json: applied, text: lines.join('\n') || 'Nobody on the list was in the database.' }
}

/** The outcome of an applied list, with ids only. */
export function describeErasures(applied: AppliedErasures | null): string[] {
  if (!applied)
    return ['A server erases the people of the list of erasures again at start-up, before it serves.']
  const { erased, failed, contacts } = applied
  const columns = {
    organization: ({ corp_id }: { corp_id: string }) => corp_id,
    person: ({ user_id }: { user_id: string }) => user_id,
  }
  return [
    ...(erased.length > 0
      ? [`Erased again because of the list of erasures:\n${table(erased, columns)}`]
      : []),
    ...(contacts > 0 ? [`${contacts} contacts of erased people are blocked again.`] : []),
    ...(failed.length > 0
      ? [`These could not be erased again:\n${table(failed, { ...columns, reason: ({ reason }) => reason })}`]
      : []),
  ]
}
