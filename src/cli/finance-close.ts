import { Command } from 'commander'
import { knownOrganization } from '../access/organizations/organization-store.ts'
import { closeBooks, closePeriod } from '../backoffice/finance/close-period.ts'
import type { ClosingDocument, CurrencyFigures } from '../backoffice/finance/closing.ts'
import { inputValidator } from '../contract/validate.ts'
import { majorText } from '../files/amounts.ts'
import { print, record, table } from './output.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

export function closeCommand(settings: Settings): Command {
  return new Command('close')
    .description(
      'Close the books up to a day, by posting date. Closing the same day again prints the same bytes.',
    )
    .requiredOption('--org <corp_id>', 'the organization')
    .requiredOption('--until <date>', 'the last day of the period')
    .action((options) => close(settings, options))
}

const validate = inputValidator(closePeriod)

async function close(
  settings: Settings,
  options: { org: string; until: string; json?: boolean },
): Promise<void> {
  const { corp_id, until } = validate({ corp_id: options.org, until: options.until }) as {
    corp_id: string
    until: string
  }
  const closing = await withDatabase(
    settings,
    async ({ db }) => {
      const organization = await knownOrganization(db.shared, corp_id)
      return closeBooks({ db: db.of(corp_id), organization, executor_id: null }, until)
    },
    withoutTimeouts,
  )
  print({ json: closing, text: describe(closing) }, options.json)
}

function describe({ currencies, chain, ...closing }: ClosingDocument): string {
  const heading = record({ ...closing, chain_length: chain.length, chain_head: chain.head })
  if (currencies.length === 0) return heading
  const columns = currencies.map((figures) => [
    figures.currency,
    (item: string) => majorText(BigInt(figureOf(figures, item)), figures.currency),
  ])
  return `${heading}\n\n${table(itemsOf(currencies[0]!), { item: (item) => item, ...Object.fromEntries(columns) })}`
}

/** The figures in order. Members of a group have both names. */
function itemsOf(figures: CurrencyFigures): string[] {
  return Object.entries(figures).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.keys(value).map((member) => `${name} ${member}`)
      : name === 'currency'
        ? []
        : name,
  )
}

function figureOf(figures: CurrencyFigures, item: string): number {
  return item
    .split(' ')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], figures) as number
}
