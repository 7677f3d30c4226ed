import type { OrganizationContext, OrganizationEndpoint } from '../src/contract/endpoint.ts'
import type { Static, TObject, TSchema } from '../src/contract/type.ts'
import type { Queryable } from '../src/database/database.ts'
import { createCursors } from '../src/search/cursors.ts'
import { founded, later } from './calendar.ts'
import type { LoadedSchool } from './load-sample.ts'
import { createRandom } from './random.ts'
import { staffIdOf } from './sample-staff.ts'

/** Ids are the same at every load, and ascend: the documentation names these records. */
const seeds = { finance: 5, counsellor: 6 }
const permissions = { finance: ['read', 'write', 'finance'], counsellor: ['read', 'write'] }

/** Runs operations as a member of staff of the sample school, in the transaction that loads it. */
export function openOffice(
  tx: Queryable,
  { organization, keyring }: LoadedSchool,
  role: keyof typeof permissions,
  now: Date,
) {
  const random = createRandom(seeds[role])
  let made = 0
  const newId = () => random.id(later(founded, made++))
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
