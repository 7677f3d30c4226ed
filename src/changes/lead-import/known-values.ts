import '../../access/staff/console-context.ts'
import type { Role } from '../../access/staff/roles.ts'
import { listColleagues } from '../../access/staff/staff-store.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { findCourseNames } from '../../orders/offerings/offering-store.ts'
import { listTagGroupNames, type NamedTagGroup } from '../../people/tag-groups/tag-group-store.ts'
import { createMatcher, type Matcher } from './match-names.ts'

/** The records that values of a file may name. */
export interface KnownValues {
  course: Matcher
  owner: Matcher
  tag: Matcher
  groups: NamedTagGroup[]
  /** Without courses, course codes are those of another system. */
  hasCourses: boolean
  /** Programs know owners by id. */
  takesOwnerIds: boolean
}

/** `role` is that of the member of staff who sent the file; undefined for a program. */
export async function findKnownValues(
  { db, organization: { corp_id } }: Pick<OrganizationContext, 'db' | 'organization'>,
  role: Role | undefined,
): Promise<KnownValues> {
  const courses = await findCourseNames(db, corp_id)
  const staff = await listColleagues(db, corp_id)
  const groups = await listTagGroupNames(db, corp_id)
  return {
    course: createMatcher(courses.map(({ course_code, name }) => ({ id: course_code, name, also: [] }))),
    owner: createMatcher(
      staff
        .filter(({ is_disabled }) => !is_disabled)
        .map(({ staff_id, name, email }) => ({ id: staff_id, name, also: [email] })),
    ),
    tag: createMatcher(
      groups.map(({ entity_id, name, variable_name }) => ({ id: entity_id, name, also: [variable_name] })),
    ),
    groups,
    hasCourses: courses.length > 0,
    takesOwnerIds: role === undefined,
  }
}
