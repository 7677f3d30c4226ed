import { useMemo } from 'react'
import { useCall } from '../calls/use-call.ts'

/** All courses as options of a field, by id or by code. */
export function useCourseOptions(key: 'course_id' | 'course_code'): { value: string; label: string }[] {
  const { data } = useCall('listCourses', { page_size: 1000 })
  return useMemo(
    () => data?.list.map((course) => ({ value: course[key], label: course.name })) ?? [],
    [data, key],
  )
}
