import { runCommand } from './run-command.ts'

stayQuietWhenNobodyReads()
await runCommand(process.argv, process.env)

/** Into a pipe whose reader has gone, as with `| head`. */
function stayQuietWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
