import type { OrganizationContext, OrganizationEndpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import type { Static, TObject, TSchema } from '../src/contract/type.ts'
import type { Queryable } from '../src/database/database.ts'
import { createCursors } from '../src/search/cursors.ts'
import type { LoadedSchool } from './load-sample.ts'
import { staffIdOf } from './sample-staff.ts'

const permissions = { finance: ['read', 'write', 'finance'], counsellor: ['read', 'write'] }

/** Runs operations as a member of staff of the sample school, in the transaction that loads it. */
export function openOffice(
  tx: Queryable,
  { organization, keyring }: LoadedSchool,
  role: keyof typeof permissions,
  now: Date,
) {
  const context: OrganizationContext = {
    ...{ db: tx, organization, keyring, now, newId, cursors: createCursors(), reach: 'everyone', role },
    account: {
      app_id: staffIdOf(role),
      permissions: permissions[role],
    } as unknown as OrganizationContext['account'],
  }
  const run = async <I extends TObject, D extends TSchema>(
    operation: OrganizationEndpoint<I, D>,
    input: Static<I>,
  ): Promise<Static<D>> => (await operation.handle(context, input)) as Static<D>
  return { run }
}
