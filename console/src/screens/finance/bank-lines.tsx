import { Checkbox, Grid, Group, Pagination, Paper, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { EmptyState, ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, type Meaning, Money, StateBadge } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useTypedFilter } from '../../parts/use-list-address.ts'
import { useScreenKeys } from '../../parts/use-screen-keys.ts'
import { BankLinePanel } from './bank-line-panel.tsx'

export type BankLine = RowOf<'listBankLines'>
export type Proposal = DataOf<'listBankLines'>['proposals'][number]
export type RequestedOrder = DataOf<'listBankLines'>['requested'][number]

const pageSize = 50
const states = ['open', 'matched', 'booked', 'ignored', 'all'] as const
const meanings: Record<BankLine['state'], Meaning> = {
  open: 'refused',
  matched: 'received',
  booked: 'received',
  ignored: 'ended',
}

interface BankLinesProps {
  account: RowOf<'listBankAccounts'>
  statement_id: string | undefined
  address: ListAddress
}

/** The lines of an account or a statement, and beside them the chosen line. */
export function BankLines({ account, statement_id, address }: BankLinesProps) {
  const { t } = useTranslation()
  const { account_id } = account
  const [typed, type] = useTypedFilter(address, 'q')
  const state = states.find((each) => each === address.search.state) ?? 'open'
  const { data, error, isPlaceholderData } = useCall(
    'listBankLines',
    {
      ...{ account_id, statement_id, with_proposals: true, page: address.page, page_size: pageSize },
      ...(state !== 'all' && { state }),
      ...searchOf(address.search.q),
    },
    { keepsPrevious: true },
  )
  const lines = data?.list ?? []
  const [joined, setJoined] = useState<string[]>([])
  const chosen = lines.find(({ line_id }) => line_id === address.search.line) ?? lines[0]
  const select = (line: BankLine | undefined) => {
    setJoined([])
    if (line) address.setFilters({ ...address.search, line: line.line_id }, 'replace')
  }
  const step = (by: number) => select(lines[(chosen ? lines.indexOf(chosen) : -1) + by])
  useScreenKeys([
    ['ArrowDown', () => step(1)],
    ['ArrowUp', () => step(-1)],
  ])
  const proposalOf = ({ line_id }: BankLine) => data?.proposals.find((each) => each.line_id === line_id)
  const together = chosen ? lines.filter((line) => line === chosen || joined.includes(line.line_id)) : []
  const columns: Column<BankLine>[] = [
    {
      ...{ id: 'join', title: '', width: '28px' },
      cell: (line) =>
        line.state === 'open' &&
        line !== chosen && (
          <Checkbox
            size="xs"
            aria-label={t('bank.joinLine', { line: textOf(line) })}
            checked={joined.includes(line.line_id)}
            onChange={({ currentTarget: { checked } }) =>
              setJoined((before) =>
                checked ? [...before, line.line_id] : before.filter((id) => id !== line.line_id),
              )
            }
          />
        ),
    },
    {
      ...{ id: 'date', title: t('finance.valueDate') },
      cell: (line) => (
        <>
          <Day at={line.value_date} />
          {line.state === 'open' && line.age > 0 && (
            <Hint fz="xs">{t('bank.ageDays', { count: line.age })}</Hint>
          )}
        </>
      ),
    },
    {
      ...{ id: 'text', title: t('bank.payerAndText'), card: 'title' },
      cell: (line) => (
        <>
          {line.payer && <b>{line.payer}</b>} {textOf(line)}
        </>
      ),
    },
    moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency], { card: 'value' }),
    {
      ...{ id: 'state', title: t('fields.status'), card: 'value' },
      cell: (line) =>
        line.state === 'open' && proposalOf(line) ? (
          <StateBadge meaning="soon" label={t('finance.proposed')} />
        ) : (
          <StateBadge meaning={meanings[line.state]} label={t(`bank.state_${line.state}`)} />
        ),
    },
  ]
  const pages = Math.ceil((data?.total ?? 0) / pageSize)
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          styles={{ label: { textTransform: 'capitalize' } }}
          value={state}
          onChange={(next) =>
            address.setFilters({ state: next === 'open' ? undefined : next, line: undefined })
          }
          data={states.map((value) => ({ value, label: t(`bank.state_${value}`) }))}
        />
        <TextInput
          aria-label={t('bank.searchLines')}
          placeholder={t('bank.searchLines')}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          w="100%"
          maw="20rem"
        />
        {data && (
          <Hint data-stale={isPlaceholderData || undefined}>
            {t('bank.lineCount', { count: data.total })} ·{' '}
            <Money amount={data.price} currency={account.currency} />
          </Hint>
        )}
      </Group>
      {error && <ErrorNotice error={error} />}
      {data && lines.length === 0 && (
        <EmptyState text={t(state === 'open' ? 'bank.nothingOpen' : 'bank.noLines')} icon="finance" />
      )}
      {lines.length > 0 && (
        <Renewing isStale={isPlaceholderData}>
          <Grid gap="sm">
            <Grid.Col span={{ base: 12, md: 7 }}>
              <PlainTable
                label={t('bank.lines')}
                columns={columns}
                rows={lines}
                rowId={({ line_id }) => line_id}
                onOpen={select}
                openId={chosen?.line_id}
                isFixed
                minWidth={480}
              />
              {pages > 1 && (
                <Pagination
                  mt="sm"
                  size="sm"
                  total={pages}
                  value={address.page + 1}
                  onChange={(page) => address.setPage(page - 1)}
                  getItemProps={(item) => ({ 'aria-label': String(item) })}
                  getControlProps={(control) => ({
                    'aria-label': t(control === 'next' ? 'common.next' : 'common.previous'),
                  })}
                  aria-label={t('table.pages')}
                />
              )}
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              {chosen && (
                <Paper withBorder p="sm">
                  <BankLinePanel
                    key={together.map(({ line_id }) => line_id).join()}
                    lines={together}
                    proposal={together.length === 1 ? proposalOf(chosen) : undefined}
                    requested={data?.requested.filter(({ line_id }) => line_id === chosen.line_id) ?? []}
                  />
                </Paper>
              )}
            </Grid.Col>
          </Grid>
        </Renewing>
      )}
    </Stack>
  )
}

/** The most informative text of a line. */
export function textOf({ description, reference, charge_id }: BankLine): string {
  return description ?? reference ?? charge_id ?? ''
}

/** An amount is searched as an amount, other words in the texts. */
function searchOf(q: string | undefined): Pick<InputOf<'listBankLines'>, 'search'> {
  return q ? { search: q } : {}
}
