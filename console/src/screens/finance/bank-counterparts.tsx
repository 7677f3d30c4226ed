import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InputOf, useCall } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Day, Money, OrderLink } from '../../parts/instant.tsx'
import type { BankLine } from './bank-lines.tsx'

type Match = Partial<InputOf<'matchBankLines'>>

/** A payment or refund without a line. Its amount has the sign of the line. */
interface Counterpart {
  id: string
  /** Or the account of a payer. */
  order_id: string
  name: string
  price: number
  currency: string
  day: string
}

interface CounterpartsProps {
  lines: BankLine[]
  isRunning: boolean
  onMatch(match: Match): void
}

/** Payments for incoming lines, or refunds for outgoing ones: of the same amount, or those that the person searches for. */
export function BankCounterparts({ lines, isRunning, onMatch }: CounterpartsProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const [chosen, setChosen] = useState<Counterpart[]>([])
  const { currency } = lines[0]!
  const gross = lines.reduce((sum, { price, fee_price }) => sum + price + fee_price, 0)
  const found = useCounterparts(gross, currency, q)
  const offered = found?.filter((each) => !chosen.some(({ id }) => id === each.id)) ?? []
  const match = (parts: Counterpart[], book?: Match['book']) => {
    const ids = parts.map(({ id }) => id)
    onMatch({ ...(gross > 0 ? { payment_ids: ids } : { refund_ids: ids }), ...(book && { book }) })
  }
  if (gross === 0) return null
  const findLabel = t(gross > 0 ? 'bank.findPayment' : 'bank.findRefund')
  return (
    <Stack gap={4}>
      <TextInput
        aria-label={findLabel}
        placeholder={findLabel}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {[...chosen, ...offered].map((each) => {
        const isChosen = chosen.includes(each)
        const isWhole = each.price === gross && chosen.length === 0
        return (
          <Group key={each.id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              <OrderLink id={each.order_id} name={each.name} /> ·{' '}
              <Money amount={each.price} currency={each.currency} /> · <Day at={each.day} />
            </Text>
            <Button
              size="compact-xs"
              variant={isChosen ? 'subtle' : 'light'}
              loading={isRunning}
              onClick={() => {
                if (isChosen) setChosen(chosen.filter((one) => one !== each))
                else if (isWhole) match([each])
                else setChosen([...chosen, each])
              }}
            >
              {isChosen
                ? t('bank.leaveOut')
                : isWhole
                  ? t(gross > 0 ? 'bank.matchThis' : 'bank.matchRefund')
                  : t('bank.addToMatch')}
            </Button>
          </Group>
        )
      })}
      {found && offered.length + chosen.length === 0 && (
        <Hint>{t(gross > 0 ? 'bank.noPayment' : 'bank.noRefund')}</Hint>
      )}
      {chosen.length > 0 && (
        <ChosenMatch
          chosen={chosen}
          gross={gross}
          currency={currency}
          // Several lines are matched without bookings.
          canBook={lines.length === 1}
          isRunning={isRunning}
          onMatch={(book) => match(chosen, book)}
        />
      )}
    </Stack>
  )
}

interface ChosenMatchProps {
  chosen: Counterpart[]
  gross: number
  currency: string
  canBook: boolean
  isRunning: boolean
  onMatch(book?: Match['book']): void
}

/** The sum of the chosen counterparts. The rest of a line is booked with them. */
function ChosenMatch({ chosen, gross, currency, canBook, isRunning, onMatch }: ChosenMatchProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'fee' | 'difference' | 'unidentified'>()
  const sum = chosen.reduce((total, { price }) => total + price, 0)
  const rest = gross - sum
  const kinds = rest < 0 ? (['fee', 'difference'] as const) : (['difference', 'unidentified'] as const)
  const restAs = kinds.find((each) => each === kind) ?? kinds[0]
  return (
    <Stack gap={4}>
      <Hint>
        {t('bank.chosenSum')} <Money amount={sum} currency={currency} /> · {t('bank.rest')}{' '}
        <Money amount={rest} currency={currency} />
      </Hint>
      <Group justify="space-between" align="flex-end">
        {rest !== 0 && canBook ? (
          <Select
            size="xs"
            label={t('bank.bookRestAs')}
            data={kinds.map((value) => ({ value, label: t(`bank.book_${value}`) }))}
            value={restAs}
            onChange={(value) => setKind((value as typeof kind | null) ?? undefined)}
            allowDeselect={false}
          />
        ) : (
          <span />
        )}
        <Button
          size="compact-sm"
          disabled={rest !== 0 && !canBook}
          loading={isRunning}
          onClick={() => onMatch(rest === 0 ? undefined : [{ as: restAs, price: rest }])}
        >
          {t(gross > 0 ? 'bank.matchChosen' : 'bank.matchChosenRefunds', { count: chosen.length })}
        </Button>
      </Group>
    </Stack>
  )
}

/** Undefined while they are loading. */
function useCounterparts(gross: number, currency: string, q: string): Counterpart[] | undefined {
  const wanted = { ...(q ? { search: q } : { amount: Math.abs(gross), currency }), page_size: 8 }
  const options = { keepsPrevious: true }
  const payments = useCall(
    'listUnmatchedPayments',
    { ...wanted, start_date: '2000-01-01' },
    { ...options, enabled: gross > 0 },
  )
  const refunds = useCall('listUnmatchedRefunds', wanted, { ...options, enabled: gross < 0 })
  if (gross > 0)
    return payments.data?.list.map(({ payment_id: id, user_name: name, completed_time, ...each }) => ({
      ...{ ...each, id, name, day: completed_time.slice(0, 10) },
    }))
  return refunds.data?.list.map(({ refund_id: id, user_name: name, completed_time, price, ...each }) => ({
    ...{ ...each, id, name, day: completed_time.slice(0, 10), price: -price },
  }))
}
