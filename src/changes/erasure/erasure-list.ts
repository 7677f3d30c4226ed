import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { giveToOwnerOf, syncFolder } from '../../postgres/durable-files.ts'
import { type ContactKind, contactKinds } from './contact-hash.ts'

/**
 * The list of erasures outside the database: an append-only file next to every backup and in the data folder. After a
 * restore it shows who was erased. It holds ids and keyed hashes, and the key only as sealed by the master key.
 */
export const listName = 'erasures.ndjson'

export interface ListedKey {
  kind: 'key'
  corp_id: string
  /** In base64. */
  box: string
  key_id: string
}

export interface ListedPerson {
  kind: 'person'
  corp_id: string
  user_id: string
  /** For a merged user, the id of the erased survivor. */
  person_id: string
  at: string
}

export interface ListedContact {
  kind: 'contact'
  corp_id: string
  hash: string
  type: ContactKind
  user_id: string
  at: string
  lifted_at: string | null
  lifted_by: string | null
}

export type ListedLine = ListedKey | ListedPerson | ListedContact

/** The content of a list for one organization. Later lines replace earlier ones. */
export interface ListedErasures {
  key: ListedKey | undefined
  people: Map<string, ListedPerson>
  contacts: Map<string, ListedContact>
}

/** Reads every valid line. The next start of a server rewrites a line that a crash has cut off. */
export async function* linesOfList(file: string): AsyncGenerator<ListedLine> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The list of erasures ${file} cannot be read (${error.code}).`)
  })
  if (!handle) return
  const input = createReadStream('', { fd: handle, encoding: 'utf8' })
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = lineOf(text)
      if (line) yield line
    }
  } finally {
    input.destroy()
  }
}

/** The merged content of lists, by organization. */
export async function readLists(files: string[]): Promise<Map<string, ListedErasures>> {
  const found = new Map<string, ListedErasures>()
  for (const file of files)
    for await (const line of linesOfList(file)) {
      const listed = found.get(line.corp_id) ?? { key: undefined, people: new Map(), contacts: new Map() }
      found.set(line.corp_id, listed)
      if (line.kind === 'key') listed.key = line
      else if (line.kind === 'person') listed.people.set(line.user_id, line)
      else if (lastEventOf(line) >= lastEventOf(listed.contacts.get(line.hash)))
        listed.contacts.set(line.hash, line)
    }
  return found
}

/** The lines that produce this content. */
export function linesOf(lists: Map<string, ListedErasures>): ListedLine[] {
  return [...lists.values()].flatMap(({ key, people, contacts }) => [
    ...(key ? [key] : []),
    ...people.values(),
    ...contacts.values(),
  ])
}

/** The time of the last erasure or lift of a contact. */
export function lastEventOf(contact: Pick<ListedContact, 'at' | 'lifted_at'> | undefined): string {
  return contact ? (contact.lifted_at ?? contact.at) : ''
}

/** Appends lines. They are on disk when this resolves. It creates no folder: a missing folder is an unmounted one. */
export async function appendLines(file: string, lines: ListedLine[]): Promise<void> {
  if (lines.length === 0) return
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const { buffer } = size > 0 ? await handle.read(Buffer.alloc(1), 0, 1, size - 1) : { buffer: newline }
    const begin = buffer[0] === newline[0] ? '' : '\n'
    await handle.appendFile(begin + lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await giveToOwnerOf(handle, dirname(file))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(file))
}

const newline = Buffer.from('\n')

/** The identity of a line. */
export function identityOf(line: ListedLine): string {
  switch (line.kind) {
    case 'key':
      return `key ${line.corp_id} ${line.box}`
    case 'person':
      return `person ${line.corp_id} ${line.user_id}`
    case 'contact':
      return `contact ${line.corp_id} ${line.hash} ${lastEventOf(line)}`
  }
}

function lineOf(text: string): ListedLine | undefined {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return undefined
  }
  return isLine(line) ? line : undefined
}

function isLine(value: unknown): value is ListedLine {
  if (typeof value !== 'object' || value === null) return false
  const members = value as Record<string, unknown>
  const areTexts = (...names: string[]) => names.every((name) => typeof members[name] === 'string')
  const areTextsOrNull = (...names: string[]) =>
    names.every((name) => members[name] === null || typeof members[name] === 'string')
  if (members.kind === 'key') return areTexts('corp_id', 'box', 'key_id')
  if (members.kind === 'person') return areTexts('corp_id', 'user_id', 'person_id', 'at')
  return (
    members.kind === 'contact' &&
    areTexts('corp_id', 'hash', 'user_id', 'at') &&
    areTextsOrNull('lifted_at', 'lifted_by') &&
    contactKinds.some((kind) => kind === members.type)
  )
}
