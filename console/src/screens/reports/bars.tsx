import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { useLanguage } from '../../languages/language.ts'
import { formatMoney, shortMoney } from '../../parts/format-money.ts'

interface BarsProps {
  label: string
  data: Record<string, string | number>[]
  series: { name: string; label: string; color: string }[]
  /** Absent for counts; amounts are in minor units. */
  currency?: string
}

/** A bar chart. The table below has the same figures. */
export function Bars({ label, data, series, currency }: BarsProps) {
  const language = useLanguage()
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={240}
        data={data}
        dataKey="key"
        series={series}
        valueFormatter={currency ? (value) => formatMoney(Math.round(value), currency, language) : undefined}
        withLegend={series.length > 1}
        // Keeps the order of the table's columns.
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
