import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { CourseName, useCourseName } from '../../parts/coded-name.tsx'
import { EmptyState } from '../../parts/error-notice.tsx'
import { Money } from '../../parts/instant.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { FigureLink } from '../reports/rows-of-figure.tsx'

type Ageing = DataOf<'ageDebts'>
type Row = Ageing['list'][number]

export const spans = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const
export const spanWords = {
  not_due: 'finance.notDue',
  days_0_30: 'finance.days0',
  days_31_60: 'finance.days31',
  days_61_90: 'finance.days61',
  days_over_90: 'finance.days90',
} as const

/** Outstanding amounts by course, adviser, currency and age. Every figure opens its debts. */
export function AgeingTable({ ageing }: { ageing: Ageing }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const courseName = useCourseName()
  const { as_of, totals, list } = ageing
  if (totals.length === 0) return <EmptyState text={t('finance.nothingOutstanding')} icon="finance" />
  const figure = (amount: number, currency: string, asked: Record<string, string>, isBold = false) =>
    amount === 0 ? (
      <Money amount={0} currency={currency} isZeroDash />
    ) : (
      <FigureLink search={{ tab: 'ageing', figure: 'ageing', as_of, currency, ...asked }}>
        <Money amount={amount} currency={currency} isBold={isBold} />
      </FigureLink>
    )
  const columns: Column<Row>[] = [
    {
      id: 'course',
      title: t('fields.course'),
      cell: ({ course_code }) => (course_code ? <CourseName code={course_code} /> : t('reports.unnamed')),
      value: ({ course_code }) => courseName(course_code),
    },
    {
      id: 'adviser',
      title: t('fields.adviser'),
      cell: ({ owner }) => (owner ? nameOf(owner) : t('reports.unnamed')),
    },
    { id: 'orders', title: t('finance.orders'), isNumber: true, cell: ({ orders }) => orders },
    {
      id: 'outstanding',
      title: t('finance.outstanding'),
      isNumber: true,
      card: 'value',
      value: (row) => [row.currency, row.outstanding],
      cell: (row) => figure(row.outstanding, row.currency, askedOf(row)),
    },
    ...spans.map((span) => ({
      id: span,
      title: t(spanWords[span]),
      isNumber: true,
      value: (row: Row) => [row.currency, row[span]],
      cell: (row: Row) => figure(row[span], row.currency, { ...askedOf(row), span }),
    })),
  ]
  return (
    <PlainTable
      label={t('finance.ageing')}
      columns={columns}
      rows={list}
      rowId={(row) => `${row.course_code} ${row.owner} ${row.currency}`}
      minWidth={760}
      keepsLines
      foot={totals.map((total) => ({
        id: total.currency,
        label: t('finance.totalOf', { currency: total.currency }),
        cells: {
          orders: total.orders,
          outstanding: figure(total.outstanding, total.currency, {}, true),
          ...Object.fromEntries(
            spans.map((span) => [span, figure(total[span], total.currency, { span }, true)]),
          ),
        },
      }))}
    />
  )
}

/** The filters of a row; `unnamed` means a missing course or adviser. */
function askedOf({ course_code, owner }: Row): Record<string, string> {
  const unnamed = course_code === '' ? (owner === '' ? 'both' : 'course') : owner === '' ? 'owner' : undefined
  return {
    ...(course_code !== '' && { course_code }),
    ...(owner !== '' && { owner }),
    ...(unnamed && { unnamed }),
  }
}
