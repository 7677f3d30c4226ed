import { useMemo } from 'react'
import { useCall } from '../../calls/use-call.ts'

/** Every course, to choose one of. */
export function useCourses(): { value: string; label: string }[] {
  const { data } = useCall('listCourses', { page_size: 1000 })
  return useMemo(
    () => data?.list.map(({ course_id, name }) => ({ value: course_id, label: name })) ?? [],
    [data],
  )
}
