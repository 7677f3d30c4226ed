import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { FileRefused, refusalOf } from '../files/row-source.ts'
import { printError, visible } from './output.ts'
import type { Settings } from './session.ts'

/** A command, or a group of them, is loaded when it is called: each needs other parts of the service, and none needs all. */
const commands: [name: string, description: string, load: () => Promise<(settings: Settings) => Command>][] =
  [
    ['org', 'Create, list and change organizations.', async () => (await import('./org.ts')).orgCommand],
    [
      'account',
      'Create, list and end accounts, which call the interface.',
      async () => (await import('./account.ts')).accountCommand,
    ],
    [
      'key',
      'Show and replace the master key, which seals secrets.',
      async () => (await import('./key.ts')).keyCommand,
    ],
    [
      'staff',
      'Invite people to the console, and say what they may do.',
      async () => (await import('./staff.ts')).staffCommand,
    ],
    ['leads', 'Import leads from spreadsheets.', async () => (await import('./leads.ts')).leadsCommand],
    ['orders', 'Import orders from spreadsheets.', async () => (await import('./orders.ts')).ordersCommand],
    [
      'undo',
      'Undo an import, a bulk edit, a merge or an undo.',
      async () => (await import('./undo.ts')).undoCommand,
    ],
    [
      'finance',
      'Export the financial rows, prove that the ledger agrees, close the books, match statements.',
      async () => (await import('./finance.ts')).financeCommand,
    ],
    [
      'audit',
      'See who changed or saw what, and prove that nobody tampered with it.',
      async () => (await import('./audit.ts')).auditCommand,
    ],
    [
      'privacy',
      'Export or erase a person, keep erasures in force, and say how long people are kept.',
      async () => (await import('./privacy.ts')).privacyCommand,
    ],
    [
      'db',
      'Bring the database schema up to date, or look at it.',
      async () => (await import('./db.ts')).dbCommand,
    ],
    [
      'console',
      'The pages that staff use in a browser.',
      async () => (await import('./console.ts')).consoleCommand,
    ],
    [
      'backup',
      'Take a backup of the embedded database while it works, try it out, and let the server go on adding to it.',
      async () => (await import('./backup.ts')).backupCommand,
    ],
    [
      'restore',
      'Make a new data folder of a backup, as it was at an instant, and check its books.',
      async () => (await import('./restore.ts')).restoreCommand,
    ],
    [
      'serve',
      'Bring the schema up to date and answer requests until stopped.',
      async () => (await import('./serve.ts')).serveCommand,
    ],
  ]

/** Whatever goes wrong is one sentence on standard error, and exit code 1. */
export async function runCommand(
  argv: string[],
  environment: Record<string, string | undefined>,
): Promise<void> {
  try {
    await (await program(argv[2], () => readConfig(environment))).parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    printError(sentence(error as Error))
    process.exitCode ||= 1
  }
}

export const commandNames = commands.map(([name]) => name)

/** All commands by name and description; those of the called one, or of its group, whole. */
export async function program(called: string | undefined, settings: Settings): Promise<Command> {
  const matricula = new Command('matricula')
    .description('Admissions and enrolment service: administration and server.')
    .version(readVersion(), '--version', 'show the version')
  for (const [name, description, load] of commands) {
    const command = name === called ? (await load())(settings) : new Command(name)
    matricula.addCommand(command.description(description))
  }
  prepare(matricula)
  return matricula
}

/** Commander neither exits nor writes about errors by itself, in no command. */
function prepare(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption('-h, --help', 'show this')
  if (command.commands.length > 0) command.usage('<command> [options]').helpCommand(false)
  for (const child of command.commands) prepare(child)
}

function sentence(error: Error): string {
  if (error instanceof CommanderError) return usageSentence(error)
  if (error instanceof FileRefused) return visible(refusalOf(error, (option) => `Tell it with --${option}`))
  // The server's own detail and hint may show data, so only the message is passed on.
  if (error instanceof pg.DatabaseError) return `PostgreSQL refused: ${error.message}.`
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

function usageSentence(error: CommanderError): string {
  if (error.code === 'commander.help') return 'Name a command; matricula --help lists them.'
  const words = error.message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?)]$/.test(words) ? '' : '.'}`
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
