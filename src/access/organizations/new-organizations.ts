import type { Queryable } from '../../database/database.ts'

type CreationListener = (tx: Queryable, corp_id: string) => Promise<void>

let listener: CreationListener | undefined

/**
 * Registers the listener that stores the versions of derived data with a new organization. Organizations are below derived
 * data in the module plan: derived/derived-data.ts registers its function here.
 */
export function onNewOrganization(creationListener: CreationListener): void {
  listener = creationListener
}

/** Runs in the transaction that creates the organization. Fails without a listener: the next start would rebuild its data. */
export async function completeOrganization(tx: Queryable, corp_id: string): Promise<void> {
  if (!listener) throw new Error('No creation listener is registered: import derived/derived-data.ts first.')
  await listener(tx, corp_id)
}
