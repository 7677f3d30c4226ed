import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { majorText, readMoney } from './amount-text.ts'

interface MoneyInputProps {
  label: string
  currency: string
  /** In minor units; undefined while there is none. */
  amount: number | undefined
  /** No amount is one thing, and what is none of this currency another: that one must not pass for nothing. */
  onAmount(amount: number | undefined, isWrong: boolean): void
  required?: boolean
  disabled?: boolean
  description?: string
  /** What counts while nothing is typed. */
  placeholder?: string
  'data-autofocus'?: boolean
}

/** An amount as people type it, in minor units for whoever asked. */
export function MoneyInput({ currency, amount, onAmount, ...field }: MoneyInputProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => (amount === undefined ? '' : majorText(amount, currency)))
  const isWrong = (text: string) => text.trim() !== '' && readMoney(text, currency) === undefined
  return (
    <TextInput
      {...field}
      inputMode="decimal"
      value={typed}
      error={isWrong(typed) ? t('forms.noAmount', { currency }) : undefined}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onAmount(readMoney(text, currency), isWrong(text))
      }}
      rightSectionWidth="3rem"
      rightSection={<span>{currency}</span>}
    />
  )
}
