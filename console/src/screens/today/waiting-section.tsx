import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/address.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import classes from './waiting-section.module.css'

interface Target {
  to: string
  search?: Search
}

/** Something that waits, and where one acts on it. */
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
  /** What is late is red, what will be soon is amber; the title says it as well. */
  meaning?: 'soon' | 'refused'
  total: number
  rows: WaitingRow[]
  /** Where all of them are; the section shows the first. */
  all?: Target
}

const colors = { soon: 'yellow.8', refused: 'red' }

/** One kind of what waits: how much, and the first of it. Nothing where nothing waits. */
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
