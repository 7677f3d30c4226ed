import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, Money, OrderLink, StateBadge } from '../../parts/instant.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { useScreenKeys } from '../../parts/use-screen-keys.ts'
import { BankBookDialog, type BookKind } from './bank-book-dialog.tsx'
import { BankIgnoreDialog } from './bank-ignore-dialog.tsx'
import type { BankLine, Proposal, RequestedOrder } from './bank-lines.tsx'
import { textOf } from './bank-lines.tsx'

interface LinePanelProps {
  lines: BankLine[]
  proposal: Proposal | undefined
  /** Orders whose payment requests the line names. */
  requested: RequestedOrder[]
}

/** The chosen line, or several that belong together: its match, or the ways to match it. */
export function BankLinePanel({ lines, proposal, requested }: LinePanelProps) {
  const { t } = useTranslation()
  const [line] = lines as [BankLine]
  const price = lines.reduce((sum, each) => sum + each.price, 0)
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600}>
          <Money amount={price} currency={line.currency} /> {line.payer ?? ''}
        </Text>
        <Hint>
          <Day at={line.value_date} /> {textOf(line)}
          {lines.length > 1 && ` · ${t('bank.joined', { count: lines.length })}`}
        </Hint>
        {line.fee_price !== 0 && (
          <Hint>
            {t('bank.gross')} <Money amount={line.price + line.fee_price} currency={line.currency} /> ·{' '}
            {t('bank.entry_fee')} <Money amount={-line.fee_price} currency={line.currency} /> ·{' '}
            {t('bank.net')} <Money amount={line.price} currency={line.currency} />
          </Hint>
        )}
        {line.payout_id && <Hint>{t('bank.payout', { id: line.payout_id })}</Hint>}
      </div>
      {line.state === 'open' ? (
        <OpenLine lines={lines} proposal={proposal} requested={requested} />
      ) : (
        <SettledLine line={line} />
      )}
    </Stack>
  )
}

function SettledLine({ line }: { line: BankLine }) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('unmatchBankLines')
  const unmatch = () => perform(run({ line_ids: [line.line_id] }), () => ({ said: t('bank.unmatched') }))
  return (
    <>
      {line.entries.map((entry) => (
        <Group
          key={[entry.kind, entry.price, entry.payment_id, entry.refund_id].join(' ')}
          justify="space-between"
          wrap="nowrap"
        >
          <Text size="sm">
            {t(`bank.entry_${entry.kind}`)}{' '}
            {entry.order_id && <OrderLink id={entry.order_id} name={entry.user_name ?? undefined} />}
            {entry.transfer_price !== null && entry.transfer_currency !== line.currency && (
              <Money amount={entry.transfer_price} currency={entry.transfer_currency ?? line.currency} />
            )}
          </Text>
          <Money amount={entry.price} currency={line.currency} />
        </Group>
      ))}
      {line.rule && (
        <Hint>
          {t(`bank.rule_${line.rule}`)}
          {line.reason && ` · ${line.reason}`}
        </Hint>
      )}
      {error && <ErrorNotice error={error} />}
      <Group>
        <Button size="compact-sm" variant="default" loading={isRunning} onClick={() => void unmatch()}>
          {t('bank.unmatch')}
        </Button>
      </Group>
    </>
  )
}

function OpenLine({ lines, proposal, requested }: LinePanelProps) {
  const { t } = useTranslation()
  const [line] = lines as [BankLine]
  const { run, isRunning, error } = useAction('matchBankLines')
  const [booked, setBooked] = useState<BookKind>()
  const [bookedOrder, setBookedOrder] = useState('')
  const [isIgnoring, setIgnoring] = useState(false)
  const isSingle = lines.length === 1
  const line_ids = lines.map(({ line_id }) => line_id)
  const match = (payment_ids: string[]) =>
    void perform(run({ line_ids, payment_ids }), () => ({ said: t('bank.matchedDone') }))
  const bookOn = (order_id: string) => {
    setBookedOrder(order_id)
    setBooked('payment')
  }
  const confirm = ({ payment_ids, order_id }: Proposal) =>
    order_id === null ? match(payment_ids) : bookOn(order_id)
  useScreenKeys([
    ['Enter', () => proposal && document.activeElement === document.body && confirm(proposal)],
    ['b', () => isSingle && setBooked(line.price > 0 ? 'payment' : 'refund')],
    ['i', () => setIgnoring(true)],
  ])
  const kinds: BookKind[] =
    line.price > 0 ? ['payment', 'unidentified', 'fee'] : ['refund', 'chargeback', 'fee']
  return (
    <>
      {proposal && (
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <StateBadge meaning="soon" label={`${Math.round(proposal.score * 100)} %`} />{' '}
            {proposal.order_id && <OrderLink id={proposal.order_id} name={proposal.user_name ?? undefined} />}
            <ProposedBecause proposal={proposal} />
          </div>
          <Button size="compact-sm" loading={isRunning} onClick={() => confirm(proposal)}>
            {t(proposal.order_id === null ? 'finance.confirmMatch' : 'bank.bookHere')}
          </Button>
        </Group>
      )}
      {isSingle &&
        requested.map(({ order_id, user_name, reference }) => (
          <Group key={order_id} justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm">
              <OrderLink id={order_id} name={user_name ?? undefined} />
              <Hint>{t('bank.namesRequest', { reference })}</Hint>
            </Text>
            <Button size="compact-sm" onClick={() => bookOn(order_id)}>
              {t('bank.bookHere')}
            </Button>
          </Group>
        ))}
      {line.price > 0 && <PaymentSearch lines={lines} onMatch={match} isRunning={isRunning} />}
      {isSingle && <TransferSearch line={line} />}
      {error && <ErrorNotice error={error} />}
      <Group gap="xs">
        {isSingle &&
          kinds.map((kind) => (
            <Button key={kind} size="compact-sm" variant="default" onClick={() => setBooked(kind)}>
              {t(`bank.book_${kind}`)}
            </Button>
          ))}
        <Button size="compact-sm" variant="default" onClick={() => setIgnoring(true)}>
          {t('bank.ignore')}
        </Button>
      </Group>
      {isSingle && <Hint>{t('bank.splitHint')}</Hint>}
      {booked && (
        <BankBookDialog
          line={line}
          first={booked}
          order_id={bookedOrder}
          onClose={() => setBooked(undefined)}
        />
      )}
      {isIgnoring && <BankIgnoreDialog line_ids={line_ids} onClose={() => setIgnoring(false)} />}
    </>
  )
}

/** The reason of a proposal in the language of the reader. */
function ProposedBecause({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation()
  const { rule, days, others, provider, day } = proposal
  return (
    <Hint>
      {rule === 'payments_of_day' && day !== null ? (
        <>
          {provider
            ? t('bank.proposed_payments_of_provider', { provider })
            : t('bank.proposed_payments_of_day')}{' '}
          <Day at={day} />
        </>
      ) : rule === 'instalment' ? (
        t('bank.proposed_instalment')
      ) : (
        <ProposedByAmount isNamed={rule === 'name_and_amount'} days={days ?? 0} />
      )}
      {others > 0 && ` · ${t('bank.othersFit', { count: others })}`}
    </Hint>
  )
}

function ProposedByAmount({ isNamed, days }: { isNamed: boolean; days: number }) {
  const { t } = useTranslation()
  if (days === 0)
    return t(isNamed ? 'bank.proposed_same_day_name_and_amount' : 'bank.proposed_same_day_amount')
  return t(isNamed ? 'bank.proposed_name_and_amount' : 'bank.proposed_amount', { count: days })
}

interface PaymentSearchProps {
  lines: BankLine[]
  isRunning: boolean
  onMatch(payment_ids: string[]): void
}

/** Payments without a line: of the same amount, or those that the person searches for. */
function PaymentSearch({ lines, isRunning, onMatch }: PaymentSearchProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const [chosen, setChosen] = useState<RowOf<'listUnmatchedPayments'>[]>([])
  const { currency } = lines[0]!
  const gross = lines.reduce((sum, { price, fee_price }) => sum + price + fee_price, 0)
  const { data } = useCall(
    'listUnmatchedPayments',
    { ...(q ? { search: q } : { amount: gross, currency }), page_size: 8, start_date: '2000-01-01' },
    { keepsPrevious: true, enabled: gross > 0 },
  )
  const sum = chosen.reduce((total, { price }) => total + price, 0)
  const offered = (data?.list ?? []).filter(
    (each) => !chosen.some(({ payment_id }) => payment_id === each.payment_id),
  )
  return (
    <Stack gap={4}>
      <TextInput
        aria-label={t('bank.findPayment')}
        placeholder={t('bank.findPayment')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {[...chosen, ...offered].map((payment) => {
        const isChosen = chosen.includes(payment)
        return (
          <Group key={payment.payment_id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              <OrderLink id={payment.order_id} name={payment.user_name} /> ·{' '}
              <Money amount={payment.price} currency={payment.currency} /> ·{' '}
              <Day at={payment.completed_time.slice(0, 10)} />
            </Text>
            <Button
              size="compact-xs"
              variant={isChosen ? 'subtle' : 'light'}
              loading={isRunning}
              onClick={() =>
                isChosen
                  ? setChosen(chosen.filter((each) => each !== payment))
                  : payment.price === gross && chosen.length === 0
                    ? onMatch([payment.payment_id])
                    : setChosen([...chosen, payment])
              }
            >
              {t(
                isChosen
                  ? 'bank.leaveOut'
                  : payment.price === gross && chosen.length === 0
                    ? 'bank.matchThis'
                    : 'bank.addToMatch',
              )}
            </Button>
          </Group>
        )
      })}
      {data && offered.length + chosen.length === 0 && <Hint>{t('bank.noPayment')}</Hint>}
      {chosen.length > 0 && (
        <Group justify="space-between">
          <Hint>
            {t('bank.chosenSum')} <Money amount={sum} currency={currency} /> · {t('bank.rest')}{' '}
            <Money amount={gross - sum} currency={currency} />
          </Hint>
          <Button
            size="compact-sm"
            disabled={sum !== gross}
            loading={isRunning}
            onClick={() => onMatch(chosen.map(({ payment_id }) => payment_id))}
          >
            {t('bank.matchChosen', { count: chosen.length })}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Open lines of other accounts with the opposite amount: transfers and payouts. */
function TransferSearch({ line }: { line: BankLine }) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('transferBankLines')
  const { data } = useCall('listBankLines', { state: 'open', amount: Math.abs(line.price), page_size: 20 })
  const { data: accounts } = useCall('listBankAccounts', {})
  const others = (data?.list ?? []).filter(
    ({ account_id, price }) => account_id !== line.account_id && Math.sign(price) === -Math.sign(line.price),
  )
  const transfer = (other: BankLine) => {
    const [from, to] = line.price < 0 ? [line, other] : [other, line]
    void perform(run({ line_id: from.line_id, other_line_id: to.line_id }), () => ({
      said: t('bank.transferDone'),
    }))
  }
  return (
    <>
      {others.slice(0, 5).map((other) => (
        <Group key={other.line_id} justify="space-between" wrap="nowrap">
          <Text size="sm">
            {accounts?.list.find(({ account_id }) => account_id === other.account_id)?.name} ·{' '}
            <Money amount={other.price} currency={other.currency} /> · <Day at={other.value_date} />{' '}
            {textOf(other)}
          </Text>
          <Button size="compact-xs" variant="light" loading={isRunning} onClick={() => transfer(other)}>
            {t('bank.matchTransfer')}
          </Button>
        </Group>
      ))}
      {error && <ErrorNotice error={error} />}
    </>
  )
}
