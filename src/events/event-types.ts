/** The names of ids in `related`. */
export type RelatedName =
  | 'user_id'
  | 'order_id'
  | 'to_order_id'
  | 'tags_group_id'
  | 'payer_id'
  | 'course_code'

/** An event type: its record, and what it says. */
export interface EventType {
  record_type: string
  /** The permission that a reader of the feed needs. */
  permission: 'read' | 'finance'
  says: string
  /** The ids of other records that its events may name. */
  related: readonly RelatedName[]
}

const read = (record_type: string, says: string, related: RelatedName[] = []): EventType => ({
  record_type,
  permission: 'read',
  says,
  related,
})
const finance = (record_type: string, says: string, related: RelatedName[] = []): EventType => ({
  record_type,
  permission: 'finance',
  says,
  related,
})

const user: RelatedName[] = ['user_id']
const order: RelatedName[] = ['order_id', ...user]

/** The types of events. Types and members are only ever added. */
export const eventTypes = {
  'user.created': read('user', 'A person was recorded.'),
  'user.updated': read('user', 'Members of a person changed.'),
  'user.merged': read('user', 'A person was merged into another one, which related.user_id names.', user),
  'user.unmerged': read('user', 'A merge was undone: the person exists again.', user),
  'user.erased': read('user', 'The personal data of a person was erased.'),
  'user.deleted': read('user', 'A person was deleted because the change that recorded them was undone.'),
  'user_tag.assigned': read('user_tag', 'A tag was assigned to a person, or its value changed.', [
    ...user,
    'tags_group_id',
  ]),
  'user_tag.removed': read('user_tag', 'A tag was removed from a person.', [...user, 'tags_group_id']),
  'lead.created': read('lead', 'A lead arrived.', user),
  'lead.updated': read('lead', 'Members of a lead changed.', user),
  'lead.moved': read(
    'lead',
    'A lead belongs to another person now, because persons were merged or unmerged.',
    user,
  ),
  'lead.deleted': read('lead', 'A lead was deleted because its import was undone.', user),
  'tag_group.created': read('tag_group', 'A tag group was created.'),
  'tag_group.updated': read('tag_group', 'Members of a tag group changed.'),
  'tag_group.activated': read('tag_group', 'A tag group was activated.'),
  'tag_group.deactivated': read('tag_group', 'A tag group was deactivated.'),
  'order.created': read('order', 'An order was created.', order),
  'order.updated': read('order', 'An order has a new version with the same status.', order),
  'order.status_changed': read('order', 'The status of an order changed.', order),
  'order.deleted': read('order', 'An order was deleted.', order),
  'order.redacted': read('order', 'The personal data in an order was erased.', order),
  'payment.recorded': finance('payment', 'A payment was recorded.', order),
  'payment.updated': finance(
    'payment',
    'The payer of a payment changed, or a payment moved to another order.',
    [...order, 'payer_id'],
  ),
  'payment.voided': finance('payment', 'A payment was voided.', order),
  'payment.reinstated': finance('payment', 'The void of a payment was reversed.', order),
  'payment.applied': finance('payment', 'Money of a payment was applied to an order.', order),
  'payment.unapplied': finance('payment', 'Money of a payment was taken off an order.', order),
  'instalment.due': finance(
    'instalment',
    'The deadline of an unpaid instalment is within the next day.',
    order,
  ),
  'instalment.overdue': finance('instalment', 'The deadline of an unpaid instalment has passed.', order),
  'refund.requested': finance('refund', 'A refund waits for a second approver.', ['order_id']),
  'refund.decided': finance('refund', 'A second approver decided on a refund.', ['order_id']),
  'approval.requested': finance('approval', 'Another change than a refund waits for a second approver.', [
    'order_id',
  ]),
  'approval.decided': finance('approval', 'A second approver decided on another change than a refund.', [
    'order_id',
  ]),
  'refund.recorded': finance('refund', 'A refund was recorded.', order),
  'refund.reversed': finance('refund', 'A refund was reversed.', order),
  'transfer.recorded': finance('transfer', 'Money was transferred between orders.', [
    ...order,
    'to_order_id',
  ]),
  'write_off.recorded': finance('write_off', 'A debt was written off, or a write-off was reversed.', order),
  'follow_up.created': read('follow_up', 'A follow-up was recorded.', user),
  'follow_up.updated': read('follow_up', 'Members of a follow-up changed.', user),
  'follow_up.deleted': read('follow_up', 'A follow-up was deleted.', user),
  'follow_up.due': read('follow_up', 'The next contact of a follow-up is due.', user),
  'payer.created': finance('payer', 'A payer was recorded.', user),
  'payer.updated': finance('payer', 'Members of a payer changed.', user),
  'payer.erased': finance('payer', 'The personal data of a payer was erased.', user),
  'payment_request.created': finance('payment_request', 'A payment request was created.', ['order_id']),
  'payment_request.updated': finance('payment_request', 'A payment request was opened, paid or revoked.'),
  'document.issued': finance('document', 'A receipt, invoice or credit note was issued.', ['order_id']),
  'course.upserted': read('course', 'A course was created or changed.', ['course_code']),
  'batch.upserted': read('batch', 'An intake of a course was created or changed.'),
  'coupon.upserted': read('coupon', 'A coupon was created or changed.'),
  'period.closed': finance('period', 'A period was closed.'),
  'period.reopened': finance('period', 'The closing of the latest period was reversed.'),
  'import.finished': read('import', 'A lead file was imported.'),
  'export.ready': finance('export', 'An export can be downloaded.'),
  'webhook.disabled': read('webhook', 'A webhook endpoint was disabled after failures.'),
  ping: read('webhook', 'A test of a webhook endpoint.'),
} satisfies Record<string, EventType>

export type EventTypeName = keyof typeof eventTypes
export const eventTypeNames = Object.keys(eventTypes) as EventTypeName[]
