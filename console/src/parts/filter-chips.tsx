import { Button, Group, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filter } from './filter-bar.tsx'
import { Icon } from './icon.tsx'
import { Day } from './instant.tsx'
import type { ListAddress } from './use-list-address.ts'

interface FilterChipsProps {
  address: ListAddress
  filters: Filter[]
  /** Removes all filters and the text of the search. */
  clear(): void
}

/** The filters that are set, each of which a click removes. */
export function FilterChips({ address, filters, clear }: FilterChipsProps) {
  const { t } = useTranslation()
  const chips = filters.flatMap((filter) => {
    const value = address.search[filter.name]
    return value ? [{ ...filter, text: textOf(filter, value) }] : []
  })
  return (
    <Group gap={6} w="100%" data-chips>
      {chips.map(({ name, label, text }) => (
        <Button
          key={name}
          size="compact-xs"
          variant="light"
          radius="xl"
          fw={500}
          rightSection={<Icon name="close" size={12} />}
          title={t('filters.remove')}
          onClick={() => address.setFilters({ [name]: undefined })}
        >
          <VisuallyHidden>{t('filters.remove')} </VisuallyHidden>
          {label}: {text}
        </Button>
      ))}
      <Button size="compact-xs" variant="subtle" onClick={clear}>
        {t('filters.clear')}
      </Button>
    </Group>
  )
}

function textOf(filter: Filter, value: string): ReactNode {
  if (filter.kind === 'day') return <Day at={value} />
  return filter.options.find((option) => option.value === value)?.label ?? value
}
