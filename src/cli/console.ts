import { Command } from 'commander'
import { buildConsole } from '../server/console/build-console.ts'
import { print } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const console = new Command('console')
  console
    .command('build')
    .description(
      'Build the console and the packages for integrators in advance, for a container image. A server builds what is missing.',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const folder = await buildConsole(settings().dataDir)
      print({ json: { folder }, text: `The console is built in ${folder}.` }, json)
    })
  return console
}
