import { Alert, Button, FileInput, Group, List, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/use-attempt.ts'
import { base64Of } from '../../calls/base64-of.ts'
import { call, type DataOf, type InputOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'

type Statement = DataOf<'readStatementFile'>
type Matching = DataOf<'matchStatementLines'>
type Line = Matching['lines'][number]
type Payment = Matching['payments'][number]
const mostAtOnce = 1000
const meanings = { matched: 'received', proposed: 'soon', unmatched: 'refused' } as const

/** A statement of the bank against the payments: what is certain is matched, what is likely is asked. */
export function MatchingTab() {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('matchStatementLines')
  const reading = useAttempt()
  const [statement, setStatement] = useState<Statement>()
  const [outcomes, setOutcomes] = useState<Line[]>([])
  const [payments, setPayments] = useState<ReadonlyMap<string, Payment>>(new Map())
  const learn = (more: Payment[]) =>
    setPayments((known) => new Map([...known, ...more.map((each) => [each.payment_id, each] as const)]))

  const read = async (file: File | null) => {
    reading.forgetError()
    setStatement(undefined)
    // What stands below would pass for what became of this file.
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
    const lines = statement!.lines.map(withoutNothing)
    const found: Line[] = []
    for (let start = 0; start < lines.length; start += mostAtOnce) {
      const answer = await run({ lines: lines.slice(start, start + mostAtOnce) })
      found.push(...answer.lines)
      learn(answer.payments)
    }
    setOutcomes(found)
  }
  const decide = async (decision: InputOf<'matchStatementLines'>) => {
    const answer = await run(decision)
    learn(answer.payments)
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
      {statement && <WhatWasRead statement={statement} />}
      {reading.error instanceof StatementTooLarge ? (
        <Text size="sm" c="red" role="alert">
          {t('finance.statementTooLarge')}
        </Text>
      ) : (
        reading.error !== undefined && <ErrorNotice error={reading.error} />
      )}
      {error && <ErrorNotice error={error} />}
      {outcomes.length > 0 && (
        <ScrollSideways minWidth={820}>
          <Table fz="sm" verticalSpacing={3} aria-label={t('finance.matching')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('finance.valueDate')}</Table.Th>
                <Table.Th ta="right">{t('fields.amount')}</Table.Th>
                <Table.Th>{t('finance.remittanceNote')}</Table.Th>
                <Table.Th>{t('fields.status')}</Table.Th>
                <Table.Th>{t('fields.reason')}</Table.Th>
                <Table.Th>{t('finance.payment')}</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {outcomes.map((line) => (
                <OutcomeRow
                  key={line.line_id}
                  line={line}
                  payments={line.payment_ids.flatMap((id) => payments.get(id) ?? [])}
                  onDecide={(decision) => void decide(decision).catch(() => undefined)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollSideways>
      )}
    </Stack>
  )
}

/** In base64 well within what one call may have. */
const mostBytes = 500_000
class StatementTooLarge extends Error {}

/** What a line does not say is left out. */
function withoutNothing(line: Statement['lines'][number]) {
  const said = Object.entries(line).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(said) as NonNullable<InputOf<'matchStatementLines'>['lines']>[number]
}

/** How many lines there are, and what has to be mended in the file before they are matched. */
function WhatWasRead({ statement: { lines, faults } }: { statement: Statement }) {
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

/** Which money is meant, so that nobody has to confirm what they cannot see. */
function MeantPayments({ payments }: { payments: Payment[] }) {
  const { t } = useTranslation()
  return (
    <>
      {payments
        .slice(0, shownPayments)
        .map(({ payment_id, order_id, user_name, price, currency, completed_time }) => (
          <div key={payment_id}>
            <Money amount={price} currency={currency} /> · <Day at={completed_time} /> ·{' '}
            <Link to="/orders/$id" params={{ id: order_id }}>
              {order_id.slice(-8)}
            </Link>{' '}
            {user_name}
          </div>
        ))}
      {payments.length > shownPayments &&
        t('finance.morePayments', { count: payments.length - shownPayments })}
    </>
  )
}

function OutcomeRow({
  line,
  payments,
  onDecide,
}: {
  line: Line
  payments: Payment[]
  onDecide(decision: InputOf<'matchStatementLines'>): void
}) {
  const { t } = useTranslation()
  const { line_id, state, payment_ids, score } = line
  return (
    <Table.Tr>
      <Table.Td>
        <Day at={line.value_date} />
      </Table.Td>
      <Table.Td ta="right">
        <Money amount={line.price} currency={line.currency} />
      </Table.Td>
      <Table.Td>{line.charge_id ?? line.reference ?? line.description}</Table.Td>
      <Table.Td>
        <StateBadge meaning={meanings[state]} label={t(`finance.${state}`)} />
      </Table.Td>
      <Table.Td>
        {line.reason} {score !== null && t('finance.likely', { percent: `${Math.round(score * 100)} %` })}
      </Table.Td>
      <Table.Td>
        <MeantPayments payments={payments} />
      </Table.Td>
      <Table.Td>
        {state === 'proposed' && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => onDecide({ confirm: [{ line_ids: [line_id], payment_ids }] })}
          >
            {t('finance.confirmMatch')}
          </Button>
        )}
        {state === 'matched' && (
          <Button size="compact-xs" variant="subtle" onClick={() => onDecide({ undo: [line_id] })}>
            {t('finance.undoMatch')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
