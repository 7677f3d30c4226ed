import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import type { Language } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

interface OrderPickerProps {
  label: string
  value: string | undefined
  onChange(order_id: string | undefined): void
  /** An order that is not meant. */
  without?: string
}

/** An order by whose it is, a number of theirs, or its id. */
export function OrderPicker({ label, value, onChange, without }: OrderPickerProps) {
  const { t, i18n } = useTranslation()
  const [typed, setTyped] = useState(value ?? '')
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  // What was chosen stands in the field as a sentence, which finds nothing.
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
      formatMoney(total_price, currency, i18n.language as Language),
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
    onChange(id ?? undefined)
  }
  return (
    <Select
      label={label}
      placeholder={t('orders.chooseOrder')}
      data={options}
      value={value ?? null}
      onChange={choose}
      searchable
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage={q && !isFetching ? t('orders.noOrder') : undefined}
      required
      data-autofocus
    />
  )
}
