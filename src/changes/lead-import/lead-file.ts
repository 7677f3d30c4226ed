import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { type ColumnMap, type Mapping, mapColumns } from '../../files/map-columns.ts'
import { readRows } from '../../files/read-rows.ts'
import { type Survey, surveyRows } from '../../files/repeated-keys.ts'
import { type RowSource, rejectColumn } from '../../files/row-source.ts'
import { findMappings } from './imported-row-store.ts'
import type { FileOptions, FileReading } from './lead-import-store.ts'
import { type ColumnName, columns, leadColumns, readLeadRow } from './read-lead-row.ts'
import { createValueCounts, isValueColumn, type ValueMapping, withValues } from './value-mapping.ts'

/** A lead file that was read once. */
export interface LeadFile {
  source: RowSource
  map: ColumnMap<ColumnName>
  /** The meaning of values. */
  values: ValueMapping
  survey: Survey<SurveyKey>
  /** Hash of the headers, by which mappings are remembered. */
  headerHash: string
  /** Hash of the content and of the way it is read. */
  contentHash: string
  mappingFrom: 'file' | 'memory' | null
  reading: FileReading
}

/** Rows with the same content, and rows of the same entry. */
type SurveyKey = 'content' | 'entry_id'

/**
 * Opens a file and maps its columns: by their headers, by a given mapping, or by the remembered mapping of these
 * headers.
 */
export async function openLeadFile(
  context: OrganizationContext,
  path: string,
  options: FileOptions,
): Promise<LeadFile> {
  const { organization } = context
  const source = await readRows(path, options)
  try {
    const headerHash = fingerprint(source.headers.filter((header) => header !== rejectColumn))
    const memory = await rememberedMappings(context, headerHash)
    const remembered = options.mapping ? undefined : memory?.mapping
    const values = options.values ?? memory?.values ?? {}
    const map = mapColumns(leadColumns, source.headers, options.mapping ?? remembered)
    const counts = createValueCounts(map, source.headers)
    const survey = await surveyRows<SurveyKey>(source, ['content', 'entry_id'], (row) => {
      counts.add(row)
      const read = readLeadRow(withValues(row, map, values), map, source, organization)
      return Array.isArray(read)
        ? { content: '', entry_id: '' }
        : // Where a row has no entry of its own, its content tells.
          { content: read.hash, entry_id: read.input.entry_id ?? '' }
    })
    return {
      source,
      map,
      values,
      survey,
      headerHash,
      contentHash: fingerprint([
        await hashOf(path),
        map.names,
        options.sheet ?? null,
        source.encoding ?? null,
        ...(Object.keys(values).length > 0 ? [values] : []),
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
        values: counts.found(),
      },
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Ignores columns that no longer exist. */
async function rememberedMappings({ db, organization }: OrganizationContext, headerHash: string) {
  const found = await findMappings(db, organization.corp_id, headerHash)
  if (!found) return undefined
  const mapping = Object.entries(found.mapping).filter(([, name]) => Object.hasOwn(columns, name))
  const values = Object.entries(found.values).filter(([name]) => isValueColumn(name))
  return {
    mapping: mapping.length > 0 ? (Object.fromEntries(mapping) as Mapping) : undefined,
    values: Object.fromEntries(values) as ValueMapping,
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
