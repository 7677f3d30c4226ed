import { Command } from 'commander'
import { listLeftAlone } from '../changes/undo/change-batch-store.ts'
import { undoBatch } from '../changes/undo/undo-batch.ts'
import { contextOf } from './import-command.ts'
import { type Answer, record, table } from './output.ts'
import { answering, type Session, type Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  return new Command('undo')
    .argument('<batch>', 'batch_id of an import, a bulk edit, a merge or an undo')
    .requiredOption('--org <corp_id>', 'the organization')
    .action(answering(settings, undo))
}

const mostShown = 100

async function undo(session: Session, batch_id: string, { org }: { org: string }): Promise<Answer> {
  const context = await contextOf(session, org)
  const done = await undoBatch(context, batch_id)
  const found = await listLeftAlone(context.db, org, done.batch_id, { limit: mostShown, offset: 0 })
  const left = found.map(({ left_alone, ...rest }) => ({ ...rest, ...left_alone }))
  const { removed = 0, restored = 0, left_alone = 0 } = done.counts
  const { removed_leads = 0, removed_users = 0, restored_users = 0 } = done.counts
  const counts = { removed, removed_leads, removed_users, restored, restored_users, left_alone }
  const json = { batch_id: done.batch_id, undone_batch_id: batch_id, ...counts, first_left_alone: left }
  const parts = [`Undid the batch:\n${record({ batch_id: done.batch_id, ...counts })}`]
  if (left.length > 0)
    parts.push(
      `Kept, because they were changed since:\n${table(left, ['record_type', 'record_id', 'reason', 'members'])}`,
    )
  return { json, text: parts.join('\n\n') }
}
