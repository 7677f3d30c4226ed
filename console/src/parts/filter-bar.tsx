import { Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from './date-field.tsx'
import { FilterChips } from './filter-chips.tsx'
import { Icon } from './icon.tsx'
import { type ListAddress, useTypedFilter } from './use-list-address.ts'
import { useScreenKeys } from './use-screen-keys.ts'

export type Filter = { name: string; label: string } & (
  | {
      kind: 'choice'
      options: { value: string; label: string }[]
      /** Placed under the button for more filters. */
      isRare?: true
    }
  | { kind: 'day' }
)

interface FilterBarProps {
  address: ListAddress
  /** The search field; `name` is its parameter in the address. */
  search?: { name: string; label: string }
  filters?: Filter[]
  /** Placed at the end of the line. */
  children?: ReactNode
}

/** Search and filters of a list, kept in its address. Rare filters are under a button; those that are set are named below. `/` focuses the search. */
export function FilterBar({ address, search, filters = [], children }: FilterBarProps) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 48em)')
  const beside = isPhone ? [] : filters.filter((filter) => filter.kind === 'choice' && !filter.isRare)
  const below = filters.filter((filter) => !beside.includes(filter))
  const isFiltered =
    (search && address.search[search.name]) || filters.some(({ name }) => address.search[name])
  return (
    <Group gap="xs" role="search">
      {search && <SearchField key={search.name} {...search} address={address} />}
      {beside.map((filter) => (
        <FilterField key={filter.name} filter={filter} address={address} />
      ))}
      {below.length > 0 && (
        <MoreFilters
          filters={below}
          address={address}
          label={isPhone ? t('filters.show') : t('filters.more')}
        />
      )}
      {children}
      {isFiltered && (
        <FilterChips
          address={address}
          filters={filters}
          clear={() => address.setFilters(none(search, filters))}
        />
      )}
    </Group>
  )
}

function none(search: FilterBarProps['search'], filters: Filter[]): Record<string, undefined> {
  const names = [...filters.map(({ name }) => name), ...(search ? [search.name] : [])]
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

interface MoreFiltersProps {
  filters: Filter[]
  address: ListAddress
  label: string
}

/** The filters under the button, which shows how many are set. */
function MoreFilters({ filters, address, label }: MoreFiltersProps) {
  const { t } = useTranslation()
  const count = filters.filter(({ name }) => address.search[name]).length
  return (
    <Popover position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<Icon name="filter" size={14} />}
        >
          {count > 0 ? t('filters.set', { label, count }) : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {filters.map((filter) => (
            <FilterField key={filter.name} filter={filter} address={address} isNamed />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SearchField({ name, label, address }: { name: string; label: string; address: ListAddress }) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, type] = useTypedFilter(address, name)
  useScreenKeys([['/', () => field.current?.focus()]])
  return (
    <TextInput
      ref={field}
      size="xs"
      w={{ base: '100%', xs: '18rem' }}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={14} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

interface FilterFieldProps {
  filter: Filter
  address: ListAddress
  /** Shows the label above the field instead of inside. */
  isNamed?: boolean
}

function FilterField({ filter, address, isNamed }: FilterFieldProps) {
  const { name, label } = filter
  const named = isNamed ? { label } : { 'aria-label': label }
  const value = address.search[name]
  if (filter.kind === 'day')
    return (
      <DateField
        size="xs"
        {...named}
        value={value ?? ''}
        onChange={(day) => address.setFilters({ [name]: day || undefined }, 'replace')}
      />
    )
  return (
    <Select
      size="xs"
      w={isNamed ? undefined : '7.5rem'}
      {...named}
      placeholder={label}
      data={filter.options}
      value={value ?? null}
      onChange={(chosen) => address.setFilters({ [name]: chosen ?? undefined })}
      clearable
      searchable={filter.options.length > 8}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', withinPortal: !isNamed }}
    />
  )
}
