import type { Config } from '../config.ts'
import { openInstallation } from '../installation.ts'
import { holdsDatabase } from '../postgres/postgres-cluster.ts'
import { checkDatabase } from './check-database.ts'
import { checkMachine } from './check-machine.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Examines an installation, with or without a running server. */
export async function examine(config: Config, now: Date): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir)))
    return [
      warning(
        'database',
        `The folder ${config.dataDir} holds no database yet.`,
        'Set MATRICULA_DATA to the data folder, or start the server, which creates one.',
      ),
    ]
  return [...(await examineDatabase(config, now)), ...(await checkMachine(config, now))]
}

/** A database that cannot be opened is a finding: its sentence says what to do. */
async function examineDatabase(config: Config, now: Date): Promise<Finding[]> {
  const opened = await openInstallation(config, 'borrow').catch((error: Error) => error)
  if (opened instanceof Error)
    return [problem('database', opened.message, 'Do what the sentence says, and run the doctor again.')]
  try {
    return [ok('database', 'It accepts connections.'), ...(await checkDatabase(opened, config, now))]
  } finally {
    await opened.stop()
  }
}
