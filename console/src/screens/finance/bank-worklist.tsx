import { Progress as Bar, Button, Group, Paper, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { call, dryRunKey, type RowOf, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { Money } from '../../parts/instant.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { BankLines } from './bank-lines.tsx'
import { BankUpload } from './bank-upload.tsx'
import { UnmatchedPayments } from './unmatched-payments.tsx'

type Account = RowOf<'listBankAccounts'>
type Statement = RowOf<'listStatements'>

/** The statements of an account with their progress, and the lines and payments that are still open. */
export function BankWorklist({ account, address }: { account: Account; address: ListAddress }) {
  const { t } = useTranslation()
  const { account_id, currency } = account
  const { data, isFetching } = useCall('listStatements', { account_id, page_size: 100 })
  const statements = data?.list ?? []
  const named = address.search.statement
  const statement = statements.find((each) => each.statement_id === named)
  // A new statement is in the address before it is in the list. Its lines do not wait for the list.
  const statement_id = statement?.statement_id ?? (isFetching ? named : undefined)
  const [isUploading, setUploading] = useState(false)
  const view = address.search.view === 'payments' ? 'payments' : 'lines'
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Select
          label={t('bank.statement')}
          data={[
            { value: '', label: t('bank.allStatements') },
            ...statements.map(({ statement_id, name, open_lines }) => ({
              value: statement_id,
              label: open_lines === 0 ? `${name} ✓` : t('bank.statementOpen', { name, count: open_lines }),
            })),
          ]}
          value={statement?.statement_id ?? ''}
          onChange={(id) => address.setFilters({ statement: id || undefined, line: undefined })}
          allowDeselect={false}
          w="100%"
          maw="24rem"
        />
        <Group gap="xs">
          <Button variant="default" onClick={() => setUploading(true)}>
            {t('bank.addStatement')}
          </Button>
          <ConfirmCertain account_id={account_id} statement_id={statement_id} />
        </Group>
      </Group>
      <Balances account={account} statement={statement} />
      <ReconciledBar account={account} statements={statement ? [statement] : statements} />
      <SegmentedControl
        value={view}
        onChange={(chosen) => address.setFilters({ view: chosen === 'payments' ? 'payments' : undefined })}
        data={[
          { value: 'lines', label: t('bank.lines') },
          { value: 'payments', label: t('bank.unmatchedPayments') },
        ]}
        maw="26rem"
      />
      {view === 'lines' ? (
        <BankLines account={account} statement_id={statement_id} address={address} />
      ) : (
        <UnmatchedPayments currency={currency} address={address} />
      )}
      {isUploading && (
        <BankUpload
          account={account}
          onClose={() => setUploading(false)}
          onDone={(statement_id) => {
            setUploading(false)
            address.setFilters({ statement: statement_id, line: undefined, view: undefined })
          }}
        />
      )}
    </Stack>
  )
}

function Balances({ account, statement }: { account: Account; statement: Statement | undefined }) {
  const { t } = useTranslation()
  const { currency, stated_price } = account
  const { opening_price, closing_price } = statement ?? account
  const open = statement?.open_price ?? account.open_incoming_price + account.open_outgoing_price
  const isGap = !statement && stated_price !== null && stated_price !== account.closing_price
  return (
    <Hint>
      {t('bank.opening')} <Money amount={opening_price} currency={currency} /> · {t('bank.closing')}{' '}
      <Money amount={closing_price} currency={currency} /> · {t('bank.differenceToBooks')}{' '}
      <Money amount={open} currency={currency} isBold />
      {isGap && (
        <>
          {' · '}
          {t('bank.statementMissing')}{' '}
          <Money amount={stated_price - account.closing_price} currency={currency} isBold />
        </>
      )}
      {statement && !statement.is_complete && ` · ${t('bank.incomplete')}`}
    </Hint>
  )
}

/** Matched, booked, ignored and open lines as one bar. */
function ReconciledBar({ account, statements }: { account: Account; statements: Statement[] }) {
  const { t } = useTranslation()
  const sum = (count: (statement: Statement) => number) =>
    statements.reduce((total, statement) => total + count(statement), 0)
  const counts = {
    matched: sum(({ matched_lines }) => matched_lines),
    booked: sum(({ booked_lines }) => booked_lines),
    ignored: sum(({ ignored_lines }) => ignored_lines),
    open: sum(({ open_lines }) => open_lines),
  }
  const total = Math.max(1, counts.matched + counts.booked + counts.ignored + counts.open)
  const colors = [
    ['matched', 'green'],
    ['booked', 'teal'],
    ['ignored', 'gray'],
  ] as const
  const openPrice = sum(({ open_price }) => open_price)
  return (
    <Paper withBorder p="sm">
      <Bar.Root size="sm" aria-label={t('bank.progress')}>
        {colors.map(([state, color]) => (
          <Bar.Section
            key={state}
            value={(100 * counts[state]) / total}
            color={color}
            aria-label={t(`bank.state_${state}`)}
          />
        ))}
      </Bar.Root>
      <Group gap="md" mt="xs">
        {colors.map(([state]) => (
          <Text size="sm" key={state}>
            <b>{counts[state]}</b> {t(`bank.state_${state}`)}
          </Text>
        ))}
        <Text size="sm">
          <b>{counts.open}</b> {t('bank.state_open')} ·{' '}
          <Money amount={openPrice} currency={account.currency} />
        </Text>
      </Group>
    </Paper>
  )
}

/** Makes all certain matches, in steps. */
function ConfirmCertain({
  account_id,
  statement_id,
}: {
  account_id: string
  statement_id: string | undefined
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { attempt, isRunning, error } = useAttempt()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const scope = statement_id === undefined ? { account_id } : { statement_id }
  const count = useCertainCount(scope)
  const confirm = () =>
    attempt(async () => {
      let done = 0
      for (;;) {
        const { matched, remaining } = await call('confirmCertainMatches', scope)
        done += matched
        setProgress({ done, total: done + remaining })
        if (remaining === 0) break
      }
      sayDone({ said: t('bank.confirmedCertain', { count: done }) })
    }).finally(() => {
      setProgress(undefined)
      void queries.invalidateQueries()
    })
  return (
    <Stack gap={4}>
      <Button loading={isRunning} disabled={!count} onClick={() => void confirm()}>
        {t('bank.confirmCertain', { count: count ?? 0 })}
      </Button>
      {progress && <Progress label={t('bank.confirming')} {...progress} />}
      {error !== undefined && <ErrorNotice error={error} />}
    </Stack>
  )
}

function useCertainCount(scope: { account_id?: string; statement_id?: string }): number | undefined {
  // Counting takes long in a large statement, so that not every change counts again.
  const { data } = useQuery({
    queryKey: [dryRunKey, 'confirmCertainMatches', scope],
    queryFn: ({ signal }) => call('confirmCertainMatches', { ...scope, dry_run: true }, { signal }),
    staleTime: 60_000,
  })
  return data?.matched
}
