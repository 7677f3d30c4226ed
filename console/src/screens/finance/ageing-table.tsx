import { Anchor, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Money } from '../../parts/money.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'

type Ageing = DataOf<'ageDebts'>

export const spans = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const
export const spanWords = {
  not_due: 'finance.notDue',
  days_0_30: 'finance.days0',
  days_31_60: 'finance.days31',
  days_61_90: 'finance.days61',
  days_over_90: 'finance.days90',
} as const

/** What is owed by course, adviser and currency, by age. Every figure opens the debts that it is the sum of. */
export function AgeingTable({ ageing }: { ageing: Ageing }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const { as_of, totals, list } = ageing
  if (totals.length === 0) return <EmptyState text={t('finance.nothingOutstanding')} icon="finance" />
  const figure = (amount: number, currency: string, asked: Record<string, string>, isBold = false) =>
    amount === 0 ? (
      <Money amount={0} currency={currency} isZeroDimmed />
    ) : (
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link
            {...props}
            to="/reports"
            search={{ tab: 'ageing', figure: 'ageing', as_of, currency, ...asked } as never}
          />
        )}
      >
        <Money amount={amount} currency={currency} isBold={isBold} />
      </Anchor>
    )
  return (
    <ScrollSideways keepsLines minWidth={760}>
      <Table fz="sm" verticalSpacing={3} aria-label={t('finance.ageing')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('fields.course')}</Table.Th>
            <Table.Th>{t('fields.adviser')}</Table.Th>
            <Table.Th ta="right">{t('finance.orders')}</Table.Th>
            <Table.Th ta="right">{t('finance.outstanding')}</Table.Th>
            {spans.map((span) => (
              <Table.Th key={span} ta="right">
                {t(spanWords[span])}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row) => {
            const asked = askedOf(row)
            return (
              <Table.Tr key={`${row.course_code} ${row.owner} ${row.currency}`}>
                <Table.Td>{row.course_code || t('reports.unnamed')}</Table.Td>
                <Table.Td>{row.owner ? nameOf(row.owner) : t('reports.unnamed')}</Table.Td>
                <Table.Td ta="right">{row.orders}</Table.Td>
                <Table.Td ta="right">{figure(row.outstanding, row.currency, asked)}</Table.Td>
                {spans.map((span) => (
                  <Table.Td key={span} ta="right">
                    {figure(row[span], row.currency, { ...asked, span })}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
        <Table.Tfoot>
          {totals.map((total) => (
            <Table.Tr key={total.currency}>
              <Table.Th colSpan={2} scope="row">
                {t('finance.totalOf', { currency: total.currency })}
              </Table.Th>
              <Table.Td ta="right">{total.orders}</Table.Td>
              <Table.Td ta="right">{figure(total.outstanding, total.currency, {}, true)}</Table.Td>
              {spans.map((span) => (
                <Table.Td key={span} ta="right">
                  {figure(total[span], total.currency, { span }, true)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tfoot>
      </Table>
    </ScrollSideways>
  )
}

/** A course or an adviser that has no name is asked for as such. */
function askedOf({ course_code, owner }: Ageing['list'][number]): Record<string, string> {
  const unnamed = course_code === '' ? (owner === '' ? 'both' : 'course') : owner === '' ? 'owner' : undefined
  return {
    ...(course_code !== '' && { course_code }),
    ...(owner !== '' && { owner }),
    ...(unnamed && { unnamed }),
  }
}
