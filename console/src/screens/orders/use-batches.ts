import { useMemo } from 'react'
import { useCall } from '../../calls/call.ts'

/** All intakes as options of a field, each with its course. */
export function useBatches(): { value: string; label: string }[] {
  const { data: batches } = useCall('listBatches', { page_size: 1000 })
  const { data: courses } = useCall('listCourses', { page_size: 1000 })
  return useMemo(() => {
    const names = new Map(courses?.list.map(({ course_id, name }) => [course_id, name] as const))
    return (
      batches?.list.map(({ batch_id, course_id, name }) => ({
        value: batch_id,
        label: [names.get(course_id), name].filter(Boolean).join(' · '),
      })) ?? []
    )
  }, [batches, courses])
}
