import { Alert, Button, FileInput, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { base64Of } from '../../calls/base64-of.ts'
import { call, type DataOf, type InputOf, useAction } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day, Money, OrderLink, StateBadge } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'

type Statement = DataOf<'readStatementFile'>
type Matching = DataOf<'matchStatementLines'>
type Line = Matching['lines'][number]
type Payment = Matching['payments'][number]
const mostAtOnce = 1000
const meanings = { matched: 'received', proposed: 'soon', unmatched: 'refused' } as const

/** Matches a bank statement with payments: certain matches at once, likely ones after confirmation. */
export function MatchingTab() {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('matchStatementLines')
  const reading = useAttempt()
  const [statement, setStatement] = useState<Statement>()
  const [outcomes, setOutcomes] = useState<Line[]>([])
  const [payments, setPayments] = useState<ReadonlyMap<string, Payment>>(new Map())
  const addPayments = (more: Payment[]) =>
    setPayments((known) => new Map([...known, ...more.map((each) => [each.payment_id, each] as const)]))

  const read = async (file: File | null) => {
    reading.forgetError()
    setStatement(undefined)
    // The results below belong to the previous file.
    setOutcomes([])
    if (!file) return
    if (file.size > mostBytes) return reading.attempt(() => Promise.reject(new StatementTooLarge()))
    setStatement(
      await reading.attempt(async () => {
        const content = base64Of(new Uint8Array(await file.arrayBuffer()))
        return call('readStatementFile', { file_name: file.name, content })
      }),
    )
  }
  const match = async () => {
    const lines = statement!.lines.map(withoutEmpty)
    const found: Line[] = []
    for (let start = 0; start < lines.length; start += mostAtOnce) {
      const answer = await run({ lines: lines.slice(start, start + mostAtOnce) })
      found.push(...answer.lines)
      addPayments(answer.payments)
    }
    setOutcomes(found)
  }
  const decide = async (decision: InputOf<'matchStatementLines'>) => {
    const answer = await run(decision)
    addPayments(answer.payments)
    const changed = new Map(answer.lines.map((line) => [line.line_id, line]))
    setOutcomes((before) => before.map((line) => changed.get(line.line_id) ?? line))
    sayDone({ said: t(decision.undo ? 'common.undone' : 'finance.confirmed') })
  }
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <FileInput
          label={t('finance.statementFile')}
          description={t('finance.statementHint')}
          accept=".csv,.tsv,.xlsx,.ndjson"
          onChange={(file) => void read(file)}
          clearable
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
          w="100%"
          maw="34rem"
        />
        <Button
          disabled={!statement?.lines.length || statement.faults.length > 0}
          loading={isRunning || reading.isRunning}
          onClick={() => void match().catch(() => undefined)}
        >
          {t('finance.match')}
        </Button>
      </Group>
      {statement && <StatementSummary statement={statement} />}
      {reading.error instanceof StatementTooLarge ? (
        <Text size="sm" c="red" role="alert">
          {t('finance.statementTooLarge')}
        </Text>
      ) : (
        reading.error !== undefined && <ErrorNotice error={reading.error} />
      )}
      {error && <ErrorNotice error={error} />}
      {outcomes.length > 0 && (
        <PlainTable
          label={t('finance.matching')}
          rows={outcomes}
          rowId={({ line_id }) => line_id}
          minWidth={820}
          columns={[
            { id: 'date', title: t('finance.valueDate'), cell: ({ value_date }) => <Day at={value_date} /> },
            moneyColumn('amount', t('fields.amount'), ({ price, currency }: Line) => [price, currency]),
            {
              id: 'note',
              title: t('finance.remittanceNote'),
              cell: (line) => line.charge_id ?? line.reference ?? line.description,
            },
            {
              id: 'state',
              title: t('fields.status'),
              cell: ({ state }) => <StateBadge meaning={meanings[state]} label={t(`finance.${state}`)} />,
            },
            {
              id: 'reason',
              title: t('fields.reason'),
              cell: ({ reason, score }) =>
                `${reason} ${score === null ? '' : t('finance.likely', { percent: `${Math.round(score * 100)} %` })}`,
            },
            {
              id: 'payments',
              title: t('finance.payment'),
              cell: ({ payment_ids }) => (
                <MatchedPayments payments={payment_ids.flatMap((id) => payments.get(id) ?? [])} />
              ),
            },
            {
              id: 'decision',
              title: '',
              cell: (line) => (
                <MatchDecision line={line} onDecide={(input) => void decide(input).catch(() => undefined)} />
              ),
            },
          ]}
        />
      )}
    </Stack>
  )
}

/** In base64 well below the size limit of a call. */
const mostBytes = 500_000
class StatementTooLarge extends Error {}

/** Omits the empty members of a line. */
function withoutEmpty(line: Statement['lines'][number]) {
  const said = Object.entries(line).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(said) as NonNullable<InputOf<'matchStatementLines'>['lines']>[number]
}

/** The number of lines, or the rows to fix in the file first. */
function StatementSummary({ statement: { lines, faults } }: { statement: Statement }) {
  const { t } = useTranslation()
  if (faults.length === 0)
    return (
      <Text size="sm" c={lines.length === 0 ? 'red' : undefined}>
        {lines.length === 0
          ? t('finance.statementUnread')
          : t('finance.statementRead', { count: lines.length })}
      </Text>
    )
  return (
    <Alert color="red" variant="light" role="alert" title={t('finance.statementFaults')}>
      <List size="sm">
        {faults.map(({ row, column, reason }) => (
          <List.Item key={`${row} ${column}`}>
            {t('finance.statementFault', { row, column, reason })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const shownPayments = 5

/** The payments of a match, so that a person sees what they confirm. */
function MatchedPayments({ payments }: { payments: Payment[] }) {
  const { t } = useTranslation()
  return (
    <>
      {payments
        .slice(0, shownPayments)
        .map(({ payment_id, order_id, user_name, price, currency, completed_time }) => (
          <div key={payment_id}>
            <Money amount={price} currency={currency} /> · <Day at={completed_time} /> ·{' '}
            <OrderLink id={order_id} /> {user_name}
          </div>
        ))}
      {payments.length > shownPayments &&
        t('finance.morePayments', { count: payments.length - shownPayments })}
    </>
  )
}

interface MatchDecisionProps {
  line: Line
  onDecide(decision: InputOf<'matchStatementLines'>): void
}

function MatchDecision({ line: { line_id, state, payment_ids }, onDecide }: MatchDecisionProps) {
  const { t } = useTranslation()
  if (state === 'unmatched') return null
  const isProposed = state === 'proposed'
  return (
    <Button
      size="compact-xs"
      variant={isProposed ? 'light' : 'subtle'}
      onClick={() =>
        onDecide(isProposed ? { confirm: [{ line_ids: [line_id], payment_ids }] } : { undo: [line_id] })
      }
    >
      {t(isProposed ? 'finance.confirmMatch' : 'finance.undoMatch')}
    </Button>
  )
}
