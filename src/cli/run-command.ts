import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { FileRefused, refusalOf } from '../files/row-source.ts'
import { jsonOption, printError, visible } from './output.ts'
import type { Settings } from './session.ts'

/** Commands and groups are loaded when they are called, because each needs only some parts of the service. */
const commands: [name: string, description: string, load: () => Promise<CommandModule>][] = [
  ['org', 'Create, list and change organizations.', () => import('./org.ts')],
  ['account', 'Create, list and change API accounts.', () => import('./account.ts')],
  ['key', 'Show and rotate the master key, which encrypts secrets.', () => import('./key.ts')],
  ['staff', 'Invite staff to the console, and manage their roles.', () => import('./staff.ts')],
  [
    'support',
    'List the schools that let support in, and make a link to sign in there.',
    () => import('./support.ts'),
  ],
  ['mail', 'Show the mails of the service, and test the mail server.', () => import('./mail.ts')],
  ['leads', 'Import leads from files.', () => import('./leads.ts')],
  ['orders', 'Import orders from files.', () => import('./orders.ts')],
  ['undo', 'Undo an import, a bulk edit, a merge or an undo.', () => import('./undo.ts')],
  [
    'finance',
    'Export financial rows, check the ledger, close the books, match statements.',
    () => import('./finance.ts'),
  ],
  ['audit', 'List, export and verify the audit.', () => import('./audit.ts')],
  [
    'archive',
    'Move old audit entries, changes or import rows of an organization to a file.',
    () => import('./archive.ts'),
  ],
  [
    'webhook',
    'Manage webhook endpoints, and list and replay their deliveries.',
    () => import('./webhook.ts'),
  ],
  [
    'events',
    'Show or forward the event feed, add test events, and set how long events are kept.',
    () => import('./events.ts'),
  ],
  [
    'privacy',
    'Export or erase a person, manage erasures, and set the retention period.',
    () => import('./privacy.ts'),
  ],
  ['db', 'Migrate, show, rebuild or distribute the database.', () => import('./db.ts')],
  ['console', 'Build the console.', () => import('./console.ts')],
  [
    'backup',
    'Take an online backup of the embedded database, test it, and let the server continue it.',
    () => import('./backup.ts'),
  ],
  [
    'restore',
    'Restore a backup as of an instant to a new data folder, and check its books.',
    () => import('./restore.ts'),
  ],
  [
    'doctor',
    'Examine role, grants, schema, key, disk, clock, replicas and proxy, and say what to do.',
    () => import('./doctor.ts'),
  ],
  ['serve', 'Update the schema and serve requests until stopped.', () => import('./serve.ts')],
]

interface CommandModule {
  createCommand(settings: Settings): Command
}

/** An error is one sentence on standard error, with exit code 1. */
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

/** All commands by name and description. Only the called command or group has its options. */
export async function program(called: string | undefined, settings: Settings): Promise<Command> {
  const matricula = new Command('matricula')
    .description('Admissions and enrolment service: administration and server.')
    .version(readVersion(), '--version', 'show the version')
  for (const [name, description, load] of commands) {
    const command = name === called ? withJson((await load()).createCommand(settings)) : new Command(name)
    matricula.addCommand(command.description(description))
  }
  prepare(matricula)
  return matricula
}

/** Adds `--json` to every command of a group. */
function withJson(command: Command): Command {
  for (const child of command.commands) withJson(child)
  const isLeaf = command.commands.length === 0 && !command.options.some(({ long }) => long === jsonOption[0])
  return isLeaf ? command.option(...jsonOption) : command
}

/** Configures every command so that commander neither exits nor prints errors itself. */
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
  if (error instanceof FileRefused)
    return visible(refusalOf(error, (option) => `Set it with --${option.replace('_', '-')}`))
  // Detail and hint of PostgreSQL may contain data, so only the message is shown.
  if (error instanceof pg.DatabaseError) return `PostgreSQL refused: ${error.message}.`
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

function usageSentence(error: CommanderError): string {
  if (error.code === 'commander.help') return 'Name a command. List commands with matricula --help.'
  const words = error.message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?)]$/.test(words) ? '' : '.'}`
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
