import type { Queryable } from '../database/database.ts'
import { sealNameOf } from '../staff/provider/provider-store.ts'
import type { Keyring } from './keyring.ts'
import { countByKey, findSealedByOthers, type Kept, reseal } from './reseal-store.ts'

const batchSize = 100

/**
 * Seals every secret with the newest master key, some at a time. Both keys open meanwhile, so servers go on; cut off, it
 * goes on from where it was. Returns how many it sealed anew.
 */
export async function resealSecrets(
  on: Queryable,
  keyring: Keyring,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<number> {
  const newest = newestKeyOf(keyring)
  const total = await countSealedByOthers(on, newest)
  let done = 0
  for (;;) {
    const found = await findSealedByOthers(on, newest, batchSize)
    if (found.length === 0) return done
    await on.transaction(async (tx) => {
      for (const kept of found) await reseal(tx, kept, sealedAnew(keyring, kept))
    })
    done += found.length
    progress(Math.min(done, total), total)
  }
}

export async function countSealedByOthers(on: Queryable, key_id: string): Promise<number> {
  const counts = await countByKey(on)
  return counts.reduce((sum, each) => sum + (each.key_id === key_id ? 0 : each.secrets), 0)
}

export function newestKeyOf({ tokenKeys }: Keyring): string {
  return tokenKeys[0]!.id
}

function sealedAnew(keyring: Keyring, { kind, owner_id, ...sealed }: Kept) {
  const name = kind === 'account' ? owner_id : sealNameOf(owner_id)
  return keyring.seal(name, keyring.open(name, sealed))
}
