/** How a fact is told from others of its table, whose order's version it came with, and when. */
export interface FactTable {
  key: string[]
  order: string
  at: string
}

/**
 * The tables of facts. A row of theirs is only ever added, together with a version of its order, whose record then holds
 * it whole.
 */
export const factTables = {
  payments: { key: ['payment_id'], order: 'order_id', at: 'ctime' },
  refunds: { key: ['refund_id'], order: 'order_id', at: 'ctime' },
  order_remarks: { key: ['remark_id'], order: 'order_id', at: 'ctime' },
} satisfies Record<string, FactTable>
