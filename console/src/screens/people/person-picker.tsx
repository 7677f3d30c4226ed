import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'

interface PersonPickerProps {
  value: string | null
  onChange(user_id: string | null): void
  /** A person who is not offered. */
  except?: string
}

/** Finds a person by name or number. */
export function PersonPicker({ value, onChange, except }: PersonPickerProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const { data } = useCall('searchUsers', { q, page_size: 20 }, { enabled: q !== '', keepsPrevious: true })
  return (
    <Select
      label={t('orders.person')}
      placeholder={t('orders.choosePerson')}
      data={
        data?.list
          .filter(({ user_id }) => user_id !== except)
          .map(({ user_id, name, mobile }) => ({
            value: user_id,
            label: `${name} ${mobile}`.trim() || user_id,
          })) ?? []
      }
      value={value}
      onChange={onChange}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={q ? t('orders.noPerson') : undefined}
      required
      data-autofocus
    />
  )
}
