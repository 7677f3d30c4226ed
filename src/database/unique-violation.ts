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

/** Whether a record was deleted before another could refer to it. */
function isReferenceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** Runs work again where another writer took a unique key first. For a transaction, which retries lost references itself. */
export function retryTakenKeys<T>(
  indexes: string[],
  work: () => Promise<T>,
  isLost = (_error: unknown) => false,
): Promise<T> {
  return retry(work, (error) => isLost(error) || isUniqueViolation(error, ...indexes))
}

/** Runs work again where another writer took a unique key first, or removed a record that the work refers to. */
export function retryLostRaces<T>(indexes: string[], work: () => Promise<T>): Promise<T> {
  return retry(work, (error) => isReferenceLost(error) || isUniqueViolation(error, ...indexes))
}

async function retry<T>(work: () => Promise<T>, isLost: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isLost(error)) throw error
    }
  }
}
