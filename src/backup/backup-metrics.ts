import { metricText } from '../contract/metric-text.ts'
import { readBackup } from './backup-folder.ts'
import { readContinued } from './continued-backup.ts'

/** Metrics of the backup that a data folder continues. Empty without one, or if it cannot be read. */
export async function backupMetrics(dataDir: string): Promise<string> {
  try {
    const continued = await readContinued(dataDir)
    if (!continued) return ''
    const { manifest, through } = await readBackup(continued.folder)
    return backupText(manifest.started_at, through)
  } catch {
    return ''
  }
}

export function backupText(taken: string, reaches: string): string {
  return metricText([
    timestamp('matricula_backup_taken_timestamp_seconds', 'When the last backup was taken', taken),
    timestamp(
      'matricula_backup_reaches_timestamp_seconds',
      'The last instant that the backup can be restored to',
      reaches,
    ),
  ])
}

function timestamp(name: string, help: string, at: string) {
  return { name, help, type: 'gauge' as const, samples: [{ value: Date.parse(at) / 1000 }] }
}
