import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import type { ListAddress } from './use-list-address.ts'

export type Filter =
  | { kind: 'choice'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'day'; name: string; label: string }

interface FilterBarProps {
  address: ListAddress
  /** The field that people type into; `name` is the parameter it fills. */
  search?: { name: string; label: string }
  filters?: Filter[]
  /** What stands at the end of the line. */
  children?: ReactNode
}

/** Search and filters of a list, kept in its address. `/` goes to the search. */
export function FilterBar({ address, search, filters = [], children }: FilterBarProps) {
  const { t } = useTranslation()
  const [isOpen, { toggle }] = useDisclosure(false)
  const isFiltered =
    (search && address.search[search.name]) || filters.some(({ name }) => address.search[name])
  return (
    <Group gap="xs" role="search">
      {search && <SearchField key={search.name} {...search} address={address} />}
      {filters.length > 0 && (
        <Button
          hiddenFrom="sm"
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Icon name="filter" size={14} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {t('filters.show')}
        </Button>
      )}
      {/* A phone shows the list first. */}
      <Group gap="xs" visibleFrom={isOpen ? undefined : 'sm'}>
        {filters.map((filter) => (
          <FilterField key={filter.name} filter={filter} address={address} />
        ))}
      </Group>
      {isFiltered && (
        <Button size="compact-sm" variant="subtle" onClick={() => address.setFilters(none(search, filters))}>
          {t('filters.clear')}
        </Button>
      )}
      {children}
    </Group>
  )
}

function none(search: FilterBarProps['search'], filters: Filter[]): Record<string, undefined> {
  const names = [...filters.map(({ name }) => name), ...(search ? [search.name] : [])]
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function SearchField({ name, label, address }: { name: string; label: string; address: ListAddress }) {
  const field = useRef<HTMLInputElement>(null)
  const shown = address.search[name] ?? ''
  const [typed, setTyped] = useState(shown)
  const send = useDebouncedCallback((text: string) => address.setFilters({ [name]: text || undefined }), 250)
  // Somebody went back, or cleared the filters.
  useEffect(() => setTyped(shown), [shown])
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <TextInput
      ref={field}
      size="xs"
      w="18rem"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={14} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        send(event.currentTarget.value.trim())
      }}
    />
  )
}

function FilterField({ filter, address }: { filter: Filter; address: ListAddress }) {
  const { name, label } = filter
  const value = address.search[name]
  if (filter.kind === 'day')
    return (
      <TextInput
        size="xs"
        type="date"
        aria-label={label}
        title={label}
        value={value ?? ''}
        onChange={(event) => address.setFilters({ [name]: event.currentTarget.value || undefined })}
      />
    )
  return (
    <Select
      size="xs"
      w="9rem"
      aria-label={label}
      placeholder={label}
      data={filter.options}
      value={value ?? null}
      onChange={(chosen) => address.setFilters({ [name]: chosen ?? undefined })}
      clearable
      searchable={filter.options.length > 8}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
