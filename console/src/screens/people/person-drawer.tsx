import { useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { useNeighbours } from '../../parts/recent-list.ts'
import { RecordDrawer } from '../../parts/record-drawer.tsx'
import { nameOfPerson } from './people-filters.tsx'
import { RecordSkeleton } from './person-page.tsx'
import { PersonRecord } from './person-record.tsx'

/** A person beside the list, for a glance. */
export function PersonDrawer({ id, onOpen }: { id: string; onOpen(id: string | undefined): void }) {
  const { data: person, error } = useCall('fetchUser', { user_id: id })
  const { previous, next } = useNeighbours('people', id, onOpen)
  return (
    <RecordDrawer
      screen="people"
      id={id}
      name={person ? nameOfPerson(person) : id}
      onClose={() => onOpen(undefined)}
      onNext={next}
      onPrevious={previous}
    >
      {error && <ErrorNotice error={error} />}
      {person ? <PersonRecord key={id} person={person} isPage={false} /> : !error && <RecordSkeleton />}
    </RecordDrawer>
  )
}
