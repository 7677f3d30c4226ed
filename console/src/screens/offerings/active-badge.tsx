import { useTranslation } from 'react-i18next'
import { StateBadge } from '../../parts/state-badge.tsx'

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation()
  return (
    <StateBadge
      meaning={isActive ? 'received' : 'ended'}
      label={t(isActive ? 'offerings.active' : 'offerings.inactive')}
    />
  )
}
