import { Badge, Divider, NavLink } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCall } from '../calls/call.ts'
import { Icon } from '../parts/icon.tsx'
import { type Permission, useSession } from './session.tsx'

interface Place {
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

export function Navigation({ onChoose }: { onChoose(): void }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { pathname } = useLocation()
  const waiting = useTaskCounts()
  return places
    .filter(({ permission }) => can(permission))
    .map(({ name }) => {
      const isHere = pathname === `/${name}` || pathname.startsWith(`/${name}/`)
      const count = waiting[name]
      return (
        <div key={name}>
          {name === firstBelow && <Divider my="xs" />}
          <NavLink
            component={Link}
            to={`/${name}`}
            label={t(`frame.${name}`)}
            leftSection={<Icon name={name} />}
            rightSection={
              count ? (
                <Badge size="sm" variant="light" color="gray">
                  {count}
                </Badge>
              ) : undefined
            }
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            onClick={onChoose}
            py={6}
          />
        </div>
      )
    })
}

/** The number of open tasks of each screen, from Today. */
function useTaskCounts(): Partial<Record<Place['name'], number>> {
  const { data } = useCall('fetchToday', {}, { refetchEveryMs: 60_000 })
  if (!data) return {}
  const { callbacks, untouched, overdue, unapplied, approvals, imports, unclaimed } = data
  const today = [callbacks, untouched, overdue, unapplied, approvals, imports]
  return {
    today: today.reduce((sum, { total }) => sum + total, 0),
    leads: unclaimed.total,
    orders: overdue.total,
    finance: unapplied.total + approvals.total,
  }
}
