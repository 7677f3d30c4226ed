import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { Instant, Money, useMethodName } from '../../parts/instant.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { dayColumn, moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'

type Takings = DataOf<'fetchTakings'>
type Taking = Takings['takings'][number]
type CashUp = RowOf<'listCashUps'>

/** The takings of a clerk on a day, their count, and the earlier cash-ups. */
export function CashUpPanel() {
  const { t } = useTranslation()
  const { staff, can } = useSession()
  const { options } = useAdvisers()
  const [clerk_id, setClerk] = useState(staff.staff_id)
  const [day, setDay] = useState('')
  const { data, error } = useCall('fetchTakings', { clerk_id, ...(day && { day }) })
  const clerks = [
    { value: staff.staff_id, label: staff.name },
    ...options.filter(({ value }) => value !== staff.staff_id),
  ]
  return (
    <Stack gap="md">
      <Group align="flex-end">
        {can('finance') && (
          <Select
            label={t('cashUp.clerk')}
            data={clerks}
            value={clerk_id}
            onChange={(value) => setClerk(value ?? staff.staff_id)}
            allowDeselect={false}
            searchable
          />
        )}
        <DateField
          leaning="earlier"
          label={t('cashUp.day')}
          value={day || (data?.day ?? '')}
          onChange={setDay}
        />
      </Group>
      {error && <ErrorNotice error={error} />}
      {data && <Count key={`${data.clerk_id} ${data.day} ${data.cash_up?.entry}`} takings={data} />}
      <History clerk_id={can('finance') ? undefined : clerk_id} />
    </Stack>
  )
}

const keyOf = ({ method, currency }: { method: string; currency: string }) => `${currency} ${method}`

/** Counts each method. A difference asks for its reason; a correction asks why the entry before it was wrong. */
function Count({ takings: { clerk_id, day, takings, cash_up } }: { takings: Takings }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const { run, isRunning, error } = useAction('createCashUp')
  const [counted, setCounted] = useState<Record<string, number | undefined>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [reason, setReason] = useState('')
  if (takings.length === 0 && !cash_up) return <EmptyState text={t('cashUp.nothing')} icon="finance" />
  const differenceOf = (line: Taking) => {
    const amount = counted[keyOf(line)]
    return amount === undefined ? undefined : amount - line.expected_price
  }
  const isWhole =
    takings.every((line) => {
      const difference = differenceOf(line)
      return difference === 0 || (difference !== undefined && reasons[keyOf(line)]?.trim())
    }) &&
    (!cash_up || reason.trim() !== '')
  const save = async () => {
    const lines = takings.map((line) => ({
      ...{ method: line.method, currency: line.currency as 'CNY', counted_price: counted[keyOf(line)]! },
      ...(differenceOf(line) !== 0 && { reason: reasons[keyOf(line)]!.trim() }),
    }))
    const correction = cash_up && { corrects: cash_up.cash_up_id, reason: reason.trim() }
    await run({ clerk_id, day, lines, ...correction })
    sayDone({ said: t('cashUp.done', { day }) })
  }
  return (
    <Stack gap="sm" align="flex-start">
      {cash_up && (
        <Text size="sm">
          {t('cashUp.already')} <Instant at={cash_up.at} />
        </Text>
      )}
      <PlainTable
        label={t('cashUp.takings')}
        columns={[
          {
            id: 'method',
            title: t('fields.method'),
            cell: ({ method }) => methodName(method) || t('cashUp.noMethod'),
          },
          { id: 'payments', title: t('finance.payments'), isNumber: true, cell: ({ payments }) => payments },
          moneyColumn<Taking>('taken', t('cashUp.taken'), (row) => [row.taken_price, row.currency]),
          moneyColumn<Taking>('returned', t('cashUp.returned'), (row) => [row.returned_price, row.currency]),
          moneyColumn<Taking>('expected', t('cashUp.expected'), (row) => [row.expected_price, row.currency]),
          {
            id: 'counted',
            title: t('cashUp.counted'),
            width: '10rem',
            cell: (row) => (
              <MoneyInput
                label={t('cashUp.countedOf', { method: methodName(row.method) || t('cashUp.noMethod') })}
                hidesLabel
                currency={row.currency}
                value={counted[keyOf(row)]}
                onChange={(amount) => setCounted((before) => ({ ...before, [keyOf(row)]: amount }))}
              />
            ),
          },
          {
            id: 'difference',
            title: t('cashUp.difference'),
            isNumber: true,
            cell: (row) => {
              const difference = differenceOf(row)
              return (
                difference !== undefined && <Money amount={difference} currency={row.currency} isZeroDash />
              )
            },
          },
          {
            id: 'reason',
            title: t('fields.reason'),
            width: '14rem',
            cell: (row) =>
              !!differenceOf(row) && (
                <TextInput
                  aria-label={t('fields.reason')}
                  value={reasons[keyOf(row)] ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setReasons((before) => ({ ...before, [keyOf(row)]: value }))
                  }
                  required
                />
              ),
          },
        ]}
        rows={takings}
        rowId={keyOf}
        isFixed
        minWidth={900}
      />
      {cash_up && (
        <TextInput
          label={t('cashUp.correctionReason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          w="24rem"
          maw="100%"
        />
      )}
      {error && <ErrorNotice error={error} />}
      <Button disabled={!isWhole} loading={isRunning} onClick={() => void save().catch(() => undefined)}>
        {t(cash_up ? 'cashUp.correct' : 'cashUp.save')}
      </Button>
    </Stack>
  )
}

/** Earlier cash-ups, one row per method. */
function History({ clerk_id }: { clerk_id: string | undefined }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const { data, error } = useCall('listCashUps', { clerk_id, page_size: 50 })
  const rows = (data?.list ?? []).flatMap((cashUp) => cashUp.lines.map((line) => ({ ...cashUp, line })))
  type Row = CashUp & { line: CashUp['lines'][number] }
  return (
    <section>
      <Title order={2} size="h4">
        {t('cashUp.history')}
      </Title>
      {error && <ErrorNotice error={error} />}
      {data && rows.length === 0 && <EmptyState text={t('cashUp.none')} icon="finance" />}
      {rows.length > 0 && (
        <PlainTable
          label={t('cashUp.history')}
          columns={[
            dayColumn<Row>('day', t('cashUp.day'), ({ day }) => day),
            { id: 'clerk', title: t('cashUp.clerk'), cell: (row) => row.clerk_name || row.clerk_id },
            {
              id: 'entry',
              title: t('cashUp.entry'),
              cell: ({ entry, is_current }) => `${entry}${is_current ? '' : ` ${t('cashUp.corrected')}`}`,
            },
            {
              id: 'method',
              title: t('fields.method'),
              cell: ({ line }) => methodName(line.method) || t('cashUp.noMethod'),
            },
            moneyColumn<Row>('expected', t('cashUp.expected'), ({ line }) => [
              line.expected_price,
              line.currency,
            ]),
            moneyColumn<Row>('counted', t('cashUp.counted'), ({ line }) => [
              line.counted_price,
              line.currency,
            ]),
            moneyColumn<Row>('difference', t('cashUp.difference'), ({ line }) => [
              line.difference,
              line.currency,
            ]),
            { id: 'reason', title: t('fields.reason'), cell: ({ line, reason }) => line.reason || reason },
          ]}
          rows={rows}
          rowId={({ cash_up_id, line }) => `${cash_up_id} ${keyOf(line)}`}
          minWidth={820}
        />
      )}
    </section>
  )
}
