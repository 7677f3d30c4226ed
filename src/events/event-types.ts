/** An event type: its record, and what it says. */
export interface EventType {
  record_type: string
  /** The permission that a reader of the feed needs. */
  permission: 'read' | 'finance'
  says: string
}

const read = (record_type: string, says: string): EventType => ({ record_type, permission: 'read', says })
const finance = (record_type: string, says: string): EventType => ({
  record_type,
  permission: 'finance',
  says,
})

/** The types of events. Types and members are only ever added. */
export const eventTypes = {
  'user.created': read('user', 'A person was recorded.'),
  'user.updated': read('user', 'Members of a person changed.'),
  'user.merged': read('user', 'A person was merged into another one, which related.user_id names.'),
  'user.unmerged': read('user', 'A merge was undone: the person exists again.'),
  'user.erased': read('user', 'The personal data of a person was erased.'),
  'user.deleted': read('user', 'A person was deleted because the change that recorded them was undone.'),
  'user_tag.assigned': read('user_tag', 'A tag was assigned to a person, or its value changed.'),
  'user_tag.removed': read('user_tag', 'A tag was removed from a person.'),
  'lead.created': read('lead', 'A lead arrived.'),
  'lead.updated': read('lead', 'Members of a lead changed.'),
  'lead.moved': read(
    'lead',
    'A lead belongs to another person now, because persons were merged or unmerged.',
  ),
  'lead.deleted': read('lead', 'A lead was deleted because its import was undone.'),
  'tag_group.created': read('tag_group', 'A tag group was created.'),
  'tag_group.updated': read('tag_group', 'Members of a tag group changed.'),
  'tag_group.activated': read('tag_group', 'A tag group was activated.'),
  'tag_group.deactivated': read('tag_group', 'A tag group was deactivated.'),
  'order.created': read('order', 'An order was created.'),
  'order.updated': read('order', 'An order has a new version with the same status.'),
  'order.status_changed': read('order', 'The status of an order changed.'),
  'order.deleted': read('order', 'An order was deleted.'),
  'order.redacted': read('order', 'The personal data in an order was erased.'),
  'payment.recorded': finance('payment', 'A payment was recorded.'),
  'payment.updated': finance(
    'payment',
    'The payer of a payment changed, or a payment moved to another order.',
  ),
  'payment.voided': finance('payment', 'A payment was voided.'),
  'payment.reinstated': finance('payment', 'The void of a payment was reversed.'),
  'payment.applied': finance('payment', 'Money of a payment was applied to an order.'),
  'payment.unapplied': finance('payment', 'Money of a payment was taken off an order.'),
  'instalment.due': finance('instalment', 'The deadline of an unpaid instalment is within the next day.'),
  'instalment.overdue': finance('instalment', 'The deadline of an unpaid instalment has passed.'),
  'refund.requested': finance('refund', 'A refund waits for a second approver.'),
  'refund.decided': finance('refund', 'A second approver decided on a refund.'),
  'approval.requested': finance('approval', 'Another change than a refund waits for a second approver.'),
  'approval.decided': finance('approval', 'A second approver decided on another change than a refund.'),
  'refund.recorded': finance('refund', 'A refund was recorded.'),
  'refund.reversed': finance('refund', 'A refund was reversed.'),
  'transfer.recorded': finance('transfer', 'Money was transferred between orders.'),
  'write_off.recorded': finance('write_off', 'A debt was written off, or a write-off was reversed.'),
  'follow_up.created': read('follow_up', 'A follow-up was recorded.'),
  'follow_up.updated': read('follow_up', 'Members of a follow-up changed.'),
  'follow_up.deleted': read('follow_up', 'A follow-up was deleted.'),
  'follow_up.due': read('follow_up', 'The next contact of a follow-up is due.'),
  'payer.created': finance('payer', 'A payer was recorded.'),
  'payer.updated': finance('payer', 'Members of a payer changed.'),
  'payer.erased': finance('payer', 'The personal data of a payer was erased.'),
  'payment_request.created': finance('payment_request', 'A payment request was created.'),
  'payment_request.updated': finance('payment_request', 'A payment request was opened, paid or revoked.'),
  'document.issued': finance('document', 'A receipt, invoice or credit note was issued.'),
  'course.upserted': read('course', 'A course was created or changed.'),
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
