import type { OrganizationContext } from '../../contract/endpoint.ts'
import { textsOf } from '../../files/read-rows.ts'
import { FileRefused } from '../../files/row-source.ts'
import { inTemporaryFolder } from '../../files/temporary-folder.ts'
import { emptyImport, listKeptFiles } from '../lead-import/kept-file-store.ts'
import type { LeadImport } from '../lead-import/lead-import-store.ts'
import { writeUploaded } from '../lead-import/uploaded-file.ts'
import type { ContactHasher } from './contact-hash.ts'
import { holdsContact } from './contacts-in-text.ts'

/** Whom to look for. */
export interface Sought {
  hasher: ContactHasher
  hashes: ReadonlySet<string>
}

type SearchContext = Pick<OrganizationContext, 'db' | 'organization' | 'now'>

/** An upload that has not moved for so long was given up. */
const idleUploadMs = 10 * 60_000

export const holdsErasedPerson =
  'It holds a person who was erased after the upload. Upload the file again: the rows of erased people are rejected then, and named.'
const cannotTell =
  'Somebody was erased, and the file cannot be searched for them: it is not complete, or cannot be read. Upload it again.'

/**
 * Searches uploaded files for people who were erased, and forgets the files that hold one. True once every file was
 * searched: one that is larger than `mostBytes`, still being uploaded or being committed is left for the next time.
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
  // Its rows are checked as they go in, and its bytes go with its last row.
  if (file.state === 'committing') return 'later'
  if (file.received < file.bytes)
    return file.mtime.getTime() > context.now.getTime() - idleUploadMs ? 'later' : { refusal: cannotTell }
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
      return { refusal: cannotTell }
    }
  })
}
