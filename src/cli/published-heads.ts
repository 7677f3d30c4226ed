import { Option } from 'commander'
import type { PublishedHeads } from '../access/audit/published-heads.ts'
import { type HeadTarget, readPublishedHeads, restoredHeads } from '../backup/published-heads/destinations.ts'
import type { Config } from '../config.ts'

export function headsOption(): Option {
  const more = (place: string, before: string[] = []) => [...before, place]
  return new Option(
    '--heads <file or folder>',
    'compare with published heads in a file, a server log, a folder of files, a backup or a folder of backups; may be repeated',
  ).argParser(more)
}

/** All heads to compare with: the folder of MATRICULA_AUDIT_HEADS, the named places, and the restore of the data folder. */
export async function findPublishedHeads(
  { auditHeads, databaseUrl, dataDir }: Config,
  named: string[] = [],
): Promise<PublishedHeads> {
  const folder = folderOf(auditHeads)
  const published = await readPublishedHeads(folder === undefined ? named : [folder, ...named])
  const restored = databaseUrl === undefined ? await restoredHeads(dataDir) : []
  for (const head of restored) published.add('the restored data folder', head)
  return published
}

function folderOf(target: HeadTarget | undefined): string | undefined {
  return target && 'folder' in target ? target.folder : undefined
}

/** Describes the heads that were compared with the chains. */
export function describeComparison({ auditHeads }: Config, published: PublishedHeads): string {
  const { sources, restores } = published.report()
  const total = sources.reduce((sum, { heads }) => sum + heads, 0)
  if (total === 0)
    return (
      'No published heads to compare with, so entries removed at the end would not be detected. ' +
      (auditHeads
        ? 'Name published heads with --heads.'
        : 'Set MATRICULA_AUDIT_HEADS, or name published heads with --heads.')
    )
  return [
    ...sources.map(
      ({ source, heads, from, until }) =>
        `Compared with ${heads} heads in ${source}, from ${from} until ${until}.`,
    ),
    ...restores.map(
      ({ at, discarded }) =>
        `The database was restored at ${at}. ${discarded} earlier heads belong to the discarded history. ` +
        'If there was no restore, the published heads were manipulated.',
    ),
  ].join('\n')
}
