/** Waiting readers of one account. Each holds a connection of the server. */
export const maxWaitingReaders = 4

/** The places of waiting readers. The processes of a server share them, so the limit applies across all of them. */
export interface WaitingPlaces {
  /** Takes or keeps a place for `ms`. Resolves with false if the account has no place left. */
  take(account: string, reader: string, ms: number): Promise<boolean>
  leave(account: string, reader: string): Promise<void>
}

/** Places end with their time, so a process that dies leaves none taken. */
export function createWaitingPlaces(now = () => performance.now()): WaitingPlaces {
  const accounts = new Map<string, Map<string, number>>()
  return {
    async take(account, reader, ms) {
      const readers = accounts.get(account) ?? new Map<string, number>()
      for (const [other, endsAtMs] of readers) if (endsAtMs <= now()) readers.delete(other)
      if (readers.size >= maxWaitingReaders && !readers.has(reader)) return false
      accounts.set(account, readers.set(reader, now() + ms))
      return true
    },
    async leave(account, reader) {
      const readers = accounts.get(account)
      readers?.delete(reader)
      if (readers?.size === 0) accounts.delete(account)
    },
  }
}
