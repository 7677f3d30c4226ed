import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { majorText, readMoney } from './amount-text.ts'

interface MoneyInputProps {
  label: string
  /** Whether the label is only read aloud, because a column has the same title. */
  hidesLabel?: boolean
  currency: string
  /** In minor units; undefined while there is none. */
  value?: number | undefined
  /** `isWrong` distinguishes a text that is no amount from an empty field. */
  onChange(amount: number | undefined, isWrong: boolean): void
  required?: boolean
  disabled?: boolean
  description?: string
  /** The amount that applies while the field is empty. */
  placeholder?: string
  'data-autofocus'?: boolean
}

/** A field for an amount: typed in major units, reported in minor units. */
export function MoneyInput({ currency, value, onChange, label, hidesLabel, ...field }: MoneyInputProps) {
  const { t } = useTranslation()
  const textOf = (amount: number | undefined) => (amount === undefined ? '' : majorText(amount, currency))
  const [{ typed, shown, isOwn }, setText] = useState({ typed: textOf(value), shown: value, isOwn: false })
  // The text stays as typed until the form changes the amount by itself.
  if (isOwn) setText({ typed, shown: value, isOwn: false })
  else if (shown !== value) setText({ typed: textOf(value), shown: value, isOwn: false })
  const isWrong = (text: string) => text.trim() !== '' && readMoney(text, currency) === undefined
  return (
    <TextInput
      {...field}
      {...(hidesLabel ? { 'aria-label': label } : { label })}
      inputMode="decimal"
      value={typed}
      error={isWrong(typed) ? t('forms.noAmount', { currency }) : undefined}
      onChange={(event) => {
        const text = event.currentTarget.value
        setText({ typed: text, shown, isOwn: true })
        onChange(readMoney(text, currency), isWrong(text))
      }}
      rightSectionWidth="3rem"
      rightSection={<span>{currency}</span>}
    />
  )
}
