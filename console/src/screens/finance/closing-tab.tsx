import { Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, useAction, useCall } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { Day, Instant, Money } from '../../parts/instant.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useDryRun } from '../orders/use-dry-run.ts'

/** The closed periods, and the button that closes another. */
export function ClosingTab() {
  const { t } = useTranslation()
  const [isClosing, setClosing] = useState(false)
  const { data, error } = useCall('listClosings', { page_size: 100 })
  const add = <AddButton label={t('finance.closeMonth')} onClick={() => setClosing(true)} />
  return (
    <Stack gap="md" align="flex-start">
      {add}
      {error && <ErrorNotice error={error} />}
      {data?.total === 0 && <EmptyState text={t('finance.noClosings')} icon="finance" />}
      {data?.list.map((closing) => (
        <section key={closing.until}>
          <Title order={3}>
            {t('finance.period')} <Day at={closing.until} />
          </Title>
          <Text size="xs" c="dimmed">
            {t('finance.closedAt')} <Instant at={closing.closed_at} />
          </Text>
          <Figures closing={closing} label={t('finance.closing')} />
        </section>
      ))}
      {isClosing && <CloseDialog onClose={() => setClosing(false)} />}
    </Stack>
  )
}

const figures = ['received', 'voided', 'refunded', 'held', 'outstanding', 'overdue'] as const

/** The figures of a closing by currency. */
function Figures({ closing, label }: { closing: Pick<DataOf<'closePeriod'>, 'currencies'>; label: string }) {
  const { t } = useTranslation()
  return (
    <PlainTable
      label={label}
      columns={[
        { id: 'currency', title: '', cell: ({ currency }) => currency },
        ...figures.map((name) => ({
          id: name,
          title: t(`finance.${name}`),
          isNumber: true,
          cell: (row: (typeof closing.currencies)[number]) => (
            <Money amount={{ ...row.closing, ...row }[name]} currency={row.currency} isZeroDimmed />
          ),
        })),
      ]}
      rows={closing.currencies}
      rowId={({ currency }) => currency}
      minWidth={560}
    />
  )
}

/** Shows the figures first, because a closing is permanent. */
function CloseDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('closePeriod')
  const [until, setUntil] = useState('')
  const { preview, error, isReady } = useDryRun('closePeriod', until === '' ? undefined : { until })
  return (
    <PreviewDialog
      title={t('finance.closeMonth')}
      isDestructive
      isIncomplete={!isReady}
      size="xl"
      onClose={onClose}
      act={async () => {
        await run({ until })
        return { said: t('finance.closeDone', { day: until }) }
      }}
    >
      <TextInput
        label={t('finance.closeUntil')}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        required
        data-autofocus
      />
      {error && <ErrorNotice error={error} />}
      {until && !error && !preview && <Skeleton height={80} />}
      {isReady && preview && (
        <>
          <Text size="sm">{t('finance.closeEffect', { day: until })}</Text>
          {preview.currencies.length === 0 ? (
            <Text size="sm">{t('finance.closeNothing')}</Text>
          ) : (
            <Figures closing={preview} label={t('orders.preview')} />
          )}
        </>
      )}
    </PreviewDialog>
  )
}
