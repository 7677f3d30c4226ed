import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../app/session.tsx'
import { type RowOf, useCall } from '../calls/call.ts'
import { instantOf } from './zoned-time.ts'

type Event = RowOf<'listRecordEvents'>

const most = 200
/** Events follow their change within a second. */
const [lagMs, pollMs] = [30_000, 1000]

/**
 * Finds the events of the changes of a record and of its parts, with one call: by version, or those of the creation. `newest`
 * is the time of the newest change; the call repeats until its events have arrived.
 */
export function useRecordEvents(record_id: string, newest: string | undefined) {
  const { time_zone } = useSession().organization
  const newestMs = instantOf(newest ?? '', time_zone)?.getTime() ?? 0
  const isBehind = (events: Event[] = []) =>
    Date.now() - newestMs < lagMs && !events.some(({ at }) => Date.parse(at) >= newestMs)
  const { data } = useCall(
    'listRecordEvents',
    { record_id, limit: most },
    { refetchEveryMs: (found) => (isBehind(found?.list) ? pollMs : undefined) },
  )
  const events = data?.list.toReversed() ?? []
  return (id: string, change: number | 'creation'): Event[] => {
    const own = events.find(
      ({ record_id: of, version, type }) =>
        of === id && (change === 'creation' ? type.endsWith('.created') : version === change),
    )
    return own ? events.filter(({ event_id }) => entryOf(event_id) === entryOf(own.event_id)) : []
  }
}

/** The change of an event: the part of its id before the number among the events of the change. */
function entryOf(event_id: string): string {
  return event_id.slice(0, event_id.lastIndexOf('-'))
}

/** Names events as clerks say it, and as programs know them. */
export function EventNames({ events }: { events: Event[] }) {
  const { t } = useTranslation()
  return events.map(({ event_id, type, seq }) => (
    <Text key={event_id} size="xs" c="dimmed" title={event_id}>
      {t(`eventTypes.${type}`)}{' '}
      <Text span inherit ff="monospace">
        {type} #{seq}
      </Text>
    </Text>
  ))
}
