import type { Kit, Made } from './kit.ts'

/** A record that the kit created and that stays. */
export interface Left extends Made {
  why: string
}

/**
 * Removes what the kit created. The interface itself removes nothing: users, with their leads and tags, are erased by an
 * addition that takes the permission admin; tag groups are switched off.
 */
export async function cleanUp(kit: Kit): Promise<{ removed: number; left: Left[] }> {
  const left: Left[] = []
  let removed = 0
  const made = new Map(kit.made.map((record) => [`${record.kind} ${record.id}`, record]))
  let erasesUsers: boolean | undefined
  for (const record of made.values()) {
    if (record.kind === 'tag group') {
      const { code } = await kit.call('POST', 'entity/tags/group/deactivate', { entity_id: record.id })
      left.push({ ...record, why: code === 0 ? 'inactive: the interface deletes no tag group' : 'active' })
    }
    if (record.kind === 'user' && erasesUsers !== false) {
      const { code } = await kit.call('POST', 'entity/user/erase', {
        user_id: record.id,
        reason: 'Made by a conformance check',
      })
      erasesUsers = code === 0
      if (code === 0) removed++
    }
    if (record.kind === 'user' && erasesUsers === false)
      left.push({ ...record, why: 'the account may not erase users, or the server cannot' })
  }
  const leads = [...made.values()].filter(({ kind }) => kind === 'lead')
  if (erasesUsers) removed += leads.length
  else left.push(...leads.map((record) => ({ ...record, why: 'leads go with their users' })))
  return { removed, left }
}
