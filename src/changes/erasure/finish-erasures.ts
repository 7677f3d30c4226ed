import type { OrganizationContext } from '../../contract/endpoint.ts'
import type { Queryable } from '../../database/database.ts'
import { holdsContact } from './contacts-in-text.ts'
import { appendLines, identityOf, type ListedLine, linesOfList } from './erasure-list.ts'
import { findEvents } from './erasure-list-store.ts'
import { hasherOf } from './recognise-erased.ts'
import { type Sought, searchFiles } from './search-files.ts'
import { emptyLines, emptyRejectedRows, linesAfter, rejectedRowsAfter } from './search-texts-store.ts'
import { findRegister, findSoughtHashes, noteSearched } from './tombstone-store.ts'

const pageSize = 1000

type FinishContext = Pick<OrganizationContext, 'db' | 'organization' | 'now' | 'keyring' | 'erasureList'>

/**
 * Completes erasures after their transaction: it publishes them to the lists outside the database, and searches
 * uploaded files, which may be larger than a transaction should wait for. After a restore it searches texts, too.
 * Several servers may run it concurrently.
 */
export async function finishErasures(context: FinishContext): Promise<void> {
  const { db, organization, erasureList } = context
  try {
    await erasureList?.publish(db, organization.corp_id)
  } finally {
    await search(context)
  }
}

async function search(context: FinishContext): Promise<void> {
  const { db, organization, keyring } = context
  const { corp_id } = organization
  const register = await findRegister(db, corp_id)
  if (!register) return
  const { last_number, files_number, texts_number } = register
  const hasher = hasherOf(keyring, corp_id, register)
  const soughtAbove = async (number: number): Promise<Sought | undefined> => {
    const hashes = hasher && (await findSoughtHashes(db, corp_id, number))
    return hasher && hashes && hashes.size > 0 ? { hasher, hashes } : undefined
  }
  if (texts_number < last_number) {
    const sought = await soughtAbove(texts_number)
    if (sought) await searchTexts(db, corp_id, sought)
    await noteSearched(db, corp_id, 'texts_number', last_number)
  }
  if (files_number < last_number) {
    const sought = await soughtAbove(files_number)
    if (!sought || (await searchFiles(context, sought)))
      await noteSearched(db, corp_id, 'files_number', last_number)
  }
}

async function searchTexts(on: Queryable, corp_id: string, { hasher, hashes }: Sought): Promise<void> {
  const isHeld = ({ text }: { text: string }) => holdsContact(text, hasher, (hash) => hashes.has(hash))
  for (let after = ''; ; ) {
    const lines = await linesAfter(on, corp_id, after, pageSize)
    const held = lines.filter(isHeld)
    await emptyLines(
      on,
      corp_id,
      held.map(({ line_id }) => line_id),
    )
    if (lines.length < pageSize) break
    after = lines.at(-1)!.line_id
  }
  for (let after = { import_id: '', row: 0 }; ; ) {
    const rows = await rejectedRowsAfter(on, corp_id, after, pageSize)
    await emptyRejectedRows(on, corp_id, rows.filter(isHeld))
    if (rows.length < pageSize) break
    after = rows.at(-1)!
  }
}

/** Keeps the lists of erasures current. */
export interface ErasureList {
  /** Appends the new events of an organization to every list. They are on disk when this resolves. */
  publish(on: Queryable, corp_id: string): Promise<void>
  /** The organizations whose newest event this process has not appended to every list. */
  findLacking(registers: { corp_id: string; last_number: number }[]): Promise<string[]>
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
    async findLacking(registers) {
      const files = await filesNow()
      const isLacking = (corp_id: string, last: number) =>
        files.some((file) => (published.get(`${corp_id} ${file}`) ?? -1) < last)
      return registers.flatMap(({ corp_id, last_number }) => (isLacking(corp_id, last_number) ? corp_id : []))
    },
  }
}

async function missing(file: string, lines: ListedLine[]): Promise<ListedLine[]> {
  const wanted = new Map(lines.map((line) => [identityOf(line), line]))
  for await (const line of linesOfList(file)) wanted.delete(identityOf(line))
  return [...wanted.values()]
}
