import { Command } from 'commander'
import { confirmStaff } from '../access/staff/confirm-colleague.ts'
import { findByEmail } from '../access/staff/staff-store.ts'
import { jsonOption } from './options.ts'
import { print } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

export function confirmCommand(settings: Settings): Command {
  return new Command('confirm')
    .description(
      'Confirm that somebody acts independently of the administrator who gave them access: where a second person is needed, they count as one.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--email <address>', 'e-mail address of the member of staff')
    .option(...jsonOption)
    .action((options) => confirm(settings, options))
}

async function confirm(
  settings: Settings,
  { org, email, json }: { org: string; email: string; json?: boolean },
): Promise<void> {
  const confirmed = await withDatabase(settings, async ({ db }) => {
    const staff = await findByEmail(db.of(org), org, email)
    if (!staff || staff.role === null)
      throw new Error('No member of staff of the organization has this address.')
    await confirmStaff(db.of(org), org, staff.staff_id)
    return { staff_id: staff.staff_id, name: staff.name, email }
  })
  print({ json: confirmed, text: `${confirmed.name} now counts as a separate person.` }, json)
}
