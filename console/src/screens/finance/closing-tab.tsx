import { Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day, Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { useDryRun } from '../orders/use-dry-run.ts'

/** The periods that are closed, and closing another. */
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

/** What a closing comes to, by currency. */
function Figures({ closing, label }: { closing: Pick<DataOf<'closePeriod'>, 'currencies'>; label: string }) {
  const { t } = useTranslation()
  return (
    <ScrollSideways minWidth={560}>
      <Table fz="sm" verticalSpacing={3} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            {(['received', 'voided', 'refunded', 'held', 'outstanding', 'overdue'] as const).map((name) => (
              <Table.Th key={name} ta="right">
                {t(`finance.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {closing.currencies.map(({ currency, received, voided, refunded, closing: end }) => (
            <Table.Tr key={currency}>
              <Table.Th scope="row">{currency}</Table.Th>
              {[received, voided, refunded, end.held, end.outstanding, end.overdue].map((amount, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are.
                <Table.Td key={index} ta="right">
                  <Money amount={amount} currency={currency} isZeroDimmed />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollSideways>
  )
}

/** A closing cannot be taken back, so its figures are shown before. */
function CloseDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('closePeriod')
  const [until, setUntil] = useState('')
  const { preview, error, isReady } = useDryRun('closePeriod', until === '' ? undefined : { until })
  return (
    <PreviewDialog
      title={t('finance.closeMonth')}
      confirmLabel={t('finance.closeMonth')}
      isGrave
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
