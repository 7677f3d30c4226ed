import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useCall } from '../../calls/call.ts'
import { useLanguage } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

interface OrderPickerProps {
  label: string
  /** Empty: none is chosen. */
  value?: string
  onChange(order_id: string): void
  /** An order that is not offered. */
  without?: string
  isOptional?: boolean
}

/** Finds an order by its student, a mobile number or an order number. */
export function OrderPicker({ label, value, onChange, without, isOptional = false }: OrderPickerProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [typed, setTyped] = useState(value ?? '')
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  // The label of the chosen order is no search term.
  const [q] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 250)
  const { data, isFetching } = useCall(
    'searchOrders',
    { q, page_size: 20 },
    { enabled: q !== '', keepsPrevious: true },
  )
  const labelOf = ({ user_name, course_name, order_id, total_price, currency }: RowOf<'searchOrders'>) =>
    [
      user_name || undefined,
      course_name || undefined,
      formatMoney(total_price, currency, language),
      order_id.slice(-8),
    ]
      .filter(Boolean)
      .join(' · ')
  const found = (q === '' ? [] : (data?.list ?? []))
    .filter(({ order_id }) => order_id !== without)
    .map((order) => ({ value: order.order_id, label: labelOf(order) }))
  const isListed = chosen === undefined || found.some((each) => each.value === chosen.value)
  const options = isListed ? found : [chosen, ...found]
  const choose = (id: string | null) => {
    setChosen(options.find((each) => each.value === id))
    onChange(id ?? '')
  }
  return (
    <Select
      label={label}
      placeholder={t('orders.chooseOrder')}
      data={options}
      value={value || null}
      onChange={choose}
      searchable
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage={q && !isFetching ? t('orders.noOrder') : undefined}
      required={!isOptional}
      data-autofocus
    />
  )
}
