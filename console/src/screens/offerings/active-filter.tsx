import type { TFunction } from 'i18next'
import type { Filter } from '../../parts/filter-bar.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'

export function activeFilter(t: TFunction): Filter {
  const options = [
    { value: 'true', label: t('offerings.active') },
    { value: 'false', label: t('offerings.inactive') },
  ]
  return { kind: 'choice', name: 'active', label: t('fields.status'), options }
}

/** The filter as the lists of offerings take it. */
export function isActiveOf({ active }: Record<string, string | undefined>): { is_active?: 'true' | 'false' } {
  return active === 'true' || active === 'false' ? { is_active: active } : {}
}

export function activeColumn(t: TFunction): Column<{ is_active: boolean }> {
  return {
    id: 'state',
    title: t('fields.status'),
    card: 'value',
    value: ({ is_active }) => Number(!is_active),
    cell: ({ is_active }) => (
      <StateBadge
        meaning={is_active ? 'received' : 'ended'}
        label={t(is_active ? 'offerings.active' : 'offerings.inactive')}
      />
    ),
  }
}
