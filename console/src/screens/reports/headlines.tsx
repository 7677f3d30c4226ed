import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { locales, useLanguage } from '../../languages/language.ts'

export interface Headline {
  label: string
  value: ReactNode
  now: number
  /** The same figure one year earlier. */
  before: number
  /** The share of the step before it. */
  share?: { of: string; value: number }
  /** The figure over the period, oldest first. */
  course?: number[]
  /** Whether an increase is bad. */
  isCost?: boolean
}

/** The main figures: value, change against last year, share of the step before, trend. */
export function Headlines({ headlines }: { headlines: Headline[] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: headlines.length }} spacing="xs">
      {headlines.map((headline) => (
        <HeadlineCard key={headline.label} {...headline} />
      ))}
    </SimpleGrid>
  )
}

function HeadlineCard({ label, value, now, before, share, course, isCost }: Headline) {
  const { t } = useTranslation()
  const percent = usePercent()
  return (
    <Paper withBorder p="sm" radius="md" component="section" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        {course && course.length > 1 && <Sparkline values={course} />}
      </Group>
      <Group gap={6} align="baseline">
        <Text fz="1.375rem" fw={600} lh={1.3}>
          {value}
        </Text>
        <Change now={now} before={before} isCost={isCost} />
      </Group>
      {share && (
        <Text size="xs" c="dimmed">
          {t('reports.shareOf', { share: percent(share.value), step: share.of })}
        </Text>
      )}
    </Paper>
  )
}

function Change({ now, before, isCost = false }: Pick<Headline, 'now' | 'before' | 'isCost'>) {
  const { t } = useTranslation()
  const percent = usePercent()
  if (before === 0) return null
  const change = (now - before) / Math.abs(before)
  const text = `${change > 0 ? '+' : change < 0 ? '−' : '±'}${percent(Math.abs(change))}`
  const color = change === 0 ? 'dimmed' : change > 0 === isCost ? 'red' : 'green'
  return (
    <Text span size="xs" fw={600} c={color} title={t('reports.changeHint')}>
      {text}
    </Text>
  )
}

function usePercent(): (share: number) => string {
  const locale = locales[useLanguage()]
  return (share) =>
    new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
    }).format(share)
}

/** The course of a figure as a line; the table has its values. */
function Sparkline({ values }: { values: number[] }) {
  const most = Math.max(...values, 1)
  const points = values.map((value, n) => {
    const x = (n / (values.length - 1)) * 60
    return `${x.toFixed(1)},${(18 - (value / most) * 16).toFixed(1)}`
  })
  return (
    <svg width="60" height="20" viewBox="0 0 60 20" fill="none" aria-hidden>
      <polyline
        points={points.join(' ')}
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
