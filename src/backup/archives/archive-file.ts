import type { ArchiveKind } from '../../access/audit/archive-store.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import { readTableFile, type TableFileHeader } from '../table-file.ts'

/** The file of an archive. docs/operating.md describes the format. It holds no personal data. */
export const formatName = 'matricula archive'
const formatVersion = 1

export interface ArchiveHeader extends TableFileHeader {
  format: typeof formatName
  service: string
  corp_id: string
  kind: ArchiveKind
  made_at: string
  older_than: string
  /** Audit: the chain before the first link in the file. */
  from?: { length: number; head: string }
}

export function newHeader(
  members: Pick<ArchiveHeader, 'corp_id' | 'kind' | 'made_at' | 'older_than' | 'from'>,
): ArchiveHeader {
  return { format: formatName, version: formatVersion, service: serviceVersion, ...members }
}

export async function* readArchiveFile(file: string) {
  for await (const line of readTableFile<ArchiveHeader>(file, formatName, 'an archive')) {
    if ('header' in line && line.header.version !== formatVersion)
      throw new Error(`The file ${file} was written by a newer version (${line.header.service}).`)
    yield line
  }
}
