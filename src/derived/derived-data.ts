import type { Queryable } from '../database/database.ts'
import { projectUserNames } from '../orders/listing/project-user-names.ts'
import { rebuildReadModel } from '../orders/listing/rebuild.ts'
import { rebuildProfiles } from '../people/users/profile-store.ts'
import { onRename } from '../people/users/renames.ts'

onRename(projectUserNames)

/** The read models show local times: they are rebuilt when the organization moves to another time zone. */
export async function rebuildLocalTimes(tx: Queryable, corp_id: string): Promise<void> {
  await rebuildReadModel(tx, corp_id)
  await rebuildProfiles(tx, corp_id)
}
