import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { FileRefused } from '../spreadsheet/row-source.ts'
import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import { dbCommand } from './db.ts'
import { financeCommand } from './finance.ts'
import { leadsCommand } from './leads.ts'
import { ordersCommand } from './orders.ts'
import { orgCommand } from './org.ts'
import { printError, visible } from './output.ts'
import { serveCommand } from './serve.ts'
import { staffCommand } from './staff.ts'

await run(process.argv)

/** Whatever goes wrong is one sentence on standard error, and exit code 1. */
async function run(argv: string[]): Promise<void> {
  stayQuietWhenNobodyReads()
  try {
    await matricula().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    printError(sentence(error as Error))
    process.exitCode ||= 1
  }
}

function matricula(): Command {
  const settings = () => readConfig(process.env)
  const program = new Command('matricula')
    .description('Admissions and enrolment service: administration and server.')
    .version(readVersion(), '--version', 'show the version')
    .addCommand(orgCommand(settings))
    .addCommand(accountCommand(settings))
    .addCommand(staffCommand(settings))
    .addCommand(leadsCommand(settings))
    .addCommand(ordersCommand(settings))
    .addCommand(financeCommand(settings))
    .addCommand(auditCommand(settings))
    .addCommand(dbCommand(settings))
    .addCommand(serveCommand(settings))
  prepare(program)
  return program
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
  if (error instanceof FileRefused) return visible(error.message)
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

/** Into a pipe whose reader has gone, as with `| head`. */
function stayQuietWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
