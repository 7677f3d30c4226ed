import pg from 'pg'

/** Whether a statement failed because another row holds a value that one of these indexes keeps unique. */
export function isUniqueViolation(error: unknown, ...indexes: string[]): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  const { constraint, message } = error
  if (constraint !== undefined) return indexes.includes(constraint)
  // Citus passes on what a node said without the constraint, and the message names the index of one shard.
  return indexes.some((index) => new RegExp(`\\b${index}_[0-9]+\\b`).test(message))
}

const mostAttempts = 4

/** Whether a record that was found has gone before something could refer to it. */
function isReferenceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** Runs work again that failed since somebody else stored the same meanwhile, or took back what it needs. */
export async function retryLostRaces<T>(indexes: string[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLost = isReferenceLost(error) || isUniqueViolation(error, ...indexes)
      if (attempt === mostAttempts || !isLost) throw error
    }
  }
}
