import { randomBytes } from 'node:crypto'
import { endpoint } from '../../../contract/endpoint.ts'
import { ApiError } from '../../../contract/errors.ts'
import { Id, OrganizationId, oneOf } from '../../../contract/fields.ts'
import { dayParameters, rangeIsNotReversed } from '../../../contract/paging.ts'
import { Type } from '../../../contract/type.ts'
import { anyOrder } from '../../../orders/ledger/fields.ts'
import { AsOf, asOfInstant } from '../as-of.ts'
import { exportKinds, fileFormats, insertExport } from './export-file-store.ts'
import { resumeExports } from './work-on-export.ts'

/** Number of newest files that are kept. */
const most = { underWay: 20, kept: 50 }

/** Requests an export of the ledger. */
export const createExport = endpoint({
  id: 'createExport',
  method: 'POST',
  path: '/api/v5/entity/finance/export/create',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'discloses', ...anyOrder, whileReadOnly: 'It reads. The file is deleted after a day.' },
  summary: 'Export financial rows, payments or refunds',
  description:
    'A worker writes the file in the background, as of one instant, and keeps it for a day. finance/export/fetch returns the ' +
    `progress and the address. After a restart the work continues. At most ${most.underWay} exports run at a time; the newest ` +
    `${most.kept} files are kept, each of at most 256 MiB.`,
  input: Type.Object({
    corp_id: OrganizationId,
    what: oneOf(exportKinds),
    format: oneOf(fileFormats),
    ...dayParameters,
    as_of: Type.Optional(AsOf),
  }),
  rules: rangeIsNotReversed,
  data: Type.Object({ export_id: Id, as_of: Type.String() }),
  example: {
    input: {
      corp_id: 'lakeside',
      what: 'payments',
      format: 'xlsx',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
    },
    data: { export_id: '0198c0deaaaa7c41a2f0d8e6b4937215', as_of: '2026-11-01T00:00:00.000000Z' },
  },
  errors: ['stateForbids'],

  async handle(context, { corp_id, what, format, start_date, end_date, as_of: wanted }) {
    const as_of = await asOfInstant(context, wanted)
    const export_id = context.newId()
    const token = randomBytes(24).toString('base64url')
    const made = {
      ...{ export_id, what, format, as_of, token, executor_id: context.account.app_id },
      ...{ start_date: start_date ?? null, end_date: end_date ?? null },
    }
    if (!(await insertExport(context.db, corp_id, made, context.now, most)))
      throw new ApiError('stateForbids', {
        msg: `${most.underWay} exports are in progress. Wait until one ends.`,
      })
    return { export_id, as_of }
  },

  afterwards: (context) => resumeExports(context),
})
