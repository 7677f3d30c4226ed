import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { EmptyState, ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, Instant, StateBadge, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { ReasonField } from '../orders/reason-field.tsx'
import { useDryRun } from '../orders/use-dry-run.ts'

/** The closed periods, and the button that closes another. */
export function ClosingTab() {
  const { t } = useTranslation()
  const [isClosing, setClosing] = useState(false)
  const { data, error } = useCall('listClosings', { page_size: 100 })
  const latest = data?.list.find(({ reversal }) => !reversal)
  const add = <AddButton label={t('finance.closeMonth')} onClick={() => setClosing(true)} />
  return (
    <Stack gap="md" align="flex-start">
      {add}
      {error && <ErrorNotice error={error} />}
      {data?.total === 0 && (
        <Box w="100%">
          <EmptyState text={t('finance.noClosings')} icon="finance" />
        </Box>
      )}
      {data?.list.map((closing) => (
        <Closing key={closing.number} closing={closing} isLatest={closing === latest} />
      ))}
      {isClosing && <CloseDialog onClose={() => setClosing(false)} />}
    </Stack>
  )
}

type Listed = RowOf<'listClosings'>

/** A closing, which stays visible when it is reversed. The latest one can be reversed. */
function Closing({ closing, isLatest }: { closing: Listed; isLatest: boolean }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const [isReversing, setReversing] = useState(false)
  const { until, closed_at, reversal } = closing
  const requests = useCall(
    'listApprovals',
    { kind: 'closing_reversal', state: 'waiting', page_size: 100 },
    { enabled: isLatest },
  ).data?.list
  const isWaiting = requests?.some((request) => request.until === until)
  return (
    <Box component="section" maw="100%">
      <Group gap="xs">
        <Title order={2} size="h3">
          {t('finance.period')} <Day at={until} />{' '}
          {reversal && <StateBadge meaning="ended" label={t('finance.isReversed')} />}
        </Title>
        {isLatest && !isWaiting && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setReversing(true)}>
            {t('finance.reverseClosing')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('finance.closedAt')} <Instant at={closed_at} />
      </Text>
      {reversal && (
        <Text size="sm">
          {t('finance.isReversed')} <Instant at={reversal.reversed_at} />{' '}
          {t('finance.reversedBy', {
            requester: nameOf(reversal.requested_by),
            approver: nameOf(reversal.approved_by),
            reason: reversal.reason,
          })}
        </Text>
      )}
      {isWaiting && <Hint>{t('finance.reversalWaits')}</Hint>}
      <Figures closing={closing} label={t('finance.closing')} />
      {isReversing && <ReverseDialog until={until} onClose={() => setReversing(false)} />}
    </Box>
  )
}

/** Requests the reversal, which a second person approves. */
function ReverseDialog({ until, onClose }: { until: string; onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('reverseClosing')
  const [reason, setReason] = useState('')
  return (
    <PreviewDialog
      title={t('finance.reverseClosing')}
      confirmLabel={t('approvals.requestApproval')}
      isDestructive
      isIncomplete={reason.trim() === ''}
      onClose={onClose}
      act={async () => {
        await run({ until, reason: reason.trim() })
        return { said: t('finance.reversalRequested', { day: until }) }
      }}
    >
      <Text size="sm">{t('finance.reverseEffect', { day: until })}</Text>
      <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} required />
    </PreviewDialog>
  )
}

const figures = ['received', 'voided', 'refunded', 'held', 'outstanding', 'overdue'] as const

type Figured = Pick<DataOf<'closePeriod'>, 'currencies' | 'accounts'>

/** The figures of a closing by currency of the orders, and by account and currency of receipt. */
function Figures({ closing, label }: { closing: Figured; label: string }) {
  const { t } = useTranslation()
  return (
    <>
      <ByCurrency closing={closing} label={label} />
      {closing.accounts.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {t('finance.byAccount')}
          </Text>
          <ByAccount accounts={closing.accounts} />
        </>
      )}
    </>
  )
}

type AccountRow = Figured['accounts'][number]

/** As many rows are shown at once, each with the currency of its orders. More are summed by currency of receipt first. */
const mostRows = 12

/** The rows of an account and currency of receipt as one, regardless of the currencies of the orders. */
function byReceipt(accounts: AccountRow[]): AccountRow[] {
  const groups = Map.groupBy(accounts, ({ account, currency }) => `${account} ${currency}`)
  return [...groups.values()].map((rows) => {
    const sumOf = (amountOf: (row: AccountRow) => number) => rows.reduce((sum, row) => sum + amountOf(row), 0)
    return {
      ...rows[0]!,
      opening: { held: sumOf(({ opening }) => opening.held), order_held: 0 },
      received: sumOf(({ received }) => received),
      voided: sumOf(({ voided }) => voided),
      moved: sumOf(({ moved }) => moved),
      refunded: sumOf(({ refunded }) => refunded),
      closing: { held: sumOf(({ closing }) => closing.held), order_held: 0 },
    }
  })
}

function ByAccount({ accounts }: Pick<Figured, 'accounts'>) {
  const { t } = useTranslation()
  const isLong = accounts.length > mostRows
  const [isDetailed, setDetailed] = useState(!isLong)
  return (
    <>
      <AccountTable accounts={isDetailed ? accounts : byReceipt(accounts)} isDetailed={isDetailed} />
      {isLong && (
        <Button size="compact-sm" variant="subtle" onClick={() => setDetailed(!isDetailed)}>
          {t(isDetailed ? 'finance.hideOrderCurrencies' : 'finance.showOrderCurrencies')}
        </Button>
      )}
    </>
  )
}

function AccountTable({ accounts, isDetailed }: Pick<Figured, 'accounts'> & { isDetailed: boolean }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  type Row = AccountRow
  const amount = (id: string, title: string, amountOf: (row: Row) => number) =>
    moneyColumn(id, title, (row: Row) => [amountOf(row), row.currency])
  const hasMoved = accounts.some(({ moved }) => moved !== 0)
  const isForeign = isDetailed && accounts.some(({ currency, order_currency }) => currency !== order_currency)
  return (
    <PlainTable
      label={t('finance.byAccount')}
      columns={[
        {
          id: 'account',
          title: t('finance.account'),
          cell: ({ account }) => methodName(account) || t('finance.noAccount'),
        },
        { id: 'currency', title: t('fields.currency'), cell: ({ currency }) => currency },
        amount('opening', t('finance.opening'), ({ opening }) => opening.held),
        amount('received', t('finance.received'), ({ received }) => received),
        amount('voided', t('finance.voided'), ({ voided }) => voided),
        ...(hasMoved ? [amount('moved', t('finance.movedOut'), ({ moved }) => moved)] : []),
        amount('refunded', t('finance.refunded'), ({ refunded }) => refunded),
        amount('held', t('finance.held'), ({ closing }) => closing.held),
        ...(isForeign
          ? [
              moneyColumn('orders', t('finance.inOrders'), ({ closing, order_currency }: Row) => [
                closing.order_held,
                order_currency,
              ]),
            ]
          : []),
      ]}
      rows={accounts}
      rowId={({ account, currency, order_currency }) => `${account} ${currency} ${order_currency}`}
      minWidth={640}
      keepsLines
    />
  )
}

function ByCurrency({ closing, label }: { closing: Figured; label: string }) {
  const { t } = useTranslation()
  return (
    <PlainTable
      label={label}
      columns={[
        { id: 'currency', title: t('fields.currency'), cell: ({ currency }) => currency },
        ...figures.map((name) =>
          moneyColumn(name, t(`finance.${name}`), (row: (typeof closing.currencies)[number]) => [
            { ...row.closing, ...row }[name],
            row.currency,
          ]),
        ),
      ]}
      rows={closing.currencies}
      rowId={({ currency }) => currency}
      minWidth={560}
    />
  )
}

/** Shows the figures first, because a closing is permanent. */
function CloseDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('closePeriod')
  const [until, setUntil] = useState('')
  const { preview, error, isReady } = useDryRun('closePeriod', until === '' ? undefined : { until })
  return (
    <PreviewDialog
      title={t('finance.closeMonth')}
      isDestructive
      isIncomplete={!isReady}
      size="xl"
      onClose={onClose}
      act={async () => {
        await run({ until })
        return { said: t('finance.closeDone', { day: until }) }
      }}
    >
      <DateField
        leaning="earlier"
        label={t('finance.closeUntil')}
        value={until}
        onChange={setUntil}
        required
        data-autofocus
      />
      {error && <ErrorNotice error={error} />}
      {until && !error && !preview && <Skeleton height={80} />}
      {isReady && preview && (
        <>
          <Text size="sm">{t('finance.closeEffect', { day: until })}</Text>
          {preview.currencies.length === 0 ? (
            <Text size="sm">{t('finance.closeNothing')}</Text>
          ) : (
            <Figures closing={preview} label={t('orders.preview')} />
          )}
        </>
      )}
    </PreviewDialog>
  )
}
