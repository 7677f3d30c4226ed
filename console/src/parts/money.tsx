import { Text } from '@mantine/core'
import { useLanguage } from '../languages/language.ts'
import { formatMoney } from './format-money.ts'

interface MoneyProps {
  /** In minor units of the currency. */
  amount: number
  currency: string
  isBold?: boolean
  /** Shows zero in grey. */
  isZeroDimmed?: boolean
}

/** An amount with the decimals of its currency; negative amounts are red with a minus. */
export function Money({ amount, currency, isBold, isZeroDimmed }: MoneyProps) {
  const color = amount < 0 ? 'red' : amount === 0 && isZeroDimmed ? 'dimmed' : undefined
  return (
    <Text span inherit c={color} fw={isBold ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
      {formatMoney(amount, currency, useLanguage())}
    </Text>
  )
}
