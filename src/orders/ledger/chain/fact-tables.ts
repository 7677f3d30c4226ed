/** The columns of a fact table: its key, the order of the fact, and its instant. */
export interface FactTable {
  key: string[]
  order: string
  at: string
  /** A text that may be erased. Versions hold its digest. */
  text?: string
  /** Columns that may be corrected or are derived. Versions leave them out. */
  leftOut?: string[]
}

/** The fact tables. Rows are only added, together with a version of their order, whose record holds them. */
export const factTables = {
  payments: {
    ...{ key: ['payment_id'], order: 'order_id', at: 'ctime', text: 'comments' },
    leftOut: ['payer_id', 'is_open'],
  },
  payment_allocations: { key: ['payment_id', 'sub_order_id', 'at'], order: 'order_id', at: 'at' },
  payment_voids: { key: ['payment_id', 'at'], order: 'order_id', at: 'at', text: 'reason' },
  payment_moves: { key: ['payment_id'], order: 'order_id', at: 'at', text: 'reason' },
  receipts: { key: ['payment_id'], order: 'order_id', at: 'at' },
  refunds: { key: ['refund_id'], order: 'order_id', at: 'ctime', text: 'reason' },
  refund_allocations: { key: ['refund_id', 'payment_id', 'sub_order_id', 'at'], order: 'order_id', at: 'at' },
  refund_reversals: { key: ['refund_id'], order: 'order_id', at: 'at', text: 'reason' },
  order_retentions: { key: ['order_id', 'at'], order: 'order_id', at: 'at', text: 'reason' },
  order_write_offs: { key: ['sub_order_id', 'at'], order: 'order_id', at: 'at', text: 'reason' },
  order_transfers: { key: ['transfer_id'], order: 'from_order_id', at: 'at', text: 'reason' },
  order_remarks: { key: ['remark_id'], order: 'order_id', at: 'ctime', text: 'content' },
} satisfies Record<string, FactTable>

export type FactTableName = keyof typeof factTables

export const factTableNames = Object.keys(factTables) as FactTableName[]
