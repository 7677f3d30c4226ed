import {
  BigInteger,
  described,
  Id,
  namedObject,
  oneOf,
  optionalLine,
  Timestamp,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import { mostHeaderRow } from '../../files/header-row.ts'
import { refusalReasons } from '../../files/row-source.ts'
import { presetNames } from './file-presets.ts'
import { type FileOptions, type FileReading, importStates, type ShownImport } from './lead-import-store.ts'
import { emptyTally } from './tally.ts'

export const ImportId = described(Id, 'ID of the file, from leads/import/file/create')

/** The options for reading a file. */
export const readingParameters = {
  encoding: optionalLine(longest.id, 'Text encoding; default: detected'),
  sheet: optionalLine(longest.name, 'Sheet of a workbook; default: the first visible sheet with content'),
  header_row: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostHeaderRow,
      description: 'Row of the headers, the lower one of two; 0: the file has no headers; default: detected',
    }),
  ),
}

/** The given options; others as before. Another sheet has its headers in another row. */
export function readingOptions(
  { encoding, sheet, header_row }: { encoding?: string; sheet?: string; header_row?: number },
  before: FileOptions = {},
): Pick<FileOptions, 'encoding' | 'sheet' | 'headerRow'> {
  const isSameSheet = !sheet || sheet === before.sheet
  return {
    encoding: encoding || before.encoding,
    sheet: sheet || before.sheet,
    headerRow: header_row ?? (isSameSheet ? before.headerRow : undefined),
  }
}

const count = (description: string) => Type.Integer({ description })

/** The number of rows by outcome. */
const Tally = namedObject('LeadRowCounts', {
  new_user: count('Leads of new users'),
  known_user: count('Leads of known users'),
  duplicate_entry: count('Rows whose lead exists already'),
  duplicate_row: count('Rows that repeat an earlier row of the file'),
  reject: count('Rejected rows'),
  erased: count('Rows of erased people, which are rejected until an administrator lifts the erasure'),
})

/** A lead file, as shown. */
export const LeadImportData = namedObject('LeadFile', {
  import_id: ImportId,
  batch_id: Type.String({ description: 'The batch to undo with changes/undo; "" before the commit' }),
  file_name: Type.String(),
  state: oneOf(importStates, 'planned: ready for the commit; refused: `refusal` has the reason'),
  refusal: Type.String(),
  refusal_reason: Type.String({
    description: `The kind of the refusal: ${refusalReasons.join(', ')}; else ""`,
  }),
  bytes: described(BigInteger, 'Size of the file'),
  received: described(BigInteger, 'Number of bytes that were uploaded'),
  format: Type.String(),
  encoding: Type.String(),
  sheet: Type.String({ description: 'The sheet that is read; "" for other files' }),
  sheets: Type.Array(
    namedObject('LeadFileSheet', {
      name: Type.String(),
      is_hidden: Type.Boolean(),
      rows: Type.Integer({ description: 'The last row, as the workbook states it; 0 if it does not' }),
    }),
    { description: 'The first 50 sheets of a workbook' },
  ),
  header_row: Type.Integer({ description: 'The row of the headers; 0 if the file has none' }),
  row_count: Type.Integer({ description: 'Rows of the file; 0 before it was read' }),
  last_row: Type.Integer({ description: 'The last row that was planned or committed' }),
  columns: Type.Array(
    namedObject('LeadFileColumn', {
      header: Type.String(),
      column: Type.String({ description: 'The column; "" if it is unknown' }),
      suggestion: Type.String({ description: 'A column that may be meant; "" if there is none' }),
      guessed: Type.Boolean({ description: 'Whether the column is a guess, by the header and its values' }),
      confidence: Type.Integer({ description: 'Confidence in percent; 0 without a column' }),
    }),
  ),
  preset: Type.String({
    description: `The source that the headers reveal (${presetNames.join(', ')}); "" if it is not known`,
  }),
  plan: Tally,
  result: Tally,
  ctime: Timestamp,
  mtime: Timestamp,
})

function columnsOf({ headers, columns, suggested_columns, guesses = {} }: FileReading) {
  const suggestions = new Map(Object.entries(suggested_columns))
  const confidences = new Map(Object.entries(guesses))
  return headers.map((header, index) => ({
    header,
    column: columns[index] ?? '',
    suggestion: suggestions.get(header) ?? '',
    guessed: confidences.has(header),
    confidence: confidences.get(header) ?? (columns[index] ? 100 : 0),
  }))
}

export function importData(found: ShownImport): Static<typeof LeadImportData> {
  const { import_id, file_name, state, refusal, bytes, received, reading, last_row } = found
  return {
    import_id,
    batch_id: state === 'committing' || state === 'done' ? import_id : '',
    file_name,
    state,
    refusal: refusal ?? '',
    refusal_reason: found.refusal_reason ?? '',
    bytes,
    received,
    format: reading?.format ?? '',
    encoding: reading?.encoding ?? '',
    sheet: reading?.sheet ?? '',
    sheets: reading?.sheets ?? [],
    header_row: reading?.header_row ?? 0,
    row_count: reading?.rows ?? 0,
    last_row,
    columns: reading ? columnsOf(reading) : [],
    preset: reading?.preset ?? '',
    plan: { ...emptyTally(), ...found.plan },
    result: { ...emptyTally(), ...found.result },
    ctime: found.ctime_text,
    mtime: found.mtime_text,
  }
}

export const exampleImportId = '01906bce4a8078698a9c59a233c0ef4d'
