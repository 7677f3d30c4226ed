import { useCallback } from 'react'
import { useSession } from '../app/session.tsx'

/** Access to a person: full, after a claim, or read only. */
export type PersonReach = 'own' | 'unclaimed' | 'other' | 'reading'

/** Follows the rules of the service (docs/permissions.md): counsellors change only their own people. */
export function useReach(): (person: { pool: string; owner_ids: string[] }) => PersonReach {
  const { staff, organization, can } = useSession()
  const { role } = organization
  const { staff_id } = staff
  const mayWrite = can('write')
  const publicPool = usePublicPool()
  return useCallback(
    ({ pool, owner_ids }) => {
      if (!mayWrite) return 'reading'
      if (role !== 'counsellor' || owner_ids.includes(staff_id)) return 'own'
      return pool === publicPool ? 'unclaimed' : 'other'
    },
    [mayWrite, role, staff_id, publicPool],
  )
}

/** The pool from which people are claimed; see initialPool of the service. */
export function usePublicPool(): string | undefined {
  const { pools } = useSession().organization
  return pools.includes('public') ? 'public' : pools[0]
}
