import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/session.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import classes from './waiting-section.module.css'

interface Target {
  to: string
  search?: Search
}

/** A task, the screen on which to do it, and its actions in place. */
export interface WaitingRow extends Target {
  id: string
  name: ReactNode
  detail: string
  amount?: ReactNode
  end: ReactNode
  /** Its buttons; `done` is called once one of them has done the task. */
  actions?(done: () => void): ReactNode
}

interface WaitingSectionProps {
  title: string
  icon: IconName
  /** Red for overdue, amber for soon; the title says it as well. */
  meaning?: 'soon' | 'refused'
  total: number
  rows: WaitingRow[]
  /** The screen with all tasks; the section shows the first. */
  all?: Target
}

const colors = { soon: 'yellow.8', refused: 'red' }

/** The number of tasks of one kind, and the first of them. Completed tasks stay, faded. Hidden if there are none. */
export function WaitingSection({ title, icon, meaning, total, rows, all }: WaitingSectionProps) {
  const { t } = useTranslation()
  const [done, setDone] = useState<WaitingRow[]>([])
  const isDone = (row: WaitingRow) => done.some(({ id }) => id === row.id)
  if (total === 0 && done.length === 0) return null
  return (
    <section aria-label={title} className={classes.section}>
      <Group justify="space-between" className={classes.head} wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          <Text span c={meaning ? colors[meaning] : 'dimmed'} lh={0}>
            <Icon name={icon} />
          </Text>
          <Title order={2}>{title}</Title>
          <Text c="dimmed" size="sm">
            {t('today.count', { count: total })}
          </Text>
        </Group>
        {all && total > rows.length && (
          <Anchor
            component={Link}
            to={all.to}
            search={all.search as never}
            size="sm"
            style={{ whiteSpace: 'nowrap' }}
          >
            {t('today.all')}
          </Anchor>
        )}
      </Group>
      <ul className={classes.list}>
        {rows
          .filter((row) => !isDone(row))
          .map((row) => (
            <li key={row.id} className={classes.item}>
              <RowLink row={row} />
              {row.actions && (
                <div className={classes.actions}>{row.actions(() => setDone((all) => [...all, row]))}</div>
              )}
            </li>
          ))}
        {done.map((row) => (
          <li key={row.id} className={classes.item} data-done>
            <RowLink row={row} />
            <Text span size="sm" c="dimmed" className={classes.actions}>
              <Icon name="check" size={14} /> {t('today.done')}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RowLink({ row }: { row: WaitingRow }) {
  return (
    <Link to={row.to} search={row.search as never} className={classes.row}>
      <span className={classes.name}>{row.name}</span>
      {row.amount && <span className={classes.amount}>{row.amount}</span>}
      <span className={classes.detail}>
        <bdi>{row.detail}</bdi>
        {row.detail && ' · '}
        {row.end}
      </span>
    </Link>
  )
}
