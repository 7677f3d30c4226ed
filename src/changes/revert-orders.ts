import type { Changer } from '../orders/change-orders.ts'
import type { Change } from './change-batch-store.ts'

export async function revertOrders(_changer: Changer, _changes: Change[]): Promise<Change[]> {
  return []
}
