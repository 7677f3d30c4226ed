/** Replaces the audit in a server without one: nothing is recorded, no table is watched. */
export const insertingEntries = () => []
export const auditedTableOf = () => undefined

export class AuditTrail {
  readonly entries = []
  add(): void {}
  watch(): void {}
}
