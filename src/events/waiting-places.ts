/** Waiting readers of one account. Each holds a connection of the server. */
export const maxWaitingReaders = 4
/** Waiting readers of all accounts and staff of an organization, so that none takes all connections of a server. */
export const maxWaitingInOrganization = 1000

/** The places of waiting readers. The processes of a server share them, so the limits apply across all of them. */
export interface WaitingPlaces {
  /** Takes or keeps a place for `ms`. Resolves with the limit that leaves no place, if there is none. */
  take(corp_id: string, account: string, reader: string, ms: number): Promise<WaitingLimit | undefined>
  leave(account: string, reader: string): Promise<void>
}

export type WaitingLimit = 'account' | 'organization'

interface Place {
  corp_id: string
  endsAtMs: number
}

/** Places end with their time, so a process that dies leaves none taken. */
export function createWaitingPlaces(now = () => performance.now()): WaitingPlaces {
  const accounts = new Map<string, Map<string, Place>>()
  const taken = new Map<string, number>()
  const count = (corp_id: string, change: number) => {
    const left = (taken.get(corp_id) ?? 0) + change
    if (left > 0) taken.set(corp_id, left)
    else taken.delete(corp_id)
  }
  const free = (account: string, isOver: (place: Place, reader: string) => boolean) => {
    const places = accounts.get(account)
    for (const [reader, place] of places ?? []) {
      if (!isOver(place, reader)) continue
      places!.delete(reader)
      count(place.corp_id, -1)
    }
    if (places?.size === 0) accounts.delete(account)
  }
  const hasEnded = ({ endsAtMs }: Place) => endsAtMs <= now()
  const isFull = (corp_id: string) => (taken.get(corp_id) ?? 0) >= maxWaitingInOrganization
  return {
    async take(corp_id, account, reader, ms) {
      free(account, hasEnded)
      const isKept = accounts.get(account)?.has(reader)
      if (!isKept) {
        if ((accounts.get(account)?.size ?? 0) >= maxWaitingReaders) return 'account'
        if (isFull(corp_id)) for (const each of accounts.keys()) free(each, hasEnded)
        if (isFull(corp_id)) return 'organization'
        count(corp_id, 1)
      }
      const places = accounts.get(account) ?? new Map<string, Place>()
      accounts.set(account, places.set(reader, { corp_id, endsAtMs: now() + ms }))
      return undefined
    },
    async leave(account, reader) {
      free(account, (_, each) => each === reader)
    },
  }
}
