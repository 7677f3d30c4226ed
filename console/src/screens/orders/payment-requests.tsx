import {
  Button,
  CopyButton,
  Group,
  Modal,
  NumberInput,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, Instant, StateBadge } from '../../parts/instant.tsx'
import { MailState } from '../../parts/mail-state.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'

type Order = DataOf<'fetchOrder'>
type Request = RowOf<'listPaymentRequests'>

const meanings = {
  open: 'action',
  part_paid: 'soon',
  paid: 'received',
  expired: 'ended',
  revoked: 'ended',
} as const

/** The payment requests of an order, and the button that makes one. */
export function PaymentRequests({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useCall('listPaymentRequests', { order_id: order.entity_id, page_size: 100 })
  const canAsk = can('write') && order.unpaid_price > 0 && order.status !== 'locked'
  return (
    <Stack gap="xs" align="flex-start">
      {error && <ErrorNotice error={error} />}
      {data && data.list.length > 0 ? (
        <PlainTable
          label={t('paymentRequests.title')}
          rows={data.list}
          rowId={({ payment_request_id }) => payment_request_id}
          columns={[
            { id: 'made', title: t('paymentRequests.made'), cell: ({ ctime }) => <Instant at={ctime} /> },
            moneyColumn('price', t('fields.amount'), ({ price, currency }: Request) => [price, currency]),
            {
              id: 'state',
              title: t('fields.status'),
              cell: ({ state, payment_request_id }) => (
                <>
                  <StateBadge meaning={meanings[state]} label={t(`paymentRequests.states.${state}`)} />
                  <MailState recordId={payment_request_id} />
                </>
              ),
            },
            {
              id: 'opened',
              title: t('paymentRequests.opened'),
              cell: ({ opened }) => opened && <Instant at={opened} />,
            },
            {
              id: 'expires',
              title: t('paymentRequests.expires'),
              cell: ({ expires }) => <Day at={expires} />,
            },
            { id: 'reference', title: t('paymentRequests.reference'), cell: ({ reference }) => reference },
            {
              id: 'actions',
              title: '',
              cell: (request) =>
                can('write') && ['open', 'part_paid'].includes(request.state) && <Revoke request={request} />,
            },
          ]}
        />
      ) : (
        <Hint>{t('paymentRequests.none')}</Hint>
      )}
      {canAsk && (
        <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
          {t('paymentRequests.ask')}
        </Button>
      )}
      {isAsking && <RequestDialog order={order} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function Revoke({ request: { payment_request_id } }: { request: Request }) {
  const { t } = useTranslation()
  const { run, isRunning } = useAction('revokePaymentRequest')
  const revoke = async () => {
    const done = await run({ payment_request_id }).catch(() => undefined)
    if (done) sayDone({ said: t('paymentRequests.revoked') })
  }
  return (
    <Button size="compact-xs" variant="subtle" color="red" loading={isRunning} onClick={() => void revoke()}>
      {t('paymentRequests.revoke')}
    </Button>
  )
}

/** Asks for amount, note and expiry, then shows the text to send. */
interface RequestDialogProps {
  order: Order
  onClose(): void
  onMade?(): void
}

export function RequestDialog({ order, onClose, onMade }: RequestDialogProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  const { run, isRunning, error } = useAction('requestPayment')
  const next = order.sub_orders.find(({ unpaid_price }) => unpaid_price > 0)
  const [price, setPrice] = useState<number | undefined>(next?.unpaid_price)
  const [days, setDays] = useState(14)
  const [note, setNote] = useState('')
  const [made, setMade] = useState<DataOf<'requestPayment'>>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const input = {
      order_id: order.entity_id,
      price: price ?? 0,
      days,
      ...(note.trim() !== '' && { note: note.trim() }),
    }
    const request = await run(input).catch(() => undefined)
    setMade(request)
    if (request) onMade?.()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('paymentRequests.ask')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {made ? (
        <TextToSend request={made} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Hint>{t('paymentRequests.hint')}</Hint>
            <MoneyInput
              label={t('fields.amount')}
              currency={order.currency}
              value={price}
              onChange={setPrice}
              required
            />
            <Textarea
              label={t('paymentRequests.note')}
              value={note}
              maxLength={200}
              onChange={(event) => setNote(event.currentTarget.value)}
              autosize
            />
            <NumberInput
              label={t('paymentRequests.days')}
              value={days}
              onChange={(value) => setDays(Number(value) || 14)}
              min={1}
              max={90}
              allowDecimal={false}
              allowNegative={false}
            />
            {error && <ErrorNotice error={error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={isRunning} disabled={price === undefined || price < 1}>
                {t('paymentRequests.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

/** The payer may read another language than the member of staff. */
function TextToSend({ request }: { request: DataOf<'requestPayment'> }) {
  const { path, url, messages } = request
  const { t, i18n } = useTranslation()
  const [language, setLanguage] = useState<'en' | 'zh'>(i18n.language.startsWith('zh') ? 'zh' : 'en')
  const link = url || `${location.origin}${path}`
  const text = messages[language].replace('{link}', link)
  return (
    <Stack>
      <Hint>{t('paymentRequests.sendHint')}</Hint>
      <SegmentedControl
        aria-label={t('paymentRequests.language')}
        value={language}
        onChange={(value) => setLanguage(value as 'en' | 'zh')}
        data={[
          { value: 'en', label: t('paymentRequests.english') },
          { value: 'zh', label: t('paymentRequests.chinese') },
        ]}
      />
      <Textarea label={t('paymentRequests.text')} value={text} readOnly autosize />
      <Group>
        <Copied value={text} label={t('paymentRequests.copyText')} />
        <Copied value={link} label={t('paymentRequests.copyLink')} />
      </Group>
      <MailToPayer key={language} request={request} language={language} />
    </Stack>
  )
}

interface MailToPayerProps {
  request: DataOf<'requestPayment'>
  language: 'en' | 'zh'
}

/** Shows the mail to the person of the order, then sends it. */
function MailToPayer({ request: { payment_request_id, path }, language }: MailToPayerProps) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('mailPaymentRequest')
  const [mail, setMail] = useState<DataOf<'mailPaymentRequest'>>()
  const input = { payment_request_id, token: path.split('/').at(-1) ?? '', language }
  const preview = async () => setMail(await run({ ...input, dry_run: true }).catch(() => undefined))
  const send = async () => setMail((await run(input).catch(() => undefined)) ?? mail)
  if (mail && mail.mail !== 'none')
    return <Hint>{t(mail.mail === 'sent' ? 'paymentRequests.mailSent' : 'paymentRequests.mailQueued')}</Hint>
  return (
    <>
      {mail && (
        <>
          <Hint>{t('paymentRequests.mailTo', { to: mail.to })}</Hint>
          <TextInput label={t('paymentRequests.mailSubject')} value={mail.subject} readOnly />
          <Textarea label={t('paymentRequests.mailText')} value={mail.text} readOnly autosize maxRows={12} />
        </>
      )}
      {error && <ErrorNotice error={error} />}
      <Group>
        <Button
          variant={mail ? 'filled' : 'default'}
          loading={isRunning}
          onClick={() => void (mail ? send() : preview())}
        >
          {t(mail ? 'paymentRequests.sendMail' : 'paymentRequests.previewMail')}
        </Button>
      </Group>
    </>
  )
}

function Copied({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation()
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? t('common.copied') : label}
        </Button>
      )}
    </CopyButton>
  )
}
