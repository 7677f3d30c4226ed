import type { Queryable } from '../../database/database.ts'
import type { Keyring } from '../organizations/keyring.ts'
import type { SealedSecret } from '../organizations/secret-store.ts'
import { type Archive, listArchives, type StoredArchive } from './archive-store.ts'

/** Where the stored part of an audit chain begins: after the last archived link. */
export interface ArchivedEnd {
  length: number
  head: string
  /** Whether this installation sealed every archive of the chain; undefined without a key. */
  isProven: boolean | undefined
}

export async function findArchivedEnd(
  on: Queryable,
  corp_id: string,
  keyring: Keyring | undefined,
): Promise<ArchivedEnd> {
  const archives = (await listArchives(on, corp_id)).filter(({ kind }) => kind === 'audit')
  const last = archives.at(-1)
  return {
    length: last?.length ?? 0,
    head: last?.head ?? '',
    isProven: keyring && archives.every((archive) => isProven(corp_id, archive, keyring)),
  }
}

/** Whether a key of this installation sealed the archive as it is stored. */
export function isProven(corp_id: string, stored: StoredArchive, keyring: Keyring): boolean {
  const { secret_box, secret_key_id } = stored
  if (!secret_box || !secret_key_id) return false
  try {
    return keyring.open(subjectOf(corp_id), { secret_box, secret_key_id }) === contentOf(stored)
  } catch {
    return false
  }
}

export function sealArchive(corp_id: string, archive: Archive, keyring: Keyring): SealedSecret {
  return keyring.seal(subjectOf(corp_id), contentOf(archive))
}

function contentOf({ archive_id, kind, made_at, older_than, rows, sha256, length, head }: Archive): string {
  return JSON.stringify({ archive_id, kind, made_at, older_than, rows, sha256, length, head })
}

/** Bound into the seal, so that it fits no other organization. */
function subjectOf(corp_id: string): string {
  return `archive ${corp_id}`
}
