import pg from 'pg'

/** Whether a statement failed because another row holds a value that this index keeps unique. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}
