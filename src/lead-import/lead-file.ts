import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type ColumnMap, type Mapping, mapColumns } from '../spreadsheet/map-columns.ts'
import { readRows } from '../spreadsheet/read-rows.ts'
import { type RowSource, rejectColumn } from '../spreadsheet/row-source.ts'
import { type Survey, surveyRows } from '../spreadsheet/survey-rows.ts'
import { type ColumnName, columns, leadColumns } from './columns.ts'
import { type FileOptions, type FileReading, findMapping } from './lead-import-store.ts'
import { readLeadRow } from './read-lead-row.ts'

/** A file of leads that was read through once. */
export interface LeadFile {
  source: RowSource
  map: ColumnMap<ColumnName>
  survey: Survey<SurveyKey>
  /** Of the headers; what is remembered of them is found by it. */
  headerHash: string
  /** Of what the file says and how it is read. */
  contentHash: string
  mappingFrom: 'file' | 'memory' | null
  reading: FileReading
}

/** Rows that say the same, and rows of the same entry. */
type SurveyKey = 'content' | 'entry_id'

/** Opens a file by its headers, a mapping that is given or, without one, what these headers were said to mean before. */
export async function openLeadFile(
  context: OrganizationContext,
  path: string,
  options: FileOptions,
): Promise<LeadFile> {
  const { organization } = context
  const source = await readRows(path, options)
  try {
    const headerHash = fingerprint(source.headers.filter((header) => header !== rejectColumn))
    const remembered = options.mapping ? undefined : await rememberedMapping(context, headerHash)
    const map = mapColumns(leadColumns, source.headers, options.mapping ?? remembered)
    const survey = await surveyRows<SurveyKey>(source, ['content', 'entry_id'], (row) => {
      const read = readLeadRow(row, map, source, organization)
      return Array.isArray(read)
        ? { content: '', entry_id: '' }
        : { content: read.hash, entry_id: read.entry_id }
    })
    return {
      ...{ source, map, survey, headerHash },
      contentHash: fingerprint([
        await hashOf(path),
        map.names,
        options.sheet ?? null,
        source.encoding ?? null,
      ]),
      mappingFrom: options.mapping ? 'file' : remembered ? 'memory' : null,
      reading: {
        format: source.format,
        encoding: source.encoding ?? null,
        rows: survey.rows,
        headers: source.headers,
        columns: map.names.map((name) => name ?? null),
        unknown_columns: map.unknown,
        suggested_columns: map.suggestions,
      },
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** A column that has gone since says nothing any more. */
async function rememberedMapping(
  { db, organization }: OrganizationContext,
  headerHash: string,
): Promise<Mapping | undefined> {
  const mapping = await findMapping(db, organization.corp_id, headerHash)
  return (
    mapping && Object.fromEntries(Object.entries(mapping).filter(([, name]) => Object.hasOwn(columns, name)))
  )
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
