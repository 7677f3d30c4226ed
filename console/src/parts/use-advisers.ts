import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../app/session.tsx'
import { useCall } from '../calls/call.ts'

export interface Advisers {
  /** Options of a field; people who left are not included. */
  options: { value: string; label: string }[]
  /** Shows the id of an owner that is no staff member, such as one set by a program. */
  nameOf(owner_id: string): string
}

/** The names of the staff by id. */
export function useAdvisers(): Advisers {
  const { data } = useCall('listStaff', {})
  const names = useMemo(
    () => new Map(data?.list.map(({ staff_id, name }) => [staff_id, name] as const)),
    [data],
  )
  return {
    options: useMemo(() => Array.from(names, ([value, label]) => ({ value, label })), [names]),
    nameOf: useCallback((owner_id: string) => names.get(owner_id) ?? owner_id, [names]),
  }
}

/** All courses as options of a field, by id or by code. */
export function useCourseOptions(key: 'course_id' | 'course_code'): { value: string; label: string }[] {
  const { data } = useCall('listCourses', { page_size: 1000 })
  return useMemo(
    () => data?.list.map((course) => ({ value: course[key], label: course.name })) ?? [],
    [data, key],
  )
}

/** The tag groups as options of a field. */
export function useTagGroupOptions(): { value: string; label: string }[] {
  const { data } = useCall('listAllTagGroups', {})
  return useMemo(
    () =>
      data?.list.flatMap(({ entity_id, name, is_active }) =>
        is_active ? [{ value: entity_id, label: name }] : [],
      ) ?? [],
    [data],
  )
}

const known = ['public', 'alive', 'dead'] as const

/** The name of a pool: translated if it is built in, otherwise as the school named it. */
export function usePoolName(): (pool: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (pool: string) => {
      const word = known.find((each) => each === pool)
      return word ? t(`people.pools.${word}`) : pool
    },
    [t],
  )
}

/** Access to a person: full, after a claim, or read only. */
type PersonReach = 'own' | 'unclaimed' | 'other' | 'reading'

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
