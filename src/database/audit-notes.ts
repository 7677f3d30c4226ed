import { hash, randomUUID } from 'node:crypto'
import { newId } from '../contract/new-id.ts'
import type { Origin } from '../contract/origin.ts'
import type { Answer } from './driver/pipeline-query.ts'
import { insertingRows } from './insert-rows.ts'
import type { Statement } from './sql.ts'
import { referenceTables, tenantTables, unauditedTables } from './tables.ts'

/** A change or disclosure of a record in a transaction. */
export interface AuditNote {
  /** The table of the record. */
  record_type: string
  record_id: string
  /** The person of the record. Personal data is stored separately, so that it can be erased. */
  person_id?: string | undefined
  /** The version of the record after the change. An order version holds the state before and after. */
  version?: number | undefined
  before?: object | undefined
  after?: object | undefined
  /** Set where members about a person are omitted. */
  omitsPersonal?: boolean
  /** Where before and after do not show the change. */
  action?: 'made' | 'changed' | 'removed' | 'revealed' | 'exported' | 'erased'
  /** The origin of a change that shares its transaction with changes of other origins. */
  origin?: Origin
}

const entryColumns = {
  entry_id: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  address: 'text',
  request_id: 'text',
  operation: 'text',
  action: 'text',
  record_type: 'text',
  record_id: 'text',
  version: 'integer',
  before: 'jsonb',
  after: 'jsonb',
  person_id: 'text',
  digest: 'text',
} as const

const waitingColumns = { entry_id: 'text' } as const

const personalColumns = { person_id: 'text', entry_id: 'text', salt: 'text', content: 'text' } as const

/** Members of a record about a person that are not personal. */
const plainMembers = new Set([
  ...[
    'user_id',
    'lead_id',
    'entity_id',
    'follow_up_id',
    'merge_id',
    'tags_group_id',
    'order_id',
    'payer_id',
    'kind',
    'course_code',
  ],
  ...[
    'app_id',
    'executor_id',
    'owner_id',
    'owner_ids',
    'pool',
    'is_verified',
    'is_deleted',
    'attribute',
    'source',
  ],
  ...['version', 'ctime', 'mtime', 'claimed_at', 'active_at', 'imported_at', 'row_hash'],
])

type Members = Record<string, unknown>

/**
 * Inserts audit entries, and marks them as waiting to be linked. The clock of the database gives their times when these
 * statements run, with the COMMIT. Ids ascend, so entries of the same microsecond keep their order.
 */
export function insertingEntries(corp_id: string, origin: Origin, notes: AuditNote[]): Statement[] {
  const ids = notes.map(newId).sort()
  const made = notes.map((note, index) => entryOf(note, origin, ids[index]!))
  const entries = made.map(({ entry }) => entry)
  const personal = made.flatMap(({ kept }) => kept ?? [])
  const waiting = ids.map((entry_id) => ({ entry_id }))
  return [
    ...insertingRows('audit_entries', entryColumns, corp_id, entries),
    ...insertingRows('audit_personal', personalColumns, corp_id, personal),
    ...insertingRows('audit_waiting', waitingColumns, corp_id, waiting),
  ]
}

function entryOf(
  { origin: own, before, after, action, omitsPersonal, ...note }: AuditNote,
  origin: Origin,
  entry_id: string,
) {
  const person_id = note.person_id ?? null
  const [was, is] = differing(before as Members | undefined, after as Members | undefined)
  const [plainBefore, personalBefore] = apart(was, person_id)
  const [plainAfter, personalAfter] = apart(is, person_id)
  const kept =
    person_id !== null && !omitsPersonal && (personalBefore || personalAfter)
      ? keptOf(person_id, entry_id, { before: personalBefore, after: personalAfter })
      : undefined
  const entry = {
    ...{ ...note, ...(own ?? origin), entry_id, person_id },
    version: note.version ?? versionAfter(before as Members | undefined, after as Members | undefined),
    action: action ?? (before ? (after ? 'changed' : 'removed') : 'made'),
    before: plainBefore ?? null,
    after: plainAfter ?? null,
    digest: kept ? digestOf(kept.salt, kept.content) : null,
  }
  return { entry, kept }
}

/** The version of a record that counts its changes. Its removal counts too. */
function versionAfter(before?: Members, after?: Members): number | null {
  const { version } = after ?? before ?? {}
  if (typeof version !== 'number') return null
  return after ? version : version + 1
}

function keptOf(person_id: string, entry_id: string, content: object) {
  return { person_id, entry_id, salt: randomUUID(), content: JSON.stringify(content) }
}

/** The digest of personal data that an entry keeps. Without the salt, values cannot be tried. */
function digestOf(salt: string, content: string): string {
  return hash('sha256', `${salt}${content}`)
}

/** The members that differ in a changed record, or the non-empty ones of a created or deleted record. */
function differing(before?: Members, after?: Members): [Members | undefined, Members | undefined] {
  if (!before || !after) return [before && telling(before), after && telling(after)]
  const was: Members = {}
  const is: Members = {}
  for (const name of Object.keys({ ...before, ...after })) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue
    was[name] = before[name] ?? null
    is[name] = after[name] ?? null
  }
  return [was, is]
}

function telling(members: Members): Members {
  const some: Members = {}
  for (const name in members) if (!isEmpty(members[name])) some[name] = members[name]
  return some
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object' || value instanceof Date) return false
  return Object.keys(value).length === 0
}

function apart(members: Members | undefined, person_id: string | null): [Members?, Members?] {
  if (!members || person_id === null) return [members]
  const plain: Members = {}
  const personal: Members = {}
  for (const [name, value] of Object.entries(members))
    if (plainMembers.has(name)) plain[name] = value
    else personal[name] = value
  return [plain, Object.keys(personal).length > 0 ? personal : undefined]
}

const audited = new Set<string>(
  [...tenantTables, ...referenceTables].filter((table) => !unauditedTables.includes(table)),
)
const written = new Map<string, string | undefined>()

/** The audited table that a statement writes, if it writes one. */
export function auditedTableOf({ text }: Statement): string | undefined {
  if (!written.has(text)) {
    const tables = text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/gi)
    written.set(
      text,
      tables.map(([, table]) => table!).find((table) => audited.has(table)),
    )
  }
  return written.get(text)
}

/** Audit notes of a transaction, and the audited tables that it wrote. */
export class AuditTrail {
  private readonly notes: AuditNote[] = []
  /** Written records by table and by the id that the statement returned. */
  private readonly written = new Map<string, AuditNote>()

  add(notes: AuditNote[]): void {
    this.notes.push(...notes)
  }

  watch(statements: Statement[], results: Answer[]): void {
    for (const [index, statement] of statements.entries()) {
      const record_type = auditedTableOf(statement)
      const { rowCount, rows } = results[index]!
      if (!record_type || !rowCount) continue
      const [name, id] = Object.entries(rows[0] ?? {})[0] ?? []
      const record_id = name?.endsWith('_id') && typeof id === 'string' ? id : ''
      this.written.set(`${record_type} ${record_id}`, { record_type, record_id, action: 'changed' })
    }
  }

  /** Every write has an entry, even if the code noted none. */
  get entries(): AuditNote[] {
    return this.notes.length > 0 ? this.notes : [...this.written.values()]
  }
}
