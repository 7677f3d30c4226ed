import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { type DataOf, useCall } from '../../calls/call.ts'
import { useErrorText } from '../../parts/error-notice.tsx'
import { AllocateDialog } from '../finance/allocate-dialog.tsx'
import { DecideRequestDialog } from '../finance/decide-request-dialog.tsx'
import { RequestDialog } from '../orders/payment-requests.tsx'
import { contactAddress, useRevealed } from '../people/person-contacts.tsx'
import { FollowUpForm } from '../people/person-timeline.tsx'

type Today = DataOf<'fetchToday'>

/** Calls a person, or logs what was said. */
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
  const { can, organization } = useSession()
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
        <Modal
          opened
          onClose={() => setLogging(false)}
          title={t('today.logFor', { name })}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          <FollowUpForm
            person={{ user_id, corp_id: organization.corp_id }}
            onAdded={() => {
              setLogging(false)
              done()
            }}
          />
        </Modal>
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
        <RequestDialog
          order={order}
          onMade={() => setMade(true)}
          onClose={() => {
            setAsking(false)
            if (isMade) done()
          }}
        />
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
        <DecideRequestDialog
          request={request}
          decision={decision}
          onDecided={done}
          onClose={() => setDecision(undefined)}
        />
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
      {isOpen && <AllocateDialog payment={payment} onAllocated={done} onClose={() => setOpen(false)} />}
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
