import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { storableText } from '../../contract/formats.ts'
import type { Queryable } from '../../database/database.ts'
import { retryLostRaces } from '../../database/unique-violation.ts'
import { type Cell, formats, type SourceRow } from '../../files/row-source.ts'
import { type LeadOfUser, leadWrites } from '../../people/leads/insert-leads.ts'
import { leadRaces, type NewLead, planLeads } from '../../people/leads/store-leads.ts'
import { type NamedUsers, UserPlan } from '../../people/users/user-plan.ts'
import { isErasedSinceRead } from '../erasure/recognise-erased.ts'
import { storeNotedUserPlan } from '../undo/apply-transitions.ts'
import { type Change, type ChangeBatch, lockBatch, noteChanges } from '../undo/change-batch-store.ts'
import { stampOf } from '../undo/record-images.ts'
import { type KeptRow, rowInsertion } from './imported-row-store.ts'
import { findPiece } from './kept-file-store.ts'
import type { LeadFile } from './lead-file.ts'
import { importUpdate, type LeadImport, lockImport } from './lead-import-store.ts'
import { lookUpRows, outcomesOf, type PlannedRow, type ReadRow } from './plan-rows.ts'
import { followUpWrites, storeTags } from './records-along.ts'
import { emptyTally, tallied } from './tally.ts'

/** The import was undone, or another process works on it. */
export class ImportEnded extends Error {}

/** Rows that are being stored. */
export interface RowsUnderWay {
  /** The people whom the rows name, and the users found for them. Known before anything is written. */
  people: Promise<Set<string>>
  /** The import after these rows. */
  done: Promise<LeadImport>
}

/**
 * Longest wait for the batch before. The batch may hold a lock or a connection that the batch before waits for.
 * Shorter than the timeouts for those.
 */
const patienceMs = 800

/**
 * Stores rows in one transaction: users, leads, their changes, the outcomes of the rows, and the progress of the
 * import. Batches with different people are stored concurrently and commit in order. Nothing is stored if another
 * process has advanced the import, or if it was undone.
 */
export function commitRows(
  context: OrganizationContext,
  file: LeadFile,
  rows: ReadRow[],
  {
    before,
    keepsAllRows,
    onRows,
  }: {
    before: RowsUnderWay
    keepsAllRows: boolean
    onRows?: ((planned: PlannedRow[]) => Promise<void>) | undefined
  },
): RowsUnderWay {
  const people = Promise.withResolvers<Set<string>>()
  const { corp_id } = context.organization
  const isBefore = before.done.catch((cause: unknown) => {
    throw new Error('The batch before was not stored.', { cause })
  })
  isBefore.catch(() => undefined)
  const turn = () => withinPatience(isBefore)
  const transact = () =>
    context.db.transaction(async (tx) => {
      const inside = { ...context, db: tx }
      let looked = await lookUpRows(inside, file, rows)
      if (!peopleOf(looked.leads, looked.users).isDisjointFrom(await withinPatience(before.people))) {
        await turn()
        looked = await lookUpRows(inside, file, rows)
      }
      people.resolve(peopleOf(looked.leads, looked.users))
      const plan = planLeads(looked.leads, new UserPlan(looked.users), looked.entries)
      const planned = outcomesOf(file, looked.rows, plan.outcomes)
      const changes = plan.leads.length === 0 ? [] : await store(tx, context, plan, planned, turn)
      const named = looked.leads.map(({ person }) => person)
      await turn()
      if (await isErasedSinceRead(inside, looked.register, named)) throw new ApiError('unavailable')
      const found = await note(tx, corp_id, { found: await turn(), planned, changes, keepsAllRows })
      return { planned, found }
    })
  const done = (async () => {
    const { planned, found } = await retryLostRaces(leadRaces, transact).catch(async (error) => {
      // Without a second connection, or after a concurrent erasure, this batch waits for the one before.
      const isAboutTurns = error instanceof TurnAwaited || (error instanceof ApiError && error.code === 50301)
      if (!isAboutTurns) throw error
      await isBefore
      return retryLostRaces(leadRaces, transact)
    })
    await onRows?.(planned)
    return found
  })()
  done.catch(() => people.resolve(new Set()))
  return { people: people.promise, done }
}

/** Identifies the people of rows: their numbers and addresses, and the users found for them. */
function peopleOf(leads: NewLead[], { users, merged }: NamedUsers): Set<string> {
  const people = new Set<string>()
  for (const { person } of leads) {
    if (person.mobile) people.add(person.mobile)
    if (person.email) people.add(person.email.toLowerCase())
  }
  for (const { user_id } of users) people.add(user_id)
  for (const { merged_user_id } of merged) people.add(merged_user_id)
  return people
}

class TurnAwaited extends Error {}

async function withinPatience<T>(awaited: Promise<T>): Promise<T> {
  const end = new AbortController()
  const tooLong = pause(patienceMs, undefined, { signal: end.signal }).then(() => {
    throw new TurnAwaited('The batch before has not been stored yet.')
  })
  try {
    return await Promise.race([awaited, tooLong])
  } finally {
    end.abort()
    tooLong.catch(() => undefined)
  }
}

export function refuseUndone({ undone_by_batch_id }: ChangeBatch): void {
  if (undone_by_batch_id !== null) throw new ImportEnded('The import was undone.')
}

/** Notes the outcomes of the rows and the progress of the import. Locks the batch. */
async function note(
  tx: Queryable,
  corp_id: string,
  {
    found,
    planned,
    changes,
    keepsAllRows,
  }: { found: LeadImport; planned: PlannedRow[]; changes: Change[]; keepsAllRows: boolean },
): Promise<LeadImport> {
  const now = new Date()
  const batch = await lockBatch(tx, corp_id, found.import_id)
  refuseUndone(batch)
  const last_row = planned.at(-1)!.row.row
  const result = tallied(found.result ?? emptyTally(), planned)
  const kept = planned.filter(({ outcome }) => keepsAllRows || outcome === 'reject')
  const [updated] = await tx.pipeline<[object]>([
    importUpdate(corp_id, found, { last_row, result }, now),
    ...noteChanges(corp_id, batch, changes, now),
    ...(kept.length > 0 ? [rowInsertion(corp_id, found.import_id, kept.map(keptRow))] : []),
  ])
  if (updated.length === 0) throw new ImportEnded('Another process is importing this file.')
  return { ...found, last_row, result }
}

/** The outcome of a row, as stored. */
export function keptRow({ row, outcome, reason, faults, lead_id, user_id }: PlannedRow) {
  const ids = { lead_id: lead_id ?? null, user_id: user_id ?? null }
  return { row: row.row, outcome, reason, ...ids, cells: keptCells(row, outcome, faults) }
}

/** Rows of erased people keep their faults without their cells. */
function keptCells(
  row: SourceRow,
  outcome: PlannedRow['outcome'],
  faults: PlannedRow['faults'],
): KeptRow | null {
  if (outcome === 'reject') return { ...storableRow(row), faults }
  return outcome === 'erased' ? { row: row.row, cells: [], faults } : null
}

export function storableRow({ cells, unfitted, ...rest }: SourceRow): SourceRow {
  const storable = (cell: Cell): Cell =>
    typeof cell === 'string' ? storableText(cell) : { ...cell, text: cell.text && storableText(cell.text) }
  return { ...rest, cells: cells.map(storable), unfitted: unfitted?.map(storableText) }
}

async function store(
  tx: Queryable,
  context: OrganizationContext,
  { users, leads }: { users: UserPlan; leads: LeadOfUser[] },
  planned: PlannedRow[],
  turn: () => Promise<unknown>,
): Promise<Change[]> {
  const { corp_id } = context.organization
  const ofLeads = leadWrites(corp_id, leads)
  const ofFollowUps = followUpWrites(context, planned)
  const changes = await storeNotedUserPlan(tx, corp_id, users, {
    ...ofLeads,
    statements: [
      ...Object.values(ofLeads.statements ?? []),
      ...Object.values(ofFollowUps.writes.statements ?? []),
    ],
    notes: [...(ofLeads.notes ?? []), ...(ofFollowUps.writes.notes ?? [])],
    waitForPredecessors: turn,
  })
  const tags = await storeTags(
    tx,
    context,
    planned,
    leads.map(({ user }) => user),
  )
  const made = leads.map(({ lead }) => ({
    record_type: 'leads' as const,
    // `LeadRecord` allows null in every column; leads always have an id.
    record_id: lead.lead_id!,
    before: null,
    after: stampOf('leads', lead),
  }))
  return [...changes, ...made, ...ofFollowUps.changes, ...tags]
}

/** Writes an uploaded file into a folder; undefined if its pieces were deleted. */
export async function writeUploaded(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  { import_id, bytes, options, file_name }: Pick<LeadImport, 'import_id' | 'bytes' | 'options' | 'file_name'>,
  folder: string,
): Promise<string | undefined> {
  const ending = formats.find((format) => format === options.format) ?? /\.([a-z]+)$/i.exec(file_name)?.[1]
  const path = join(folder, `file.${ending ?? ''}`)
  await using handle = await open(path, 'w', 0o600)
  for (let start = 0; start < bytes; ) {
    const piece = await findPiece(db, organization.corp_id, import_id, start)
    if (!piece) return undefined
    await handle.appendFile(piece)
    start += piece.length
  }
  return path
}

/** Locks the file until the end of the transaction. */
export async function lockLeadFile(tx: Queryable, corp_id: string, import_id: string): Promise<LeadImport> {
  const found = await lockImport(tx, corp_id, import_id)
  if (!found) throw new ApiError('leadImportNotFound')
  return found
}

export function refuseCommitted({ state }: LeadImport): void {
  if (state === 'committing' || state === 'done')
    throw new ApiError('stateForbids', { msg: 'The file is committed already.', allowed: ['changes/undo'] })
}
