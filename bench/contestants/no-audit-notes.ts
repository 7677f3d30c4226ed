/** Replaces the audit in a server without one: it records nothing. */
export const insertingEntries = () => []
export const auditedTableOf = () => undefined

export class AuditTrail {
  readonly entries = []
  add(): void {}
  watch(): void {}
}
