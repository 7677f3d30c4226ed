import { Text, Timeline } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { Instant } from '../../parts/instant.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { usePoolName } from '../../parts/use-pool-name.ts'
import { Section } from './section.tsx'
import type { Person } from './use-people.ts'

interface Happening {
  id: string
  time: string
  title: string
  detail?: string
  by?: string | null
  /** The next call. */
  next?: string | null
}

const most = 200

/** A person's history, newest first. */
export function PersonTimeline({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
  const { user_id } = person
  const paging = { user_id, page_size: most }
  const { data: history } = useCall('listUserHistory', paging)
  const { data: followUps } = useCall('listFollowUps', paging)
  const { data: leads } = useCall('listLeads', { ...paging, sort: 'newest' })
  const { data: orders } = useCall('searchOrders', { user_id, page_size: 20 })

  const changed = ({ event, before, after, ...row }: RowOf<'listUserHistory'>): Happening => {
    const names = Object.keys(after)
    const details = names.map((name) => {
      const values = [before[name], after[name]].map((value) => shown(name, value))
      return t('people.changedTo', { name: labelOf(name), before: values[0], after: values[1] })
    })
    return {
      id: `v${row.version}`,
      time: row.time,
      title: t(`people.events.${event}`),
      detail: details.join(t('common.listComma')),
      by: row.executor_id,
    }
  }
  const shown = (name: string, value: unknown): string => {
    if (name === 'pool') return poolName(String(value))
    if (name === 'holder_id' && value) return nameOf(String(value))
    if (Array.isArray(value))
      return value.map((id) => nameOf(String(id))).join(t('common.listComma')) || t('common.none')
    return value === null || value === undefined || value === '' ? t('common.none') : String(value)
  }
  const labelOf = (name: string): string => {
    const known = ['name', 'gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const
    const member = known.find((each) => each === name)
    if (member) return t(`people.members.${member}`)
    return name === 'pool'
      ? t('people.pool')
      : name === 'owner_ids'
        ? t('fields.adviser')
        : name === 'holder_id'
          ? t('people.holder')
          : name === 'email'
            ? t('fields.email')
            : name
  }
  const happenings: Happening[] = [
    ...(history?.list.map(changed) ?? []),
    ...(followUps?.list.map((row) => ({
      id: row.follow_up_id,
      time: row.ctime,
      title: t('people.followUp'),
      detail: row.content,
      by: row.owner_id ?? row.executor_id,
      next: row.next_time,
    })) ?? []),
    ...(leads?.list.map((row) => ({
      id: row.lead_id,
      time: row.ctime,
      title: t('people.cameByLead'),
      detail: [row.utm_source, row.campaign, row.course_code, row.form1_value].filter(Boolean).join(' · '),
    })) ?? []),
    ...(orders?.list.map((row) => ({
      id: row.order_id,
      time: row.ctime,
      title: t('people.ordered'),
      detail: row.course_name || row.course_code,
    })) ?? []),
    { id: 'made', time: person.ctime, title: t('people.created') },
  ]
  const sorted = happenings.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
  return (
    <Section title={t('people.timeline')}>
      <Timeline bulletSize={10} lineWidth={1} active={-1}>
        {sorted.map(({ id, time, title, detail, by, next }) => (
          <Timeline.Item key={id} title={<Text size="sm">{title}</Text>}>
            {detail && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {detail}
              </Text>
            )}
            {next && (
              <Text size="sm">
                {t('people.nextCall')}: <Instant at={next} />
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <Instant at={time} /> {by && nameOf(by)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}
