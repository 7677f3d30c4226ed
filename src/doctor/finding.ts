/** What an examination found. `problem`: something does not work, or data is in danger. */
export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  /** One sentence. */
  finding: string
  /** What to do: a statement, a command or a setting. Absent where nothing is to be done. */
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
