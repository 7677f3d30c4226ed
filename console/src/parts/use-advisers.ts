import { useCallback, useMemo } from 'react'
import { useCall } from '../calls/use-call.ts'

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
