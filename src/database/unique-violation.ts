import pg from 'pg'

/** Whether a statement failed because another row holds a value that one of these indexes keeps unique. */
export function isUniqueViolation(error: unknown, ...indexes: string[]): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '23505' && indexes.includes(error.constraint ?? '')
  )
}

const mostAttempts = 4

/** Runs work again that failed since somebody else stored the same meanwhile: the next time it is found. */
export async function retryLostRaces<T>(indexes: string[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isUniqueViolation(error, ...indexes)) throw error
    }
  }
}
