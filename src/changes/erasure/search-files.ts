import type { OrganizationContext } from '../../contract/endpoint.ts'
import { textsOf } from '../../files/read-rows.ts'
import { FileRefused } from '../../files/row-source.ts'
import { inTemporaryFolder } from '../../files/spooled-strings.ts'
import { writeUploaded } from '../lead-import/commit-rows.ts'
import { emptyImport, listKeptFiles } from '../lead-import/kept-file-store.ts'
import type { LeadImport } from '../lead-import/lead-import-store.ts'
import type { ContactHasher } from './contact-hash.ts'
import { holdsContact } from './contacts-in-text.ts'

/** The people to search for. */
export interface Sought {
  hasher: ContactHasher
  hashes: ReadonlySet<string>
}

type SearchContext = Pick<OrganizationContext, 'db' | 'organization' | 'now'>

/** An upload without progress for this time was abandoned. */
const idleUploadMs = 10 * 60_000

export const holdsErasedPerson =
  'The upload holds a person who was erased since. Upload the file again: the import then rejects the rows of erased people.'
const cannotSearch =
  'A person was erased, and the file cannot be searched: it is incomplete or unreadable. Upload it again.'

/**
 * Searches uploaded files for erased people and discards the files that hold one. Returns true once every file was
 * searched. Files larger than `mostBytes`, and files that are being uploaded or committed, wait for the next call.
 */
export async function searchFiles(
  context: SearchContext,
  sought: Sought,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { db, organization, now } = context
  let isComplete = true
  let left = mostBytes
  for (const file of await listKeptFiles(db, organization.corp_id)) {
    const found = file.bytes > left ? 'later' : await searchFile(context, file, sought)
    left -= file.bytes
    if (found === 'later') isComplete = false
    else if (found !== 'clean')
      await db.transaction((tx) => emptyImport(tx, organization.corp_id, file.import_id, found.refusal, now))
  }
  return isComplete
}

async function searchFile(
  context: SearchContext,
  file: LeadImport,
  { hasher, hashes }: Sought,
): Promise<'clean' | 'later' | { refusal: string }> {
  // The commit checks each row and removes the file with its last row.
  if (file.state === 'committing') return 'later'
  if (file.received < file.bytes)
    return file.mtime.getTime() > context.now.getTime() - idleUploadMs ? 'later' : { refusal: cannotSearch }
  return inTemporaryFolder('search', async (folder) => {
    const path = await writeUploaded(context, file, folder)
    if (path === undefined) return 'clean'
    const { format, encoding } = file.options
    try {
      for await (const text of textsOf(path, { format, encoding }))
        if (holdsContact(text, hasher, (hash) => hashes.has(hash))) return { refusal: holdsErasedPerson }
      return 'clean'
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      return { refusal: cannotSearch }
    }
  })
}
