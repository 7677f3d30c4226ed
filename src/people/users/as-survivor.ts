import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, errorCatalogue } from '../../contract/errors.ts'
import { findSurvivor } from './merged-user-store.ts'

/**
 * Runs an operation. If its user is missing because it was merged, runs it again for the survivor, who may be merged in
 * the meantime.
 */
export async function asSurvivor<Input extends Record<string, unknown>, Data>(
  { db, organization }: Pick<OrganizationContext, 'db' | 'organization'>,
  input: Input,
  run: (input: Input) => Promise<Data>,
): Promise<Data> {
  let named = input
  for (;;) {
    try {
      return await run(named)
    } catch (error) {
      const { user_id } = named
      const isMissing = error instanceof ApiError && error.code === errorCatalogue.userNotFound[0]
      const survivor =
        isMissing && typeof user_id === 'string'
          ? await findSurvivor(db, organization.corp_id, user_id)
          : undefined
      if (survivor === undefined) throw error
      named = { ...named, user_id: survivor }
    }
  }
}
