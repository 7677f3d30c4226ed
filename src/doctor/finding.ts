/** A result of an examination. `problem`: something does not work, or data is in danger. */
export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  finding: string
  /** The fix: a statement, a command or a setting. Absent: there is nothing to do. */
  fix?: string
}

export function ok(check: string, finding: string): Finding {
  return { check, state: 'ok', finding }
}

export function warning(check: string, finding: string, fix: string): Finding {
  return { check, state: 'warning', finding, fix }
}

export function problem(check: string, finding: string, fix: string): Finding {
  return { check, state: 'problem', finding, fix }
}
