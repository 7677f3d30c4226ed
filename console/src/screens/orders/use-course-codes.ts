import { useMemo } from 'react'
import { useCall } from '../../calls/use-call.ts'

/** Every course by its code, to choose one of. */
export function useCourseCodes(): { value: string; label: string }[] {
  const { data } = useCall('listCourses', { page_size: 1000 })
  return useMemo(
    () => data?.list.map(({ course_code, name }) => ({ value: course_code, label: name })) ?? [],
    [data],
  )
}
