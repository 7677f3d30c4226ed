import { readTableFile, type TableFileHeader } from '../table-file.ts'

/** The file of an exported school. docs/operating.md describes the format. */
export const formatName = 'matricula school'
export const formatVersion = 1

export interface SchoolHeader extends TableFileHeader {
  format: typeof formatName
  /** The version of the schema, and of the service that wrote the file. */
  schema: number
  service: string
  corp_id: string
  exported_at: string
  /** The key of the tombstones, in hexadecimal; null if nobody was erased. */
  erasure_key: string | null
}

export function readSchoolFile(file: string) {
  return readTableFile<SchoolHeader>(file, formatName, 'an exported school')
}
