import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'

interface PayerPickerProps {
  /** Empty: none is chosen. */
  value?: string
  onChange(payer_id: string): void
  placeholder?: string
  'data-autofocus'?: boolean
}

/** Finds a payer by name, contact name, number or tax number. */
export function PayerPicker({ value, onChange, ...field }: PayerPickerProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 250)
  const { data } = useCall(
    'listPayers',
    { ...(search && { search }), page_size: 20 },
    { keepsPrevious: true },
  )
  const found = (data?.list ?? []).map(({ payer_id, name }) => ({ value: payer_id, label: name || payer_id }))
  const options = chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found
  return (
    <Select
      {...field}
      label={t('payers.payer')}
      data={options}
      value={value || null}
      onChange={(id) => {
        setChosen(options.find((each) => each.value === id))
        onChange(id ?? '')
      }}
      searchable
      clearable
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
    />
  )
}
