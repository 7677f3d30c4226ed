import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import {
  type ColumnMap,
  ignoredColumn,
  isHeaderOf,
  type Mapping,
  mapColumns,
} from '../../files/map-columns.ts'
import { readRows } from '../../files/read-rows.ts'
import { type Survey, surveyRows } from '../../files/repeated-keys.ts'
import { FileRefused, type RowSource, rejectColumn } from '../../files/row-source.ts'
import { asksQuestions, isPresetHeader, presetOf } from './file-presets.ts'
import { findMappings } from './imported-row-store.ts'
import { findKnownValues, type KnownValues } from './known-values.ts'
import { type DayOrder, dayOrderOf } from './lead-cells.ts'
import { type ColumnName, columns, leadColumns } from './lead-columns.ts'
import type { FileOptions, FileReading } from './lead-import-store.ts'
import { createLeadReader, type LeadReader } from './read-lead-row.ts'
import { withFixes } from './row-fixes.ts'
import { createValueCounts, createValueReader, isValueColumn, type ValueMapping } from './value-mapping.ts'

/** A lead file that was read once. */
export interface LeadFile {
  source: RowSource
  map: ColumnMap<ColumnName>
  /** The meaning of values. */
  values: ValueMapping
  survey: Survey<SurveyKey>
  read: LeadReader
  known: KnownValues
  /** Hash of the set of headers, by which mappings are remembered. */
  headerHash: string
  /** Hash of the content and of the way it is read. */
  contentHash: string
  mappingFrom: 'file' | 'memory' | null
  reading: FileReading
}

/** Rows with the same content, and rows of the same entry. */
type SurveyKey = 'content' | 'entry_id'

/**
 * Opens a file and maps its columns: by a given mapping or the remembered mapping of these headers, by the source that
 * wrote the file, by their headers, and by their values.
 */
export async function openLeadFile(
  context: OrganizationContext,
  path: string,
  options: FileOptions,
): Promise<LeadFile> {
  const source = await readLeadRows(path, options)
  try {
    const headerHash = fingerprint(source.headers.filter((header) => header !== rejectColumn).toSorted())
    const memory = await rememberedMappings(context, headerHash)
    const remembered = options.mapping ? undefined : memory?.mapping
    const values = options.values ?? memory?.values ?? {}
    const preset = presetOf(source.headers)
    const samples = await samplesOf(source)
    const mapping = options.mapping ?? remembered
    const map = withQuestions(
      preset?.name,
      source.headers,
      mapColumns(leadColumns, source.headers, {
        mapping,
        preset: preset?.mapping,
        samples,
      }),
    )
    const dayOrder = dayOrderRevealedBy(map, samples)
    const counts = createValueCounts(map, source.headers, dayOrder)
    const known = await findKnownValues(context, options.role)
    const reading = { map, source, values, known, dayOrder, meaningOf: createValueReader(values, known) }
    const surveyed = createLeadReader(context, { ...reading, onForeign: counts.addForeign })
    const survey = await surveyRows<SurveyKey>(source, ['content', 'entry_id'], (row) => {
      counts.add(row)
      const read = surveyed(row)
      return Array.isArray(read)
        ? { content: '', entry_id: '' }
        : // Where a row has no entry of its own, its content tells.
          { content: read.hash, entry_id: read.input.entry_id ?? '' }
    })
    return {
      source,
      map,
      values,
      known,
      survey,
      read: createLeadReader(context, reading),
      headerHash,
      contentHash: fingerprint([
        await hashOf(path),
        map.names,
        source.sheet ?? null,
        source.headerRow,
        source.encoding ?? null,
        ...(Object.keys(values).length > 0 ? [values] : []),
        ...(options.fixes ? [{ fixes: options.fixes }] : []),
      ]),
      mappingFrom: options.mapping ? 'file' : remembered ? 'memory' : null,
      reading: {
        ...shapeOf(source),
        rows: survey.rows,
        columns: map.names.map((name) => name ?? null),
        unknown_columns: map.unknown,
        suggested_columns: map.suggestions,
        guesses: map.guesses,
        preset: preset?.name ?? null,
        values: counts.found(),
      },
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** The header row is found by the names of columns. People in merged cells share their value. */
async function readLeadRows(path: string, options: FileOptions): Promise<RowSource> {
  const { fixes, format, encoding, sheet, headerRow, mapping } = options
  const isColumn = isHeaderOf(leadColumns, mapping)
  const isHeader = (text: string) => isColumn(text) || isPresetHeader(text)
  const source = await readRows(path, { format, encoding, sheet, headerRow, isHeader, mergedCells: 'value' })
  return withFixes(source, fixes)
}

/** The known facts about a file whose columns are unknown. */
export async function readShape(path: string, options: FileOptions): Promise<FileReading | undefined> {
  try {
    const source = await readLeadRows(path, options)
    await source.close()
    return {
      ...shapeOf(source),
      rows: 0,
      columns: source.headers.map(() => null),
      unknown_columns: [],
      suggested_columns: {},
    }
  } catch (error) {
    if (error instanceof FileRefused) return undefined
    throw error
  }
}

function shapeOf({ format, encoding, sheet, sheets, headerRow, firstRows, headers }: RowSource) {
  return {
    format,
    encoding: encoding ?? null,
    sheet: sheet ?? null,
    sheets: (sheets ?? []).map(({ name, isHidden, rows }) => ({
      name,
      is_hidden: isHidden,
      rows: rows ?? 0,
    })),
    header_row: headerRow,
    first_rows: firstRows,
    headers,
  }
}

/** Ignores columns that no longer exist. */
async function rememberedMappings({ db, organization }: OrganizationContext, headerHash: string) {
  const found = await findMappings(db, organization.corp_id, headerHash)
  if (!found) return undefined
  const isColumn = (name: string) => name === ignoredColumn || Object.hasOwn(columns, name)
  const mapping = Object.entries(found.mapping).filter(([, name]) => isColumn(name))
  const values = Object.entries(found.values).filter(([name]) => isValueColumn(name))
  return {
    mapping: mapping.length > 0 ? (Object.fromEntries(mapping) as Mapping) : undefined,
    values: Object.fromEntries(values) as ValueMapping,
  }
}

const sampledRows = 200

/** The first values of each column, by which columns are guessed. */
async function samplesOf(source: RowSource): Promise<string[][]> {
  const samples: string[][] = source.headers.map(() => [])
  let rows = 0
  for await (const { cells } of source.rows()) {
    for (const [at, cell] of cells.entries())
      if (typeof cell === 'string' && cell.trim()) samples[at]?.push(cell)
    if (++rows === sampledRows) break
  }
  return samples
}

/** The order of day and month in the dates of a file; undefined if none of them has only one reading, or they differ. */
function dayOrderRevealedBy({ names }: ColumnMap<ColumnName>, samples: string[][]): DayOrder | undefined {
  const orders = names.flatMap((name, at) =>
    name === 'lead_time' || name === 'birthday' ? (samples[at] ?? []).map(dayOrderOf) : [],
  )
  const found = new Set(orders.filter((order) => order !== undefined && order !== 'either'))
  return found.size === 1 ? [...found][0] : undefined
}

/** In forms, the headers without another meaning are questions. */
function withQuestions(
  preset: string | undefined,
  headers: string[],
  map: ColumnMap<ColumnName>,
): ColumnMap<ColumnName> {
  if (!asksQuestions(preset)) return map
  const asked = new Set(map.unknown)
  const names = map.names.map(
    (name, at) => name ?? (asked.has(headers[at]!) ? ('question' as const) : undefined),
  )
  return { ...map, names, unknown: [] }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
