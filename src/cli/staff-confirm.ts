import { Command } from 'commander'
import { confirmStaff } from '../staff/confirm-colleague.ts'
import { findByEmail, findColleague } from '../staff/staff-store.ts'
import { jsonOption } from './options.ts'
import { print } from './output.ts'
import { type Settings, withDatabase } from './session.ts'

export function confirmCommand(settings: Settings): Command {
  return new Command('confirm')
    .description(
      'Confirm that somebody acts independently of the administrator who gave them access: where a second person is needed, they count as one.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--email <address>', 'who it is')
    .option(...jsonOption)
    .action((options) => confirm(settings, options))
}

async function confirm(
  settings: Settings,
  { org, email, json }: { org: string; email: string; json?: boolean },
): Promise<void> {
  const confirmed = await withDatabase(settings, async ({ db }) => {
    const staff = await findByEmail(db.shared, email)
    const colleague = staff && (await findColleague(db.of(org), org, staff.staff_id))
    if (!colleague) throw new Error('Nobody with this address is on the staff of the organization.')
    await confirmStaff(db.of(org), org, colleague.staff_id)
    return { staff_id: colleague.staff_id, name: colleague.name, email }
  })
  print({ json: confirmed, text: `${confirmed.name} counts as a person of their own from now on.` }, json)
}
