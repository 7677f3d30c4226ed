/** The origin of a change: author, address, and operation or command. */
export interface Origin {
  /** support: a support person of the operator, whom the school let in. */
  actor_kind: 'account' | 'staff' | 'support' | 'system'
  actor_id: string
  /** IP address of the client, if there is one. */
  address: string | null
  operation: string
  request_id: string | null
}

/** Work of the service itself. */
export const maintenanceOrigin: Origin = {
  actor_kind: 'system',
  actor_id: 'maintenance',
  address: null,
  operation: 'maintenance',
  request_id: null,
}
