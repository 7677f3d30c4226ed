import { useCallback, useMemo } from 'react'
import { useCourseOptions } from './use-advisers.ts'

/** A name; on hover also its code, and the whole name where a cell is narrow. */
export function CodedName({ name, code }: { name: string; code: string }) {
  return name === code || name === '' ? code : <span title={`${name} · ${code}`}>{name}</span>
}

/** Names courses by their code; an unknown code stays unchanged. */
export function useCourseName(): (code: string) => string {
  const courses = useCourseOptions('course_code')
  const names = useMemo(() => new Map(courses.map(({ value, label }) => [value, label])), [courses])
  return useCallback((code) => names.get(code) ?? code, [names])
}

/** The course of a row. */
export function CourseName({ code }: { code: string | undefined }) {
  const nameOf = useCourseName()
  return code ? <CodedName name={nameOf(code)} code={code} /> : null
}
