import type { Organization } from '../../contract/caller.ts'
import { initialPool } from '../../people/users/reach.ts'
import type { Image } from '../undo/record-images.ts'

/** The content of the survivor after a merge; `takesClaim`: it gets the claim of the merged user. */
export function survivorAfter(
  organization: Organization,
  survivor: Image<'users'>,
  merged: Image<'users'>,
  takesClaim: boolean,
): Image<'users'> {
  const blank = fillable.filter((names) => names.every((name) => survivor[name] === null))
  const filled: Partial<Image<'users'>> = Object.fromEntries(blank.flat().map((name) => [name, merged[name]]))
  const keepsNumber = survivor.mobile !== null && merged.mobile !== null
  if (keepsNumber && survivor.backup_mobile === null)
    Object.assign(filled, { backup_area_code: merged.area_code, backup_mobile: merged.mobile })
  return {
    ...survivor,
    ...filled,
    attributes: { ...merged.attributes, ...survivor.attributes },
    owner_ids: [...new Set([...survivor.owner_ids, ...merged.owner_ids])],
    is_verified: survivor.is_verified || merged.is_verified,
    // A user with a claim cannot stay in the pool from which users are claimed.
    pool: takesClaim && survivor.pool === initialPool(organization) ? merged.pool : survivor.pool,
  }
}

/** The members that a merge fills. Those of one line depend on each other and are filled together. */
const fillable = [
  ['name', 'first_name', 'last_name'],
  ['area_code', 'mobile'],
  ['backup_area_code', 'backup_mobile'],
  ['email'],
  ['wechat_id'],
  ['external_id'],
  ['gender'],
  ['age'],
  ['city'],
  ['city_raw'],
  ['city_mobile'],
  ['company_name'],
  ['job_title'],
  ['department'],
  ['industry'],
  ['work_exp'],
  ['professional_profile_url'],
] as const
