import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { type DataOf, useCall } from '../../calls/call.ts'
import { useErrorText } from '../../parts/error-notice.tsx'
import { contactAddress, useRevealed } from '../people/use-revealed.ts'

type Today = DataOf<'fetchToday'>

// Loaded when a dialog opens: Today is the first screen, and its size is limited.
const LogDialog = lazy(async () => ({ default: (await import('./log-dialog.tsx')).LogDialog }))
const RequestDialog = lazy(async () => ({
  default: (await import('../orders/payment-requests.tsx')).RequestDialog,
}))
const DecideRequestDialog = lazy(async () => ({
  default: (await import('../finance/decide-request-dialog.tsx')).DecideRequestDialog,
}))
const AllocateDialog = lazy(async () => ({
  default: (await import('../finance/allocate-dialog.tsx')).AllocateDialog,
}))

/** Calls a person, or logs a follow-up. */
export function CallActions({
  user_id,
  name,
  mobile,
  done,
}: {
  user_id: string
  name: string
  mobile: string
  done(): void
}) {
  const { t } = useTranslation()
  const { can } = useSession()
  const errorText = useErrorText()
  const revealed = useRevealed(user_id)
  const [isLogging, setLogging] = useState(false)
  const number = revealed.shown.mobile
  if (!can('write')) return null
  return (
    <>
      {mobile && number === undefined && (
        <Button
          size="compact-sm"
          title={revealed.error === undefined ? undefined : errorText(revealed.error)}
          disabled={revealed.error !== undefined}
          onClick={() => void revealed.reveal('mobile')}
        >
          {t('record.call')}
        </Button>
      )}
      {number !== undefined && (
        <Button size="compact-sm" component="a" href={contactAddress('mobile', number)}>
          {number}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => setLogging(true)}>
        {t('today.log')}
      </Button>
      {isLogging && (
        <Suspense>
          <LogDialog {...{ user_id, name, done }} onClose={() => setLogging(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Asks for the payment of an instalment. */
export function RemindAction({ order_id, done }: { order_id: string; done(): void }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [isMade, setMade] = useState(false)
  const { data: order } = useCall('fetchOrder', { order_id }, { enabled: isAsking })
  if (!can('write')) return null
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={isAsking && !order}
        onClick={() => setAsking(true)}
      >
        {t('today.remind')}
      </Button>
      {isAsking && order && (
        <Suspense>
          <RequestDialog
            order={order}
            onMade={() => setMade(true)}
            onClose={() => {
              setAsking(false)
              if (isMade) done()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Approves or declines a request of another person. */
export function DecideActions({
  request,
  done,
}: {
  request: Today['approvals']['list'][number]
  done(): void
}) {
  const { t } = useTranslation()
  const [decision, setDecision] = useState<'approve' | 'decline'>()
  return (
    <>
      {(['approve', 'decline'] as const).map((each) => (
        <Button
          key={each}
          size="compact-sm"
          variant={each === 'approve' ? 'filled' : 'default'}
          onClick={() => setDecision(each)}
        >
          {t(`approvals.${each}`)}
        </Button>
      ))}
      {decision && (
        <Suspense>
          <DecideRequestDialog
            request={request}
            decision={decision}
            onDecided={done}
            onClose={() => setDecision(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Allocates a payment to an order. */
export function AllocateAction({
  payment,
  done,
}: {
  payment: Today['unapplied']['list'][number]
  done(): void
}) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t('orders.apply')}
      </Button>
      {isOpen && (
        <Suspense>
          <AllocateDialog payment={payment} onAllocated={done} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Leads to the screen where the task is done. */
export function GoAction({ label, to, search }: { label: string; to: string; search?: Search }) {
  return (
    <Button size="compact-sm" variant="default" component={Link} to={to} search={search as never}>
      {label}
    </Button>
  )
}
