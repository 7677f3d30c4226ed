import type { Organization } from '../../contract/caller.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { DryRun } from '../../orders/dry-run.ts'
import { holdClock, takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { ClosingDocument, rollForward } from './closing.ts'
import { accountSumsOf, accountsOf } from './closing-accounts.ts'
import { readFigures } from './closing-figure-store.ts'
import { findClosing, findLastClosing, findLastEntry, insertClosing } from './closing-store.ts'
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
    'that arrive later for a closed period are posted in the open period, and reported there as of earlier periods. ' +
    'accounts has the money by provider or method and currency of receipt, which statements show. ' +
    'finance/closing/reverse reverses the latest closing.',
  input: Type.Object({
    corp_id: OrganizationId,
    until: Type.String({ format: 'date', description: 'The last day of the period; it must be over' }),
    dry_run: DryRun,
  }),
  data: ClosingDocument,
  example: {
    input: { corp_id: 'lakeside', until: '2026-10-31' },
    data: {
      corp_id: 'lakeside',
      number: 10,
      previous_hash: '0b7d4f7c2e91a5d36c8f1e20794ab35dd2c6f08e1b9a47530c62e8fd914ab7c5',
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
      accounts: [
        {
          account: 'transfer',
          currency: 'CNY',
          order_currency: 'CNY',
          opening: { held: 900000, order_held: 900000 },
          received: 250000,
          voided: 0,
          moved: 0,
          refunded: 50000,
          closing: { held: 1100000, order_held: 1100000 },
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
  const { known, closing } = await drawUp(closer, until, takeInstant)
  if (known) return known
  const { number, as_of, closed_at: at } = closing
  const document = JSON.stringify(closing)
  const isStored = await store(db, corp_id, { number, until, as_of, document, executor_id, at })
  // A concurrent call has closed or reversed a period, so the figures are read again.
  return isStored ? closing : closeBooks(closer, until)
}

type DrawnUp =
  | { known: ClosingDocument; closing?: undefined }
  | { known?: undefined; closing: ClosingDocument }

/** The stored closing of a day, or the closing that would be stored now. */
async function drawUp(
  { db, organization }: Closer,
  until: string,
  instant: () => Promise<string>,
): Promise<DrawnUp> {
  const { corp_id, time_zone } = organization
  const last = await findLastEntry(db, corp_id)
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
    ...{ corp_id, number: last.number + 1, previous_hash: last.hash },
    ...{ after: before?.until ?? null, until, time_zone, as_of, closed_at },
    chain: figures.chain,
    currencies: rollForward(beforeIt?.currencies ?? [], figures),
    accounts: accountsOf(figures.accounts),
  }
  for (const [what, sum, balance] of accountSumsOf(beforeIt?.accounts ?? [], closing))
    if (sum !== balance) throw new Error(`The books do not add up: ${what} is ${balance}, expected ${sum}.`)
  return { closing }
}

/** Stores a closing, unless another closing or reversal was stored since its figures were read. */
function store(
  db: Queryable,
  corp_id: string,
  closing: Parameters<typeof insertClosing>[2],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    if ((await findLastEntry(tx, corp_id)).number !== closing.number - 1) return false
    await insertClosing(tx, corp_id, closing)
    return true
  })
}
