import { Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, useAction } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { OrderPreviews } from './order-previews.tsx'
import { type DryRunId, useDryRun } from './use-dry-run.ts'

interface DryRunDialogProps<Id extends DryRunId> {
  operation: Id
  /** Also the label of the button, unless `confirmLabel` names another. */
  title: string
  confirmLabel?(preview: DataOf<Id> | undefined): string
  /** Undefined while a field is missing. */
  input: InputOf<Id> | undefined
  isDestructive?: boolean
  /** A sentence that reports what was done. */
  said(done: DataOf<Id>): string
  onClose(): void
  onDone?(done: DataOf<Id>): void
  /** Shown above the preview. */
  note?(preview: DataOf<Id>): ReactNode
  children?: ReactNode
}

/** Whether the action needs a second approver. */
const isWaiting = (done: object | undefined) =>
  done !== undefined && 'state' in done && done.state === 'waiting'

/** An action on money: its fields, a preview from a dry run, and the button that runs it. It says if it needs approval. */
export function DryRunDialog<Id extends DryRunId>(props: DryRunDialogProps<Id>) {
  const { operation, input, said, onDone, note, confirmLabel } = props
  const { t } = useTranslation()
  const { run } = useAction(operation)
  const { preview, error, isReady } = useDryRun(operation, input)
  const act = async () => {
    const done = await run(input!)
    onDone?.(done)
    return { said: isWaiting(done) ? t('approvals.waits') : said(done) }
  }
  // The effect of earlier input, until that of the present one is known.
  const isStale = preview !== undefined && !isReady && !error
  const { orders } = (preview ?? {}) as { orders?: Parameters<typeof OrderPreviews>[0]['orders'] }
  return (
    <PreviewDialog
      title={props.title}
      confirmLabel={isWaiting(preview) ? t('approvals.requestApproval') : confirmLabel?.(preview)}
      isIncomplete={!isReady}
      isDestructive={props.isDestructive}
      onClose={props.onClose}
      act={act}
      size="lg"
    >
      {props.children}
      {/* The effect changes while a field is being filled in: it is read out without leaving the field. */}
      <Stack aria-live="polite" aria-busy={isStale} data-stale={isStale || undefined}>
        {error && <ErrorNotice error={error} />}
        {input === undefined && <Hint>{t('orders.previewHint')}</Hint>}
        {input !== undefined && !error && !orders && <Skeleton height={80} />}
        {!error && isWaiting(preview) && <Text size="sm">{t('approvals.needsSecond')}</Text>}
        {!error && preview && note?.(preview)}
        {!error && orders && <OrderPreviews orders={orders} />}
      </Stack>
    </PreviewDialog>
  )
}
