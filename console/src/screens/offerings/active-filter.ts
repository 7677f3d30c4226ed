import type { TFunction } from 'i18next'
import type { Filter } from '../../parts/filter-bar.tsx'

/** What can still be chosen, or what has ended. */
export function activeFilter(t: TFunction): Filter {
  return {
    kind: 'choice',
    name: 'active',
    label: t('offerings.state'),
    options: [
      { value: 'true', label: t('offerings.active') },
      { value: 'false', label: t('offerings.inactive') },
    ],
  }
}

/** As the lists of offerings take it. */
export function isActiveOf(search: Record<string, string | undefined>): { is_active?: 'true' | 'false' } {
  const { active } = search
  return active === 'true' || active === 'false' ? { is_active: active } : {}
}
