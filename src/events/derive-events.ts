import { isDeepStrictEqual } from 'node:util'
import type { ChainedEntry } from '../access/audit/audit-chain-store.ts'
import type { EventTypeName } from './event-types.ts'
import { eventTypes } from './event-types.ts'

type Members = Record<string, unknown>

/** The part of an audit entry that events are derived from, with the version of the order that it names, if it names one. */
export interface AuditedChange
  extends Omit<ChainedEntry, 'at' | 'actor_kind' | 'actor_id' | 'request_id' | 'personal'> {
  /** The names of the members that differ and are personal. */
  personal: string[]
  order: OrderVersion | null
}

/** The part of an order version that events show. */
export interface OrderVersion {
  change: string
  from_status: string | null
  to_status: string
  subject_id: string | null
  /** Null: the first version. */
  before: Members | null
  after: Members
  /** The facts of the version, by table. */
  facts: Record<string, Members[]>
}

/** An event without the members that it shares with its entry. */
export interface DerivedEvent {
  type: EventTypeName
  record_type: string
  record_id: string
  version: number | null
  changed: string[]
  related: Record<string, string>
}

/** The events of an audit entry. Disclosures and exports cause no events. */
export function eventsOf(change: AuditedChange): DerivedEvent[] {
  if (change.action === 'revealed' || change.action === 'exported') return []
  return derivations[change.record_type]?.(change) ?? []
}

type Derivation = (change: AuditedChange) => DerivedEvent[]

/** By table. A table that is absent here states its reason in `silentTables`. */
const derivations: Record<string, Derivation> = {
  users: (change) => [recordEvent(change, userTypes[change.action] ?? 'user.updated')],
  merged_users: mergeEvents,
  user_tags: (change) => [
    recordEvent(change, change.action === 'removed' ? 'user_tag.removed' : 'user_tag.assigned'),
  ],
  leads: (change) => [recordEvent(change, leadType(change))],
  user_follow_ups: (change) => [recordEvent(change, followUpTypes[change.action] ?? 'follow_up.updated')],
  tag_groups: (change) => [recordEvent(change, tagGroupType(change))],
  orders: orderEvents,
  payments: (change) => [recordEvent(change, 'payment.updated')],
  payers: (change) => [recordEvent(change, payerTypes[change.action] ?? 'payer.updated')],
  payment_requests: (change) => [
    recordEvent(change, change.action === 'made' ? 'payment_request.created' : 'payment_request.updated'),
  ],
  documents: (change) => [recordEvent(change, 'document.issued')],
  courses: (change) => [recordEvent(change, 'course.upserted')],
  batches: (change) => [recordEvent(change, 'batch.upserted')],
  coupons: (change) => [recordEvent(change, 'coupon.upserted')],
  approval_requests: (change) => [
    recordEvent(change, isOfRefund(change) ? 'refund.requested' : 'approval.requested'),
  ],
  approval_decisions: (change) => [
    recordEvent(change, isOfRefund(change) ? 'refund.decided' : 'approval.decided'),
  ],
  due_notices: dueEvents,
  test_events: testEvents,
  closings: (change) => [recordEvent(change, 'period.closed')],
  closing_reversals: (change) => [recordEvent(change, 'period.reopened')],
  lead_imports: (change) => (change.after?.state === 'done' ? [recordEvent(change, 'import.finished')] : []),
  webhook_endpoints: webhookEvents,
  finance_exports: (change) => (change.after?.state === 'done' ? [recordEvent(change, 'export.ready')] : []),
}

const userTypes: Record<string, EventTypeName> = {
  made: 'user.created',
  removed: 'user.deleted',
  erased: 'user.erased',
}
const followUpTypes: Record<string, EventTypeName> = {
  made: 'follow_up.created',
  removed: 'follow_up.deleted',
}
const payerTypes: Record<string, EventTypeName> = { made: 'payer.created', erased: 'payer.erased' }

function leadType({ action, before, after }: AuditedChange): EventTypeName {
  if (action === 'made') return 'lead.created'
  if (action === 'removed') return 'lead.deleted'
  return before?.user_id !== undefined && before.user_id !== after?.user_id ? 'lead.moved' : 'lead.updated'
}

function tagGroupType({ action, after }: AuditedChange): EventTypeName {
  if (action === 'made') return 'tag_group.created'
  if (after?.is_active === undefined) return 'tag_group.updated'
  return after.is_active ? 'tag_group.activated' : 'tag_group.deactivated'
}

function isOfRefund({ after }: AuditedChange): boolean {
  return after?.kind === 'refund'
}

/** Settings of an endpoint are not in the feed. A test and the end of deliveries are. */
function webhookEvents(change: AuditedChange): DerivedEvent[] {
  const { after } = change
  if (after?.pinged_at !== undefined) return [{ ...recordEvent(change, 'ping'), changed: [] }]
  const isDisabled = after?.disabled_reason === 'failing' || after?.disabled_reason === 'gone'
  return isDisabled ? [recordEvent(change, 'webhook.disabled')] : []
}

/** The survivor is related; the event is of the person that was merged. */
function mergeEvents(change: AuditedChange): DerivedEvent[] {
  const { action, before, after, record_id } = change
  const survivor = (after ?? before)?.user_id
  return [
    {
      ...recordEvent(change, action === 'removed' ? 'user.unmerged' : 'user.merged'),
      record_id,
      related: { user_id: typeof survivor === 'string' ? survivor : record_id },
    },
  ]
}

/** The kind of the notice is the type. The record is the instalment or follow-up, which has not changed. */
function dueEvents(change: AuditedChange): DerivedEvent[] {
  const kind = change.after?.kind as EventTypeName
  return [{ ...recordEvent(change, kind), changed: [] }]
}

/** An event that was triggered for a test. */
function testEvents({ record_id, after }: AuditedChange): DerivedEvent[] {
  const type = after?.type as EventTypeName
  const { record_type } = eventTypes[type]
  return [{ type, record_type, record_id, version: null, changed: [], related: {} }]
}

/** One event of the order for each of its versions, then one for each fact of the version. */
function orderEvents(change: AuditedChange): DerivedEvent[] {
  const { order, record_id } = change
  if (!order) return change.action === 'removed' ? [recordEvent(change, 'order.deleted')] : []
  const { user_id } = order.after
  const related = { order_id: record_id, ...(typeof user_id === 'string' && { user_id }) }
  const changed = membersChanged(order)
  const own: DerivedEvent = { ...recordEvent(change, orderType(change, order)), changed, related }
  return [own, ...factEvents(order, related)]
}

function orderType({ action, version }: AuditedChange, order: OrderVersion): EventTypeName {
  if (version === 1) return 'order.created'
  if (action === 'erased' || order.change === 'erased') return 'order.redacted'
  if (order.after.is_deleted && !order.before?.is_deleted) return 'order.deleted'
  if (order.from_status !== null && order.from_status !== order.to_status) return 'order.status_changed'
  return 'order.updated'
}

/** Compared here, because the same comparison takes several times as long in PostgreSQL. */
function membersChanged({ before, after }: OrderVersion): string[] {
  return Object.keys(after)
    .filter((name) => !ofVersions.has(name))
    .filter((name) => (before ? !isDeepStrictEqual(after[name], before[name]) : !isEmpty(after[name])))
    .toSorted()
}

/** Members that differ in every version. */
const ofVersions = new Set(['corp_id', 'version', 'mtime'])

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

function factEvents({ change, facts }: OrderVersion, related: Record<string, string>): DerivedEvent[] {
  const of = (table: string) => facts[table] ?? []
  const event = (type: EventTypeName, id: unknown): DerivedEvent => ({
    type,
    record_type: eventTypes[type].record_type,
    record_id: String(id),
    version: null,
    changed: [],
    related,
  })
  const allocated = new Set(of('payment_allocations').map(({ payment_id }) => payment_id))
  const allocations = { apply: 'payment.applied', unapply: 'payment.unapplied' } as const
  return [
    ...of('payments').map(({ payment_id }) => event('payment.recorded', payment_id)),
    ...of('payment_voids').map(({ payment_id }) =>
      event(change === 'reversal' ? 'payment.reinstated' : 'payment.voided', payment_id),
    ),
    ...of('payment_moves').map(({ payment_id }) => event('payment.updated', payment_id)),
    ...(change === 'apply' || change === 'unapply'
      ? [...allocated].map((payment_id) => event(allocations[change], payment_id))
      : []),
    ...of('refunds').map(({ refund_id }) => event('refund.recorded', refund_id)),
    ...of('refund_reversals').map(({ refund_id }) => event('refund.reversed', refund_id)),
    ...of('order_transfers').map(({ transfer_id, to_order_id }) => ({
      ...event('transfer.recorded', transfer_id),
      related: { ...related, to_order_id: String(to_order_id) },
    })),
    ...(of('order_write_offs').length > 0 ? [event('write_off.recorded', related.order_id)] : []),
  ]
}

/** Members without information for a reader: every change increases them. */
const unsaid = new Set(['version', 'mtime', 'restored'])

function recordEvent(change: AuditedChange, type: EventTypeName): DerivedEvent {
  const { before, after, personal, record_id, version, person_id, record_type } = change
  const isWhole = !before || !after
  const names = Object.keys({ ...before, ...after }).concat(personal)
  const related: Record<string, string> = {}
  for (const name of eventTypes[type].related) {
    const id = after?.[name] ?? before?.[name]
    if (typeof id === 'string' && id !== record_id) related[name] = id
  }
  if (person_id !== null && person_id !== record_id && aboutUsers.has(record_type))
    related.user_id ??= person_id
  return {
    type,
    record_type: eventTypes[type].record_type,
    record_id,
    version,
    changed:
      isWhole && before === null && after === null
        ? [...personal]
        : names.filter((name) => !unsaid.has(name)),
    related,
  }
}

const aboutUsers = new Set(['user_tags', 'leads', 'user_follow_ups', 'due_notices'])

const partOfOrder = 'The events of the order and of its money cover it.'
const work = 'Work of the finance office inside Matricula. It changes no order, person or payment.'
const settings = 'A setting, which its own operation fetches. It changes no record.'
const access = 'Access of staff and accounts is in the audit, for administrators.'

/** Audited tables whose changes are not in the feed, with the reason. */
export const silentTables: Record<string, string> = {
  sub_orders: partOfOrder,
  refunds: partOfOrder,
  payment_allocations: partOfOrder,
  payment_voids: partOfOrder,
  payment_moves: partOfOrder,
  receipts: partOfOrder,
  refund_allocations: partOfOrder,
  refund_reversals: partOfOrder,
  order_retentions: partOfOrder,
  order_write_offs: partOfOrder,
  order_transfers: partOfOrder,
  order_remarks: partOfOrder,
  cash_ups: work,
  cash_up_lines: work,
  bank_accounts: work,
  bank_statements: work,
  completed_statements: work,
  statement_lines: work,
  statement_matches: work,
  statement_match_undos: work,
  user_claims: 'The event of the user names the new owner and pool.',
  erased_users: 'The event of the user covers the erasure.',
  erasure_tombstones: 'The event of the user covers the erasure.',
  claim_rules: settings,
  counsellor_rules: settings,
  money_limits: settings,
  limit_requests: settings,
  limit_decisions: settings,
  retention_rules: settings,
  issuers: settings,
  quotas: settings,
  organizations: settings,
  console_views: 'A filter that one member of staff keeps for themselves.',
  staff: access,
  staff_passkeys: access,
  sign_in_providers: access,
  sign_in_domains: access,
  verified_domains: access,
  accounts: access,
  account_organizations: access,
  account_secrets: access,
  archives: 'moves old rows to a file, and changes no record',
  support_grants: access,
}

export const tablesWithEvents = Object.keys(derivations)
