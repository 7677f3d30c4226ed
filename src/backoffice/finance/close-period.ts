import type { Organization } from '../../contract/caller.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { DryRun } from '../../orders/dry-run.ts'
import { holdClock, takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { ClosingDocument, rollForward } from './closing.ts'
import {
  findClosing,
  findLastClosing,
  insertClosing,
  readFigures,
  type StoredClosing,
} from './closing-store.ts'
import { lastInstantOf } from './read-instant.ts'

/** Closes the books up to a day. */
export const closePeriod = endpoint({
  id: 'closePeriod',
  method: 'POST',
  path: '/api/v5/entity/finance/close',
  group: 'Finance',
  permission: 'finance',
  guard: { effect: 'irreversible', people: 'none' },
  summary: 'Close the books up to a day',
  description:
    'A closing uses the posting date and never changes: a second call for the same day returns the same closing. Facts ' +
    'that arrive later for a closed period are posted in the open period, and reported there as of earlier periods.',
  input: Type.Object({
    corp_id: OrganizationId,
    until: Type.String({ format: 'date', description: 'The last day of the period; it must be over' }),
    dry_run: DryRun,
  }),
  data: ClosingDocument,
  example: {
    input: { corp_id: '0198c0de00007c41a2f0d8e6b4937215', until: '2026-10-31' },
    data: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      after: '2026-09-30',
      until: '2026-10-31',
      time_zone: 'Asia/Shanghai',
      as_of: '2026-10-31T15:59:59.999999Z',
      closed_at: '2026-11-02T01:12:44.103201Z',
      chain: { head: '5f1c8d0e7b2a9463c1e0f7a8d5b6924e3c7f10a2b8d94e65f3071c2a9e8b4d60', length: 5120 },
      currencies: [
        {
          currency: 'CNY',
          opening: {
            held: 900000,
            unapplied: 0,
            claims: 1200000,
            covered: 900000,
            outstanding: 300000,
            overdue: 100000,
          },
          received: 250000,
          voided: 0,
          moved: 0,
          refunded: 50000,
          transferred: 0,
          retained: 0,
          written_off: 0,
          applied: 250000,
          returned: 50000,
          charged: 400000,
          settled: 250000,
          earlier_periods: { received: 20000, voided: 0, refunded: 0 },
          closing: {
            held: 1100000,
            unapplied: 0,
            claims: 1600000,
            covered: 1150000,
            outstanding: 450000,
            overdue: 0,
          },
        },
      ],
    },
  },

  async handle({ db, organization, account, now }, { until, dry_run }) {
    const closer = { db, organization, executor_id: account.app_id }
    if (dry_run !== true) return closeBooks(closer, until)
    const { known, closing } = await drawUp(closer, until, async () => instantOf(now))
    return known ?? closing!
  },
})

const instantOf = (now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toString({ smallestUnit: 'microsecond' })

interface Closer {
  db: Queryable
  organization: Organization
  executor_id: string | null
}

/** Closes the books of an organization up to a day, or returns the existing closing. Also used by the command line. */
export async function closeBooks(closer: Closer, until: string): Promise<ClosingDocument> {
  const { db, organization, executor_id } = closer
  const { corp_id } = organization
  // This waits for writes in progress, and later writes get later instants: nothing more is posted in the period.
  const takeInstant = async () => (await db.transaction((tx) => takeInstants(tx, corp_id, 1)))[0]!
  const { known, before, closing } = await drawUp(closer, until, takeInstant)
  if (known) return known
  const isStored = await store(db, corp_id, before, {
    ...{ until, as_of: closing.as_of, document: JSON.stringify(closing), executor_id, at: closing.closed_at },
  })
  // A concurrent call has closed this day or another one, so the figures are read again.
  return isStored ? closing : closeBooks(closer, until)
}

type DrawnUp =
  | { known: ClosingDocument; before?: undefined; closing?: undefined }
  | { known?: undefined; before: StoredClosing | undefined; closing: ClosingDocument }

/** The stored closing of a day, or the closing that would be stored now. */
async function drawUp(
  { db, organization }: Closer,
  until: string,
  instant: () => Promise<string>,
): Promise<DrawnUp> {
  const { corp_id, time_zone } = organization
  const before = await findLastClosing(db, corp_id)
  if (before && until <= before.until) {
    const known = await findClosing(db, corp_id, until)
    if (known) return { known: JSON.parse(known.document) }
    throw invalid('until', `must be after ${before.until}, the last closed day`)
  }
  const as_of = lastInstantOf(until, time_zone)
  const closed_at = await instant()
  if (closed_at <= as_of) throw invalid('until', 'must be a day that is over')
  const figures = await db.snapshot((tx) => readFigures(tx, corp_id, { after: before?.as_of, asOf: as_of }))
  const beforeIt: ClosingDocument | undefined = before && JSON.parse(before.document)
  const closing: ClosingDocument = {
    ...{ corp_id, after: before?.until ?? null, until, time_zone, as_of, closed_at },
    chain: figures.chain,
    currencies: rollForward(beforeIt?.currencies ?? [], figures),
  }
  return { before, closing }
}

function store(
  db: Queryable,
  corp_id: string,
  before: StoredClosing | undefined,
  closing: Parameters<typeof insertClosing>[2],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    if ((await findLastClosing(tx, corp_id))?.until !== before?.until) return false
    await insertClosing(tx, corp_id, closing)
    return true
  })
}
