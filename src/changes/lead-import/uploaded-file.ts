import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { formats } from '../../files/row-source.ts'
import { findPiece } from './kept-file-store.ts'
import type { LeadImport } from './lead-import-store.ts'

/** Writes an uploaded file into a folder; undefined if its pieces were deleted. */
export async function writeUploaded(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  { import_id, bytes, options, file_name }: Pick<LeadImport, 'import_id' | 'bytes' | 'options' | 'file_name'>,
  folder: string,
): Promise<string | undefined> {
  const ending = formats.find((format) => format === options.format) ?? /\.([a-z]+)$/i.exec(file_name)?.[1]
  const path = join(folder, `file.${ending ?? ''}`)
  await using handle = await open(path, 'w', 0o600)
  for (let start = 0; start < bytes; ) {
    const piece = await findPiece(db, organization.corp_id, import_id, start)
    if (!piece) return undefined
    await handle.appendFile(piece)
    start += piece.length
  }
  return path
}
