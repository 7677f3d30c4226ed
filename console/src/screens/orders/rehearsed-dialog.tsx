import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf, InputOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { OrderPreviews } from './order-previews.tsx'
import { type RehearsedId, useDryRun } from './use-dry-run.ts'

interface RehearsedDialogProps<Id extends RehearsedId> {
  operation: Id
  title: string
  /** Where it depends on what would happen, a function of that. */
  confirmLabel: string | ((preview: DataOf<Id> | undefined) => string)
  /** Undefined while something is missing. */
  input: InputOf<Id> | undefined
  isGrave?: boolean
  /** What was done, in a sentence. */
  said(done: DataOf<Id>): string
  onClose(): void
  onDone?(done: DataOf<Id>): void
  /** What else the preview has to say. */
  note?(preview: DataOf<Id>): ReactNode
  children?: ReactNode
}

/** An action on money: its fields, what it would do with what stands in them, and the button that does it. */
export function RehearsedDialog<Id extends RehearsedId>(props: RehearsedDialogProps<Id>) {
  const { operation, input, said, onDone, note, confirmLabel } = props
  const { t } = useTranslation()
  const { run } = useAction(operation)
  const { preview, error, isReady } = useDryRun(operation, input)
  const act = async () => {
    const done = await run(input!)
    onDone?.(done)
    return { said: said(done) }
  }
  const { orders } = (preview ?? {}) as { orders?: Parameters<typeof OrderPreviews>[0]['orders'] }
  return (
    <PreviewDialog
      title={props.title}
      confirmLabel={typeof confirmLabel === 'string' ? confirmLabel : confirmLabel(preview)}
      isIncomplete={!isReady}
      isGrave={props.isGrave}
      onClose={props.onClose}
      act={act}
      size="lg"
    >
      {props.children}
      {error && <ErrorNotice error={error} />}
      {input === undefined && (
        <Text size="sm" c="dimmed">
          {t('orders.previewHint')}
        </Text>
      )}
      {input !== undefined && !error && !orders && <Skeleton height={80} />}
      {!error && preview && note?.(preview)}
      {!error && orders && <OrderPreviews orders={orders} />}
    </PreviewDialog>
  )
}
