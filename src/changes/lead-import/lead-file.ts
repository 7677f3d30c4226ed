import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { type ColumnMap, type Mapping, mapColumns } from '../../files/map-columns.ts'
import { readRows } from '../../files/read-rows.ts'
import { type RowSource, rejectColumn } from '../../files/row-source.ts'
import { type Survey, surveyRows } from '../../files/survey-rows.ts'
import { findMappings } from './column-mapping-store.ts'
import { type ColumnName, columns, leadColumns } from './columns.ts'
import { createValueCounts } from './found-values.ts'
import type { FileOptions, FileReading } from './lead-import-store.ts'
import { readLeadRow } from './read-lead-row.ts'
import { isValueColumn, type ValueMapping, withValues } from './value-mapping.ts'

/** A file of leads that was read through once. */
export interface LeadFile {
  source: RowSource
  map: ColumnMap<ColumnName>
  /** What values stand for. */
  values: ValueMapping
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
      ...{ source, map, values, survey, headerHash },
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

/** A column that has gone since says nothing any more. */
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
