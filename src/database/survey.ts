import type { Queryable } from './queryable.ts'
import { type Statement, sql } from './sql.ts'

/** A statement over all organizations. Only a `Surveyor` runs it. */
export interface Survey {
  statement: Statement
}

/** The comment that the lint of statements knows a survey by. */
export const surveyMark = '/* survey */'

/**
 * Writes a statement over all organizations. It selects ids of organizations and of their work, times and counts, never
 * content. Tenant tables are joined by corp_id.
 */
export function survey(strings: TemplateStringsArray, ...parts: unknown[]): Survey {
  const [first = '', ...others] = strings
  const marked = Object.assign([surveyMark + first, ...others], { raw: strings.raw })
  return { statement: sql(marked, ...parts) }
}

/** Work of all organizations that waits or runs. */
export interface Unfinished {
  waiting: number
  /** Of the oldest, in seconds; 0 if there is none. */
  age: number
}

/** Runs surveys, and nothing else. */
export interface Surveyor {
  ask<Row extends object>(survey: Survey): Promise<Row[]>
  /** The ids of the organizations that a survey selects. */
  corpIds(survey: Survey): Promise<string[]>
}

export function surveyorOf(on: Queryable): Surveyor {
  return {
    ask: ({ statement }) => on.query(statement),
    corpIds: async ({ statement }) =>
      (await on.query<{ corp_id: string }>(statement)).map(({ corp_id }) => corp_id),
  }
}
