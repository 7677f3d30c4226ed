/** Where a change comes from: who makes it, from where, and by which operation or command. */
export interface Origin {
  actor_kind: 'account' | 'staff' | 'system'
  actor_id: string
  /** Of the client, where there is one. */
  address: string | null
  operation: string
  request_id: string | null
}

/** What the service does by itself. */
export const maintenanceOrigin: Origin = {
  actor_kind: 'system',
  actor_id: 'maintenance',
  address: null,
  operation: 'maintenance',
  request_id: null,
}
