import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../languages/language.ts'
import { formatMoney, shortMoney } from '../../parts/format-money.ts'

interface BarsProps {
  label: string
  data: Record<string, string | number>[]
  series: { name: string; label: string; color: string }[]
  /** Of amounts in minor units; counts have none. */
  currency?: string
}

/** Bars by key. The table beside it has the same figures, so that nobody has to read them here. */
export function Bars({ label, data, series, currency }: BarsProps) {
  const language = useTranslation().i18n.language as Language
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={240}
        data={data}
        dataKey="key"
        series={series}
        valueFormatter={currency ? (value) => formatMoney(Math.round(value), currency, language) : undefined}
        withLegend={series.length > 1}
        // In the order of the series, which is that of the table.
        legendProps={{ itemSorter: null }}
        tickLine="y"
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        yAxisProps={{
          ...{ width: 70, allowDecimals: false },
          ...(currency && { tickFormatter: (value: number) => shortMoney(value, currency, language) }),
        }}
      />
    </div>
  )
}
