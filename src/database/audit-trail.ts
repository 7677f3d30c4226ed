import { type AuditNote, auditedTableOf } from './audit-notes.ts'
import type { Answer } from './driver/pipeline-query.ts'
import type { Statement } from './sql.ts'

/** Audit notes of a transaction, and the audited tables that it wrote. */
export class AuditTrail {
  private readonly notes: AuditNote[] = []
  /** Written records by table and by the id that the statement returned. */
  private readonly written = new Map<string, AuditNote>()

  add(notes: AuditNote[]): void {
    this.notes.push(...notes)
  }

  watch(statements: Statement[], results: Answer[]): void {
    for (const [index, statement] of statements.entries()) {
      const record_type = auditedTableOf(statement)
      const { rowCount, rows } = results[index]!
      if (!record_type || !rowCount) continue
      const [name, id] = Object.entries(rows[0] ?? {})[0] ?? []
      const record_id = name?.endsWith('_id') && typeof id === 'string' ? id : ''
      this.written.set(`${record_type} ${record_id}`, { record_type, record_id, action: 'changed' })
    }
  }

  /** Every write has an entry, even if the code noted none. */
  get entries(): AuditNote[] {
    return this.notes.length > 0 ? this.notes : [...this.written.values()]
  }
}
