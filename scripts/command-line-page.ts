import type { Command } from 'commander'
import { commandNames, program } from '../src/cli/run-command.ts'
import { table } from './markdown-table.ts'

/** The reference part of docs/command-line.md: every command with its arguments and options, read from the commands themselves. */
export async function commandLineReference(): Promise<string> {
  const groups = await Promise.all(commandNames.map(loadGroup))
  return groups.map((group) => sectionOf(group)).join('\n\n')
}

async function loadGroup(name: string): Promise<Command> {
  const root = await program(name, () => {
    throw new Error('The reference is made without settings.')
  })
  const group = root.commands.find((command) => command.name() === name)
  if (group === undefined) throw new Error(`There is no command ${name}.`)
  return group
}

function sectionOf(group: Command): string {
  const heading = `### ${group.name()}`
  if (group.commands.length === 0) return [heading, ...partsOf(group)].join('\n\n')
  const commands = leavesOf(group).flatMap((command) => partsOf(command))
  return [heading, group.description(), ...commands].join('\n\n')
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

function partsOf(command: Command): string[] {
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--json' && long !== '--help')
  const rows = [
    ...help
      .visibleArguments(command)
      .map((argument) => [`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument)]),
    ...options.map((option) => [
      `\`${help.optionTerm(option)}\`${option.mandatory ? ' (required)' : ''}`,
      help.optionDescription(option),
    ]),
  ]
  const usage = `**\`${help.commandUsage(command).replace(' [options]', '')}\`**  \n${command.description()}`
  return rows.length === 0 ? [usage] : [usage, table(['Argument or option', 'Meaning'], rows)]
}
