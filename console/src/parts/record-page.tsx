import { ActionIcon, Group, Kbd, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyLink } from './copy-link.tsx'
import { Icon } from './icon.tsx'
import type { Neighbours } from './recent-list.ts'
import { noteRecord } from './recent-records.ts'
import classes from './record-page.module.css'
import { useScreenKeys } from './use-screen-keys.ts'
import { useTabTitle } from './use-tab-title.ts'

interface RecordPageProps {
  /** The list of these records. */
  screen: 'people' | 'orders'
  id: string
  name: string
  neighbours: Neighbours
  children: ReactNode
}

/** A record on a page of its own: the way back to its list, and to the next and the previous record. */
export function RecordPage({ screen, id, name, neighbours, children }: RecordPageProps) {
  const { t } = useTranslation()
  const { list } = neighbours
  useTabTitle(name, 'record')
  useEffect(() => {
    if (name) noteRecord({ screen, id, name })
  }, [screen, id, name])
  useScreenKeys([
    ['j', () => neighbours.next?.()],
    ['k', () => neighbours.previous?.()],
  ])
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb="xs" gap="xs">
        <nav aria-label={t('record.path')} className={classes.path}>
          <Link to={`/${screen}`} search={(list?.search ?? {}) as never}>
            {t(`frame.${screen}`)}
          </Link>
          <Icon name="right" size={12} />
          <span aria-current="page">{name}</span>
        </nav>
        <Group gap={4} wrap="nowrap">
          {list && (
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {t('record.place', list)}
            </Text>
          )}
          <CopyLink screen={screen} id={id} />
          <Step label={t('common.previous')} icon="up" letter="K" go={neighbours.previous} />
          <Step label={t('common.next')} icon="down" letter="J" go={neighbours.next} />
        </Group>
      </Group>
      {children}
    </>
  )
}

function Step({
  label,
  icon,
  letter,
  go,
}: {
  label: string
  icon: 'up' | 'down'
  letter: string
  go: (() => void) | undefined
}) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" disabled={!go} onClick={go} aria-label={label}>
        <Icon name={icon} />
      </ActionIcon>
      <Kbd size="xs" visibleFrom="sm" aria-hidden>
        {letter}
      </Kbd>
    </Group>
  )
}

interface RecordHeadProps {
  /** The heading; on a page it is the first one. */
  title: ReactNode
  isPage: boolean
  /** The first letter of a name. */
  mark?: string
  badges?: ReactNode
  details?: ReactNode
  actions?: ReactNode
}

/** The identity of the record, with its actions. */
export function RecordHead({ title, isPage, mark, badges, details, actions }: RecordHeadProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.head}>
      {mark && (
        <span className={classes.mark} aria-hidden="true">
          {mark}
        </span>
      )}
      <div className={classes.who}>
        <Group gap="xs" align="center">
          <Heading className={classes.title}>{title}</Heading>
          {badges}
        </Group>
        {details}
      </div>
      <div className={classes.actions}>{actions}</div>
    </div>
  )
}

interface RecordColumnsProps {
  /** The primary action: at the top if there is one column. */
  first?: ReactNode
  main: ReactNode
  rail: ReactNode
}

/** The main column, and beside it the facts. In a narrow place, such as a drawer or a phone, the facts come in between. */
export function RecordColumns({ first, main, rail }: RecordColumnsProps) {
  return (
    <div className={classes.place}>
      <div className={classes.columns}>
        {first && <div className={classes.first}>{first}</div>}
        <aside className={classes.rail}>{rail}</aside>
        <div className={classes.main}>{main}</div>
      </div>
    </div>
  )
}

/** A titled block of a record. */
export function RecordBlock({
  title,
  id,
  end,
  children,
}: {
  title: string
  /** The target of a link to the block. */
  id?: string
  end?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.block} id={id} aria-label={title}>
      <Group justify="space-between" className={classes.blockHead} wrap="nowrap">
        <h2 className={classes.blockTitle}>{title}</h2>
        {end}
      </Group>
      {children}
    </section>
  )
}

/** Labels and values in two columns. */
export function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How much of an amount is paid. */
export function PaidBar({ paid, total, label }: { paid: number; total: number; label: string }) {
  const share = total > 0 ? Math.min(Math.max(paid / total, 0), 1) : 1
  return (
    <span
      className={classes.bar}
      role="img"
      aria-label={label}
      style={{ '--share': `${Math.round(share * 1000) / 10}%` } as React.CSSProperties}
    />
  )
}
