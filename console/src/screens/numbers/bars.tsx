import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

interface BarsProps {
  label: string
  data: Record<string, string | number>[]
  series: { name: string; label: string; color: string }[]
  format?(value: number): string
}

/** Bars by key. The table beside it has the same figures, so that nobody has to read them here. */
export function Bars({ label, data, series, format }: BarsProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={240}
        data={data}
        dataKey="key"
        series={series}
        valueFormatter={format}
        withLegend={series.length > 1}
        tickLine="y"
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        yAxisProps={{ width: 70, allowDecimals: false }}
      />
    </div>
  )
}
