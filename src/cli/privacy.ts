import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { forgetPayer } from '../changes/erasure/erase-payer.ts'
import { erasePerson } from '../changes/erasure/erase-person.ts'
import { findLeadMonths, storeLeadMonths } from '../changes/erasure/erase-store.ts'
import { finishErasures } from '../changes/erasure/finish-erasures.ts'
import { exportPerson } from '../changes/erasure/lift-erasure.ts'
import { eraseExpired, findExpired } from '../changes/erasure/retention.ts'
import { asSurvivor } from '../people/users/as-survivor.ts'
import { type Answer, type Limit, numberOrNull, readLimit, table } from './output.ts'
import { addErasureCommands, eraserOf, erasureListOf } from './privacy-erasures.ts'
import { answering, type Session, type Settings, withoutTimeouts } from './session.ts'

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
    .action(answering(settings, exportOne))
  privacy
    .command('erase')
    .description('Erase a person. This cannot be undone.')
    .requiredOption(...org)
    .requiredOption(...user)
    .requiredOption('--reason <text>', 'reason of the erasure; it is kept, so do not name the person')
    .option('--confirm-debt', 'erase a person who still owes money')
    .action(answering(settings, eraseOne(settings)))
  privacy
    .command('erase-payer')
    .description('Erase a payer who is not a user. This cannot be undone.')
    .requiredOption(...org)
    .requiredOption('--payer <payer_id>', 'the payer; finance payers lists them')
    .requiredOption('--reason <text>', 'reason of the erasure; it is kept, so do not name the payer')
    .option('--confirm-debt', 'erase a payer who owes money, or whose money no order has')
    .action(answering(settings, erasePayer(settings)))
  privacy
    .command('retention')
    .description('Show or set the number of months after which people without orders are erased.')
    .requiredOption(...org)
    .option('--months <number>', 'months without activity; none: never erase', readLimit)
    .action(answering(settings, retention))
  privacy
    .command('sweep')
    .description('Erase the people whose retention period has ended, or list them.')
    .requiredOption(...org)
    .option('--dry-run', 'list them without erasing')
    .action(answering(settings, sweep(settings), withoutTimeouts))
  addErasureCommands(privacy, settings)
  return privacy
}

interface Chosen {
  org: string
  user: string
}

async function exportOne(session: Session, { org, user, out }: Chosen & { out: string }): Promise<Answer> {
  const context = await eraserOf(session, org)
  const { user_id, exported } = await asSurvivor(context, { user_id: user }, async ({ user_id }) => ({
    user_id,
    exported: await exportPerson(context, user_id),
  }))
  const note = { action: 'exported' as const, record_type: 'users', record_id: user_id, person_id: user_id }
  await context.db.transaction(async (tx) => tx.note(note))
  await writeFile(out, `${JSON.stringify(exported, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
  return { json: { user_id, file: out }, text: `Wrote ${out}.` }
}

function eraseOne(settings: Settings) {
  return async (
    session: Session,
    { org, user, reason, confirmDebt: mayOwe }: Chosen & { reason: string; confirmDebt?: boolean },
  ): Promise<Answer> => {
    const context = await eraserOf(session, org)
    const erased = await asSurvivor(context, { user_id: user }, ({ user_id }) =>
      erasePerson(context, user_id, reason, { mayOwe }),
    )
    await finishErasures({ ...context, erasureList: erasureListOf(settings) })
    const text = `Erased ${erased.records} records. ${erased.orders} orders stay, without personal data.`
    return { json: erased, text }
  }
}

interface ErasedPayer {
  org: string
  payer: string
  reason: string
  confirmDebt?: boolean
}

function erasePayer(settings: Settings) {
  return async (session: Session, options: ErasedPayer): Promise<Answer> => {
    const { org, payer, reason, confirmDebt: mayOwe } = options
    const context = await eraserOf(session, org)
    const erased = await forgetPayer(context, payer, reason, { mayOwe })
    await finishErasures({ ...context, erasureList: erasureListOf(settings) })
    const text = erased.is_erased ? 'Erased the payer. Its payments stay, without a name.' : 'Erased before.'
    return { json: erased, text }
  }
}

async function retention(
  session: Session,
  { org, months }: { org: string; months?: Limit },
): Promise<Answer> {
  const { db: on, organization } = await eraserOf(session, org)
  if (months !== undefined) await storeLeadMonths(on, organization.corp_id, readMonths(numberOrNull(months)))
  const lead_months = (await findLeadMonths(on, organization.corp_id)) ?? null
  const text =
    lead_months === null
      ? 'People are never erased automatically.'
      : `People without orders are erased after ${lead_months} months without activity.`
  return { json: { lead_months }, text }
}

function readMonths(months: number | null): number | null {
  if (months === null || (Number.isInteger(months) && months >= 1 && months <= 1200)) return months
  throw new Error('The months must be a whole number from 1 to 1200, or none.')
}

function sweep(settings: Settings) {
  return async (session: Session, { org, dryRun }: { org: string; dryRun?: boolean }): Promise<Answer> => {
    const context = await eraserOf(session, org)
    if (dryRun) {
      const users = await findExpired(context, 1000)
      const text = table(users, { user: 'user_id', since: ({ ctime }) => ctime.toISOString() })
      return { json: { users, erased: 0 }, text }
    }
    let erased = 0
    for (let more = 1; more > 0; erased += more) more = await eraseExpired(context)
    await finishErasures({ ...context, erasureList: erasureListOf(settings) })
    return { json: { users: [], erased }, text: `Erased ${erased} users.` }
  }
}
