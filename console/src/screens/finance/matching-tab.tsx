import { Button, FileInput, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { DataOf, InputOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { readStatement, type StatementLine } from './read-statement.ts'

type Line = DataOf<'matchStatementLines'>['lines'][number]
const mostAtOnce = 1000
const meanings = { matched: 'received', proposed: 'soon', unmatched: 'refused' } as const

/** A statement of the bank against the payments: what is certain is matched, what is likely is asked. */
export function MatchingTab() {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run, isRunning, error } = useAction('matchStatementLines')
  const [lines, setLines] = useState<StatementLine[]>()
  const [outcomes, setOutcomes] = useState<Line[]>([])

  const read = async (file: File | null) =>
    setLines(file ? readStatement(await file.text(), organization.currency) : undefined)
  const match = async () => {
    const found: Line[] = []
    for (let start = 0; start < lines!.length; start += mostAtOnce)
      found.push(...(await run({ lines: lines!.slice(start, start + mostAtOnce) })).lines)
    setOutcomes(found)
  }
  const decide = async (decision: InputOf<'matchStatementLines'>) => {
    const answer = await run(decision)
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
          accept=".csv,text/csv"
          onChange={(file) => void read(file)}
          clearable
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
          w="100%"
          maw="34rem"
        />
        <Button
          disabled={!lines?.length}
          loading={isRunning}
          onClick={() => void match().catch(() => undefined)}
        >
          {t('finance.match')}
        </Button>
      </Group>
      {lines && (
        <Text size="sm" c={lines.length === 0 ? 'red' : undefined}>
          {lines.length === 0
            ? t('finance.statementUnread')
            : t('finance.statementRead', { count: lines.length })}
        </Text>
      )}
      {error && <ErrorNotice error={error} />}
      {outcomes.length > 0 && (
        <ScrollSideways minWidth={640}>
          <Table fz="sm" verticalSpacing={3} aria-label={t('finance.matching')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('finance.valueDate')}</Table.Th>
                <Table.Th ta="right">{t('orders.amount')}</Table.Th>
                <Table.Th>{t('finance.reference')}</Table.Th>
                <Table.Th>{t('finance.state')}</Table.Th>
                <Table.Th>{t('finance.because')}</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {outcomes.map((line) => (
                <OutcomeRow
                  key={line.line_id}
                  line={line}
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

function OutcomeRow({
  line,
  onDecide,
}: {
  line: Line
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
