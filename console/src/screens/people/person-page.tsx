import { Skeleton, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { useNeighbours } from '../../parts/recent-list.ts'
import { RecordPage } from '../../parts/record-page.tsx'
import { nameOfPerson } from './people-filters.tsx'
import { PersonRecord } from './person-record.tsx'

/** The page of a person. */
export function PersonPage() {
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data: person, error } = useCall('fetchUser', { user_id: id })
  const neighbours = useNeighbours(
    'people',
    id,
    (user_id) => void navigate({ to: '/people/$id', params: { id: user_id }, replace: true }),
  )
  return (
    <RecordPage screen="people" id={id} name={person ? nameOfPerson(person) : ''} neighbours={neighbours}>
      {error && <ErrorNotice error={error} />}
      {/* The key discards input and revealed contacts of another person; unsaved follow-ups are kept per person. */}
      {person ? <PersonRecord key={id} person={person} isPage /> : !error && <RecordSkeleton />}
    </RecordPage>
  )
}

/** The shape of a record that is loading. */
export function RecordSkeleton() {
  return (
    <Stack aria-busy>
      <Skeleton height={44} width="60%" />
      <Skeleton height={110} />
      <Skeleton height={320} />
    </Stack>
  )
}
