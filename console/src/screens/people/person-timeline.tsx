import { Button, Group, Text, Textarea, TextInput, Timeline } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Instant } from '../../parts/instant.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'
import type { Person } from './people-filters.tsx'
import { Section } from './section.tsx'

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

interface Draft {
  content: string
  next: string
}

/** Unsaved follow-ups by staff member and person, kept until the page closes. */
const drafts = new Map<string, Draft>()
const noDraft: Draft = { content: '', next: '' }

function useDraft(key: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(drafts.get(key) ?? noDraft)
  const keep = (changed: Draft) => {
    if (changed.content || changed.next) drafts.set(key, changed)
    else drafts.delete(key)
    setDraft(changed)
  }
  return [draft, keep]
}

/** Adds a follow-up with the time of the next call. */
export function FollowUpForm({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const [draft, keepDraft] = useDraft(`${staff.staff_id} ${person.corp_id} ${person.user_id}`)
  const { content, next } = draft
  const create = useAction('createFollowUp')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() === '') return
    // Local time of the school.
    const next_time = next ? `${next.replace('T', ' ')}:00` : undefined
    try {
      await create.run({ user_id: person.user_id, content: content.trim(), next_time })
      keepDraft(noDraft)
      sayDone({ said: t('people.followUpAdded') })
    } catch {
      // The form shows the error and keeps its text.
    }
  }
  return (
    <Section title={t('people.followUp')}>
      <form onSubmit={submit}>
        <Textarea
          autosize
          minRows={2}
          aria-label={t('people.followUpContent')}
          placeholder={t('people.followUpContent')}
          value={content}
          maxLength={4000}
          onChange={(event) => keepDraft({ ...draft, content: event.currentTarget.value })}
        />
        <Group mt={6} align="end" justify="space-between">
          <TextInput
            size="xs"
            type="datetime-local"
            label={t('people.nextCall')}
            value={next}
            onChange={(event) => keepDraft({ ...draft, next: event.currentTarget.value })}
          />
          <Button size="xs" type="submit" loading={create.isRunning} disabled={content.trim() === ''}>
            {t('people.addFollowUp')}
          </Button>
        </Group>
        {create.error && <ErrorNotice error={create.error} />}
      </form>
    </Section>
  )
}
