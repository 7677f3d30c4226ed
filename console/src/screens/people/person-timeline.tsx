import { Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { queryFor, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Instant, Money, useMethodName } from '../../parts/instant.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { EventNames, useRecordEvents } from '../../parts/record-events.tsx'
import { RecordBlock } from '../../parts/record-page.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'
import type { Person } from './people-filters.tsx'
import classes from './person-timeline.module.css'

/** The subject of a timeline entry. */
const kinds = ['contact', 'money', 'changes'] as const
type Kind = (typeof kinds)[number]

interface Happening {
  id: string
  kind: Kind
  time: string
  title: ReactNode
  detail?: string
  by?: string | null
  /** The next call. */
  next?: string | null
  /** The version of the person; the other entries are creations. */
  version?: number
}

const most = 200
/** Entries that are shown at first. */
const few = 30

/** A person's history, newest first: calls and leads, money, changes. */
export function PersonTimeline({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const [isWhole, setWhole] = useState(false)
  const happenings = useHappenings(person)
  const eventsOf = useRecordEvents(person.user_id, happenings.find(({ kind }) => kind !== 'money')?.time)
  const chosen = happenings.filter((each) => kind === 'all' || each.kind === kind)
  const shown = isWhole ? chosen : chosen.slice(0, few)
  return (
    <RecordBlock
      title={t('people.timeline')}
      end={
        <SegmentedControl
          size="xs"
          aria-label={t('record.filter')}
          value={kind}
          onChange={(value) => setKind(value as Kind | 'all')}
          data={[
            { value: 'all', label: t('common.all') },
            ...kinds.map((value) => ({ value, label: t(`record.kinds.${value}`) })),
          ]}
        />
      }
    >
      {shown.length === 0 && <Hint>{t('record.nothing')}</Hint>}
      <ol className={classes.timeline}>
        {shown.map(({ id, version, kind, time, title, detail, by, next }) => (
          <li key={id} data-kind={kind}>
            <Text span size="xs" c="dimmed" className={classes.time}>
              <Instant at={time} />
            </Text>
            <div className={classes.entry}>
              <Text size="sm">
                {by && (
                  <Text span inherit fw={600}>
                    {nameOf(by)}{' '}
                  </Text>
                )}
                {title}
              </Text>
              {detail && (
                <Text size="sm" className={classes.detail}>
                  {detail}
                </Text>
              )}
              {next && (
                <Text size="sm" c="dimmed">
                  {t('people.nextCall')}: <Instant at={next} />
                </Text>
              )}
              {kind !== 'money' && (
                <EventNames
                  events={
                    version
                      ? eventsOf(person.user_id, version)
                      : eventsOf(id === 'made' ? person.user_id : id, 'creation')
                  }
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      {shown.length < chosen.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {t('record.showAll', { count: chosen.length })}
        </Button>
      )}
    </RecordBlock>
  )
}

/** Everything that happened with a person, newest first. */
function useHappenings(person: Person): Happening[] {
  const { t } = useTranslation()
  const describe = useChangeText()
  const { user_id } = person
  const paging = { user_id, page_size: most }
  const { data: history } = useCall('listUserHistory', paging)
  const { data: followUps } = useCall('listFollowUps', paging)
  const { data: leads } = useCall('listLeads', { ...paging, sort: 'newest' })
  const { data: orders } = useCall('searchOrders', { user_id, page_size: 20 })
  const money = useMoneyEntries(orders?.list ?? [])
  const happenings: Happening[] = [
    ...(history?.list.map(
      ({ event, before, after, ...row }): Happening => ({
        id: `v${row.version}`,
        kind: 'changes',
        version: row.version,
        time: row.time,
        title: t(`people.events.${event}`),
        detail: describe(before, after),
        by: row.executor_id,
      }),
    ) ?? []),
    ...(followUps?.list.map(
      (row): Happening => ({
        id: row.follow_up_id,
        kind: 'contact',
        time: row.ctime,
        title: t('people.followUp'),
        detail: row.content,
        by: row.owner_id ?? row.executor_id,
        next: row.next_time,
      }),
    ) ?? []),
    ...(leads?.list.map(
      (row): Happening => ({
        id: row.lead_id,
        kind: 'contact',
        time: row.ctime,
        title: (
          <>
            {t('people.cameByLead')}
            {row.import_id && (
              <>
                {' · '}
                <Link to="/leads/import" search={{ import: row.import_id } as never}>
                  {t('people.ofImport')}
                </Link>
              </>
            )}
          </>
        ),
        detail: [row.utm_source, row.campaign, row.course_code, row.form1_value].filter(Boolean).join(' · '),
      }),
    ) ?? []),
    ...(orders?.list.map(
      (row): Happening => ({
        id: row.order_id,
        kind: 'changes',
        time: row.ctime,
        title: t('people.ordered'),
        detail: row.course_name || row.course_code,
      }),
    ) ?? []),
    ...money,
    { id: 'made', kind: 'changes', time: person.ctime, title: t('people.created') },
  ]
  return happenings.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
}

/** Orders whose money is in the timeline: the newest. */
const mostOrders = 5

/** The money of a person's orders. */
function useMoneyEntries(orders: RowOf<'searchOrders'>[]): Happening[] {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const found = useQueries({
    queries: orders
      .slice(0, mostOrders)
      .map(({ order_id }) => queryFor('listOrderMoney', { order_id, page_size: most })),
  })
  return found.flatMap(({ data: money }, index) => {
    const order = orders[index]!
    const entries = money?.list.filter(({ price, claim_price }) => price !== 0 || claim_price < 0) ?? []
    return entries.map(
      (entry, at): Happening => ({
        id: `${order.order_id} ${at}`,
        kind: 'money',
        time: entry.time,
        title: (
          <>
            {[t(`moneyKinds.${entry.kind}`), methodName(entry.method)].filter(Boolean).join(' · ')}{' '}
            <Money amount={entry.price || entry.claim_price} currency={money!.currency} isBold />{' '}
            <Link to="/orders/$id" params={{ id: order.order_id }}>
              {order.course_name || t('orders.orderNumber', { id: order.order_id.slice(-8) })}
            </Link>
          </>
        ),
      }),
    )
  })
}

/** Says what changed, with the values before and after. */
function useChangeText() {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
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
  return (before: Record<string, unknown>, after: Record<string, unknown>): string => {
    const details = Object.keys(after).map((name) => {
      const values = [before[name], after[name]].map((value) => shown(name, value))
      return t('people.changedTo', { name: labelOf(name), before: values[0], after: values[1] })
    })
    return details.join(t('common.listComma'))
  }
}

interface Draft {
  content: string
  next: string
}

/** Unsaved follow-ups by staff member and person, kept until the page closes. */
const drafts = new Map<string, Draft>()
const noDraft: Draft = { content: '', next: '' }

const keyOf = (staff_id: string, { corp_id, user_id }: FollowUpFormProps['person']) =>
  `${staff_id} ${corp_id} ${user_id}`

/** Discards the unsaved follow-up of a person. */
export function discardDraft(staff_id: string, person: FollowUpFormProps['person']): void {
  drafts.delete(keyOf(staff_id, person))
}

function useDraft(key: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(drafts.get(key) ?? noDraft)
  const keep = (changed: Draft) => {
    if (changed.content || changed.next) drafts.set(key, changed)
    else drafts.delete(key)
    setDraft(changed)
  }
  return [draft, keep]
}

/** The block of the follow-up form, which the button of the record opens. */
export const followUpBlock = 'follow-up'

interface FollowUpFormProps {
  person: Pick<Person, 'user_id' | 'corp_id'>
  onAdded?(): void
}

/** Adds a follow-up with the time of the next call. */
export function FollowUpForm({ person, onAdded }: FollowUpFormProps) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const [draft, keepDraft] = useDraft(keyOf(staff.staff_id, person))
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
      onAdded?.()
    } catch {
      // The form shows the error and keeps its text.
    }
  }
  return (
    <RecordBlock title={t('people.followUp')} id={followUpBlock}>
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
          <DateField
            size="xs"
            withTime
            leaning="later"
            label={t('people.nextCall')}
            value={next}
            onChange={(next) => keepDraft({ ...draft, next })}
          />
          <Button size="xs" type="submit" loading={create.isRunning} disabled={content.trim() === ''}>
            {t('people.addFollowUp')}
          </Button>
        </Group>
        {create.error && <ErrorNotice error={create.error} />}
      </form>
    </RecordBlock>
  )
}
