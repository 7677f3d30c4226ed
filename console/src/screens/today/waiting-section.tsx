import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/session.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import classes from './waiting-section.module.css'

interface Target {
  to: string
  search?: Search
}

/** A task, and the screen on which to do it. */
export interface WaitingRow extends Target {
  id: string
  name: ReactNode
  detail: string
  amount?: ReactNode
  end: ReactNode
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

/** The number of tasks of one kind, and the first of them. Hidden if there are none. */
export function WaitingSection({ title, icon, meaning, total, rows, all }: WaitingSectionProps) {
  const { t } = useTranslation()
  if (total === 0) return null
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={6} px={8} wrap="nowrap">
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
        {rows.map((row) => (
          <li key={row.id} className={classes.item}>
            <Link to={row.to} search={row.search as never} className={classes.row}>
              <Text span inherit fw={500}>
                {row.name}
              </Text>
              <Text span inherit c="dimmed" className={classes.detail}>
                {row.detail}
              </Text>
              <span className={classes.end}>{row.amount}</span>
              <Text span inherit c="dimmed" className={classes.end}>
                {row.end}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
