import {
  BigInteger,
  DayText,
  described,
  Id,
  IsoInstant,
  namedObject,
  oneOf,
  Timestamp,
} from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { type ExportFile, exportKinds, exportStates, fileFormats } from './export-file-store.ts'

/** A requested export file, as the interface returns it. */
export const FinanceExport = namedObject('FinanceExport', {
  export_id: Id,
  what: oneOf(exportKinds),
  format: oneOf(fileFormats),
  start_date: described(DayText, '"" where the period is open'),
  end_date: DayText,
  as_of: IsoInstant,
  state: oneOf(exportStates),
  refusal: described(Type.String(), 'The reason of a failure. Request the export again.'),
  rows_done: BigInteger,
  rows_total: described(BigInteger, '0 until the rows are counted'),
  bytes: BigInteger,
  sha256: described(Type.String(), 'Hash of the rows, as on the control sheet'),
  download: described(
    Type.String(),
    'Path of the file on this server, valid for a day without sign-in; "" until the export is done',
  ),
  executor_id: Type.String(),
  ctime: Timestamp,
})

export function financeExportOf(corp_id: string, file: ExportFile): Static<typeof FinanceExport> {
  const { token, attempts: _, start_date, end_date, ...row } = file
  return {
    ...row,
    start_date: start_date ?? '',
    end_date: end_date ?? '',
    download: row.state === 'done' ? `/exports/${encodeURIComponent(corp_id)}/${token}` : '',
  }
}

export const exampleExport: Static<typeof FinanceExport> = {
  export_id: '0198c0deaaaa7c41a2f0d8e6b4937215',
  what: 'payments',
  format: 'xlsx',
  start_date: '2026-10-01',
  end_date: '2026-10-31',
  as_of: '2026-11-01T00:00:00.000000Z',
  state: 'running',
  refusal: '',
  rows_done: 5000,
  rows_total: 12_000,
  bytes: 0,
  sha256: '',
  download: '',
  executor_id: 'lakeside-finance',
  ctime: '2026-11-02 09:00:00',
}
