import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Language } from '../languages/language.ts'
import { formatMoney } from './format-money.ts'

interface MoneyProps {
  /** In minor units of the currency. */
  amount: number
  currency: string
  isBold?: boolean
  /** Zero says nothing in most columns. */
  isZeroDimmed?: boolean
}

/** An amount: the currency's own digits, figures of one width, negative in red with a minus. */
export function Money({ amount, currency, isBold, isZeroDimmed }: MoneyProps) {
  const { i18n } = useTranslation()
  const color = amount < 0 ? 'red' : amount === 0 && isZeroDimmed ? 'dimmed' : undefined
  return (
    <Text span inherit c={color} fw={isBold ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
      {formatMoney(amount, currency, i18n.language as Language)}
    </Text>
  )
}
