import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { erasePerson } from '../changes/erasure/erase-person.ts'
import { findLeadMonths, storeLeadMonths } from '../changes/erasure/erase-store.ts'
import { finishErasures } from '../changes/erasure/finish-erasures.ts'
import { exportPerson } from '../changes/erasure/lift-erasure.ts'
import { eraseExpired, findExpired } from '../changes/erasure/retention.ts'
import { jsonOption, type Limit, numberOrNull, readLimit } from './options.ts'
import { print, table } from './output.ts'
import { addErasureCommands, eraserOf, erasureListOf } from './privacy-erasures.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

export function createCommand(settings: Settings): Command {
  const privacy = new Command('privacy')
  const org = ['--org <corp_id>', 'the organization'] as const
  const user = ['--user <user_id>', 'the user'] as const
  privacy
    .command('export')
    .description('Export all data about a person to a JSON file.')
    .requiredOption(...org)
    .requiredOption(...user)
    .requiredOption('--out <file>', 'where to write it')
    .option(...jsonOption)
    .action((options) => exportOne(settings, options))
  privacy
    .command('erase')
    .description('Erase a person. This cannot be undone.')
    .requiredOption(...org)
    .requiredOption(...user)
    .requiredOption('--reason <text>', 'reason of the erasure; it is kept, so do not name the person')
    .option('--confirm-debt', 'erase a person who still owes money')
    .option(...jsonOption)
    .action((options) => eraseOne(settings, options))
  privacy
    .command('retention')
    .description('Show or set the number of months after which people without orders are erased.')
    .requiredOption(...org)
    .option('--months <number>', 'months without activity; none: never erase', readLimit)
    .option(...jsonOption)
    .action((options) => retention(settings, options))
  privacy
    .command('sweep')
    .description('Erase the people whose retention period has ended, or list them.')
    .requiredOption(...org)
    .option('--dry-run', 'list them without erasing')
    .option(...jsonOption)
    .action((options) => sweep(settings, options))
  addErasureCommands(privacy, settings)
  return privacy
}

interface Chosen {
  org: string
  user: string
  json?: boolean
}

async function exportOne(
  settings: Settings,
  { org, user, out, json }: Chosen & { out: string },
): Promise<void> {
  await withDatabase(settings, async (session) => {
    const context = await eraserOf(session, org)
    const exported = await exportPerson(context, user)
    const note = { action: 'exported' as const, record_type: 'users', record_id: user, person_id: user }
    await context.db.transaction(async (tx) => tx.note(note))
    await writeFile(out, `${JSON.stringify(exported, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
  })
  print({ json: { user_id: user, file: out }, text: `Wrote ${out}.` }, json)
}

async function eraseOne(
  settings: Settings,
  { org, user, reason, confirmDebt: mayOwe, json }: Chosen & { reason: string; confirmDebt?: boolean },
): Promise<void> {
  const erased = await withDatabase(settings, async (session) => {
    const context = await eraserOf(session, org)
    const erased = await erasePerson(context, user, reason, { mayOwe })
    await finishErasures({ ...context, erasureList: erasureListOf(settings) })
    return erased
  })
  const text = `Erased ${erased.records} records. ${erased.orders} orders stay, without personal data.`
  print({ json: erased, text }, json)
}

async function retention(
  settings: Settings,
  { org, months, json }: { org: string; months?: Limit; json?: boolean },
): Promise<void> {
  const lead_months = await withDatabase(settings, async (session) => {
    const { db: on, organization } = await eraserOf(session, org)
    if (months !== undefined)
      await storeLeadMonths(on, organization.corp_id, readMonths(numberOrNull(months)))
    return (await findLeadMonths(on, organization.corp_id)) ?? null
  })
  const text =
    lead_months === null
      ? 'People are never erased automatically.'
      : `People without orders are erased after ${lead_months} months without activity.`
  print({ json: { lead_months }, text }, json)
}

function readMonths(months: number | null): number | null {
  if (months === null || (Number.isInteger(months) && months >= 1 && months <= 1200)) return months
  throw new Error('The months must be a whole number from 1 to 1200, or none.')
}

async function sweep(
  settings: Settings,
  { org, dryRun, json }: { org: string; dryRun?: boolean; json?: boolean },
): Promise<void> {
  const answer = await withDatabase(
    settings,
    async (session) => {
      const context = await eraserOf(session, org)
      if (dryRun) return { users: await findExpired(context, 1000), erased: 0 }
      let erased = 0
      for (let more = 1; more > 0; erased += more) more = await eraseExpired(context)
      await finishErasures({ ...context, erasureList: erasureListOf(settings) })
      return { users: [], erased }
    },
    withoutTimeouts,
  )
  const listed = table(answer.users, {
    user: 'user_id',
    since: ({ ctime }) => ctime.toISOString(),
  })
  print({ json: answer, text: dryRun ? listed : `Erased ${answer.erased} users.` }, json)
}
