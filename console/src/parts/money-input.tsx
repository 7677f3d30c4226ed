import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { majorText, readMoney } from './format-money.ts'

interface MoneyInputProps {
  label: string
  currency: string
  /** In minor units; undefined while what was typed is no amount. */
  amount: number | undefined
  onAmount(amount: number | undefined): void
  required?: boolean
  description?: string
}

/** An amount as people type it, in minor units for whoever asked. */
export function MoneyInput({ label, currency, amount, onAmount, required, description }: MoneyInputProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => (amount === undefined ? '' : majorText(amount, currency)))
  const isWrong = typed.trim() !== '' && readMoney(typed, currency) === undefined
  return (
    <TextInput
      label={label}
      description={description}
      required={required}
      inputMode="decimal"
      value={typed}
      error={isWrong ? t('forms.noAmount', { currency }) : undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onAmount(readMoney(event.currentTarget.value, currency))
      }}
      rightSectionWidth="3rem"
      rightSection={<span>{currency}</span>}
    />
  )
}
