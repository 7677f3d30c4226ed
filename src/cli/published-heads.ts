import { Option } from 'commander'
import type { PublishedHeads } from '../access/audit/published-heads.ts'
import type { HeadTarget } from '../backup/published-heads/destinations.ts'
import { readPublishedHeads } from '../backup/published-heads/read-published-heads.ts'
import { restoredHeads } from '../backup/published-heads/restored-marker.ts'
import type { Config } from '../config.ts'

export function headsOption(): Option {
  const more = (place: string, before: string[] = []) => [...before, place]
  return new Option(
    '--heads <file or folder>',
    'compare with heads that were published: a file, a log of the server, a folder of files, a backup or a folder of backups; repeatable',
  ).argParser(more)
}

/** Everything to compare with: the folder of MATRICULA_AUDIT_HEADS, what is named, and that the data folder was restored. */
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

/** What was compared with the chains, for people. */
export function describeComparison({ auditHeads }: Config, published: PublishedHeads): string {
  const { sources, restores } = published.report()
  const total = sources.reduce((sum, { heads }) => sum + heads, 0)
  if (total === 0)
    return (
      'Nothing to compare with, so entries that were removed at the end would not be noticed: ' +
      (auditHeads
        ? 'name heads that were published with --heads.'
        : 'set MATRICULA_AUDIT_HEADS, or name heads that were published with --heads.')
    )
  return [
    ...sources.map(
      ({ source, heads, from, until }) =>
        `Compared with ${heads} heads in ${source}, from ${from} until ${until}.`,
    ),
    ...restores.map(
      ({ at, discarded }) =>
        `The database was restored at ${at}: ${discarded} heads that were published before are of the discarded history. ` +
        'If nobody restored it, somebody tampered with the published heads.',
    ),
  ].join('\n')
}
