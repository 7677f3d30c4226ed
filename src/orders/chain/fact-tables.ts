/** How a fact is told from others of its table, and when it became known. */
export interface FactTable {
  key: string[]
  at: string
}

/**
 * The tables of facts. A row of theirs is only ever added, together with a version of its order, whose record then holds
 * it whole. Each has the order_id of that order and the instant of that version.
 */
export const factTables = {
  payments: { key: ['payment_id'], at: 'ctime' },
  refunds: { key: ['refund_id'], at: 'ctime' },
  order_remarks: { key: ['remark_id'], at: 'ctime' },
} satisfies Record<string, FactTable>
