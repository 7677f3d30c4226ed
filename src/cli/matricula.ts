import { runCommand } from './run-command.ts'

stayQuietWhenNobodyReads()
await runCommand(process.argv, process.env)

/** The reader of a pipe has closed it, as `| head` does. */
function stayQuietWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
