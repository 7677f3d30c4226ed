import type { Queryable } from '../../database/database.ts'
import { appendLines, identityOf, type ListedLine, linesOfList } from './erasure-list.ts'
import { findEvents } from './erasure-list-store.ts'

/** Keeps the lists of erasures current. */
export interface ErasureList {
  /** Appends the new events of an organization to every list. They are on disk when this resolves. */
  publish(on: Queryable, corp_id: string): Promise<void>
}

declare module '../../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Absent if there is no list. */
    erasureList?: ErasureList | undefined
  }
}

/** `filesNow` returns the present lists: the backup that is continued may change. */
export function createErasureList(filesNow: () => Promise<string[]>): ErasureList {
  const published = new Map<string, number>()
  return {
    async publish(on, corp_id) {
      for (const file of await filesNow()) {
        const place = `${corp_id} ${file}`
        // Lines of other processes are compared once; after that, only new lines.
        const { lines, last } = await findEvents(on, corp_id, published.get(place) ?? -1)
        if (lines.length > 0) await appendLines(file, await missing(file, lines))
        published.set(place, last)
      }
    },
  }
}

async function missing(file: string, lines: ListedLine[]): Promise<ListedLine[]> {
  const wanted = new Map(lines.map((line) => [identityOf(line), line]))
  for await (const line of linesOfList(file)) wanted.delete(identityOf(line))
  return [...wanted.values()]
}
