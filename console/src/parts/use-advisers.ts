import { useCallback, useMemo } from 'react'
import { useCall } from '../calls/use-call.ts'

export interface Advisers {
  /** To choose one of; who has left is not among them. */
  options: { value: string; label: string }[]
  /** Programs name owners by ids of their own, which are shown as they are. */
  nameOf(owner_id: string): string
}

/** The staff by name: an adviser is an id everywhere else. */
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
