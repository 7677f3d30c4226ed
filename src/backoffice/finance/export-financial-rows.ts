import type { Organization } from '../../contract/caller.ts'
import { inputValidator } from '../../contract/validate.ts'
import type { Database } from '../../database/database.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { filterOf } from '../../orders/listing/order-filter.ts'
import type { ControlSheet } from './control-sheet.ts'
import { readRowsAsOf } from './export-store.ts'
import { exportColumns, exportedRowOf } from './exported-row.ts'
import { type Exported, type ExportTarget, type Progress, readFilter, writeExport } from './write-export.ts'

export interface ExportRequest extends ExportTarget {
  start_date?: string
  end_date?: string
  status?: string
  time_range_type?: string
}

/** Writes the financial rows of an organization as they were at an instant. */
export function exportFinancialRows(
  { db }: { db: Pick<Database, 'of' | 'shared'> },
  request: ExportRequest,
  progress?: Progress,
): Promise<{ files: string[]; control: ControlSheet }> {
  return writeExport(db, request, (organization) => financialRows(request, organization), progress)
}

const validate = inputValidator(listFinancialRows)

function financialRows(request: ExportRequest, organization: Organization): Exported {
  const { corp_id, start_date, end_date, status, time_range_type } = request
  const asked = { corp_id, start_date, end_date, status, time_range_type }
  const filter = readFilter(() => filterOf(validate(asked) as never, organization))
  return {
    columns: exportColumns,
    chosen: {
      time_range_type: filter.timeColumn === 'ctime' ? 'create' : 'modify',
      start_date: start_date ?? null,
      end_date: end_date ?? null,
      status: status ?? null,
    },
    async *read(tx, asOf) {
      for await (const { total, subOrders } of readRowsAsOf(tx, filter, asOf, organization.time_zone))
        yield { total, rows: subOrders.map(exportedRowOf) }
    },
  }
}
