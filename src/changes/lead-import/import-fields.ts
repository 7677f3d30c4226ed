import { described, Id, namedObject, oneOf, Timestamp } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { type FileReading, importStates, type ShownImport } from './lead-import-store.ts'
import { emptyTally } from './tally.ts'

export const ImportId = described(Id, 'ID of the file, from leads/import/file/create')

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
  bytes: Type.Integer({ description: 'Size of the file' }),
  received: Type.Integer({ description: 'Number of bytes that were uploaded' }),
  format: Type.String(),
  encoding: Type.String(),
  row_count: Type.Integer({ description: 'Rows of the file; 0 before it was read' }),
  last_row: Type.Integer({ description: 'The last row that was planned or committed' }),
  columns: Type.Array(
    namedObject('LeadFileColumn', {
      header: Type.String(),
      column: Type.String({ description: 'The column; "" if it is unknown' }),
      suggestion: Type.String({ description: 'A column that may be meant; "" if there is none' }),
    }),
  ),
  plan: Tally,
  result: Tally,
  ctime: Timestamp,
  mtime: Timestamp,
})

function columnsOf({ headers, columns, suggested_columns }: FileReading) {
  const suggestions = new Map(Object.entries(suggested_columns))
  return headers.map((header, index) => ({
    header,
    column: columns[index] ?? '',
    suggestion: suggestions.get(header) ?? '',
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
    bytes,
    received,
    format: reading?.format ?? '',
    encoding: reading?.encoding ?? '',
    row_count: reading?.rows ?? 0,
    last_row,
    columns: reading ? columnsOf(reading) : [],
    plan: { ...emptyTally(), ...found.plan },
    result: { ...emptyTally(), ...found.result },
    ctime: found.ctime_text,
    mtime: found.mtime_text,
  }
}

export const exampleImportId = '0198c0de5a3b7c41a2f0d8e6b4937701'
