import { Divider, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCall } from '../calls/call.ts'
import { Icon } from '../parts/icon.tsx'
import classes from './frame.module.css'
import { type Permission, useSession } from './session.tsx'

export interface Place {
  name: 'today' | 'people' | 'leads' | 'orders' | 'finance' | 'reports' | 'offerings' | 'settings' | 'help'
  permission: Permission
}

/** The screens of the navigation. A role sees only those that it can use. */
export const places: Place[] = [
  { name: 'today', permission: 'read' },
  { name: 'people', permission: 'read' },
  { name: 'leads', permission: 'read' },
  { name: 'orders', permission: 'read' },
  { name: 'finance', permission: 'finance' },
  { name: 'reports', permission: 'read' },
  { name: 'offerings', permission: 'read' },
  { name: 'settings', permission: 'admin' },
  { name: 'help', permission: 'read' },
]

/** The first screen below the divider, where the set-up starts. */
const firstBelow = 'offerings'

/** The screens of the day, on a phone within reach of the thumb. */
const phonePlaces: Place['name'][] = ['today', 'people', 'leads', 'orders']

export function Navigation({ onChoose }: { onChoose(): void }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const waiting = useTaskCounts()
  const isHere = useIsHere()
  return places
    .filter(({ permission }) => can(permission))
    .map(({ name }) => {
      const count = waiting[name]
      return (
        <div key={name}>
          {name === firstBelow && <Divider my="xs" />}
          <Link
            to={`/${name}`}
            className={classes.place}
            aria-current={isHere(name) ? 'page' : undefined}
            onClick={onChoose}
          >
            <Icon name={name} />
            {t(`frame.${name}`)}
            {count ? <span className={classes.count}>{count}</span> : undefined}
          </Link>
        </div>
      )
    })
}

interface PhoneTabsProps {
  /** Whether the navigation is open. */
  isOpen: boolean
  onMore(): void
  onChoose(): void
}

/** The lower edge of a phone: the screens of the day, and a button that opens the whole navigation. */
export function PhoneTabs({ isOpen, onMore, onChoose }: PhoneTabsProps) {
  const { t } = useTranslation()
  const isHere = useIsHere()
  return (
    <>
      {phonePlaces.map((name) => (
        <Link
          key={name}
          to={`/${name}`}
          className={classes.tab}
          aria-current={!isOpen && isHere(name) ? 'page' : undefined}
          onClick={onChoose}
        >
          <Icon name={name} size={20} />
          {t(`frame.${name}`)}
        </Link>
      ))}
      <UnstyledButton className={classes.tab} aria-expanded={isOpen} onClick={onMore}>
        <Icon name="more" size={20} />
        {t('frame.more')}
      </UnstyledButton>
    </>
  )
}

function useIsHere(): (name: Place['name']) => boolean {
  const { pathname } = useLocation()
  return (name) => pathname === `/${name}` || pathname.startsWith(`/${name}/`)
}

/** The number of open tasks of each screen, from Today. */
function useTaskCounts(): Partial<Record<Place['name'], number>> {
  const { data } = useCall('fetchToday', {}, { refetchEveryMs: 60_000 })
  if (!data) return {}
  const { callbacks, untouched, overdue, unapplied, approvals, statements, imports, unclaimed } = data
  const { limits, webhooks } = data
  const today = [callbacks, untouched, overdue, unapplied, approvals, statements, imports, limits, webhooks]
  return {
    today: today.reduce((sum, { total }) => sum + total, 0),
    leads: unclaimed.total,
    orders: overdue.total,
    finance: unapplied.total + approvals.total,
  }
}
