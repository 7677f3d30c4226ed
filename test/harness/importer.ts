import { knownOrganization } from '../../src/access/organizations/organization-store.ts'
import type { OrganizationContext } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createCursors } from '../../src/search/cursors.ts'
import { testKeyring } from './keyring.ts'
import type { TestServer } from './server.ts'

/** The context of an import into an organization, as the command line creates it. */
export async function importerOf(
  { db, database }: TestServer,
  corp_id: string,
): Promise<OrganizationContext> {
  const account = {
    app_id: 'importer',
    permissions: ['finance'],
  } as unknown as OrganizationContext['account']
  return {
    db: database.owner.of(corp_id),
    organization: await knownOrganization(db.shared, corp_id),
    account,
    now: new Date(),
    newId,
    role: undefined,
    reach: 'everyone',
    keyring: testKeyring,
    cursors: createCursors(),
  }
}
