import { Command } from 'commander'
import { readConfig } from '../config.ts'

export function serveCommand(): Command {
  return new Command('serve')
    .description('Bring the schema up to date and answer requests until stopped.')
    .option('--json', 'print nothing but JSON')
    .action(async () => {
      // Only this command needs the whole server.
      const { serve } = await import('../main.ts')
      await serve(readConfig(process.env))
    })
}
