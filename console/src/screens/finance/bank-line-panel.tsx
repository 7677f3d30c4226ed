import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InputOf, useAction } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, Money, OrderLink, StateBadge } from '../../parts/instant.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { useScreenKeys } from '../../parts/use-screen-keys.ts'
import { BankBookDialog, type BookKind } from './bank-book-dialog.tsx'
import { BankCounterparts } from './bank-counterparts.tsx'
import { BankIgnoreDialog } from './bank-ignore-dialog.tsx'
import type { BankLine, Proposal, RequestedOrder } from './bank-lines.tsx'
import { textOf } from './bank-lines.tsx'
import { BankTransferSearch } from './bank-transfer-search.tsx'

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
  const match = (counterparts: Partial<InputOf<'matchBankLines'>>) =>
    void perform(run({ line_ids, ...counterparts }), () => ({ said: t('bank.matchedDone') }))
  const bookOn = (order_id: string) => {
    setBookedOrder(order_id)
    setBooked('payment')
  }
  const confirm = ({ payment_ids, order_id }: Proposal) =>
    order_id === null ? match({ payment_ids }) : bookOn(order_id)
  useScreenKeys([
    ['Enter', () => proposal && document.activeElement === document.body && confirm(proposal)],
    ['b', () => isSingle && setBooked(line.price > 0 ? 'payment' : 'refund')],
    ['i', () => setIgnoring(true)],
  ])
  const kinds: BookKind[] = line.price > 0 ? ['payment', 'unidentified'] : ['refund', 'chargeback', 'fee']
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
      <BankCounterparts lines={lines} onMatch={match} isRunning={isRunning} />
      {isSingle && <BankTransferSearch line={line} />}
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
