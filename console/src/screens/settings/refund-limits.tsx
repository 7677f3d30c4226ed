import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, useAction, useCall } from '../../calls/call.ts'
import { inCurrency } from '../../parts/amount-text.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { perform, sayDone } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useStoredForm } from '../../parts/use-stored-form.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { useLimitsText } from './use-limits-text.ts'

type Limits = DataOf<'fetchRefundLimits'>['limits']
type Currency = Limits[number]['currency']
interface WantedLimit {
  currency: Currency
  /** Undefined while the text is no amount. */
  price: number | undefined
}

/** The limits above which a refund needs a second approver. */
export function RefundLimits() {
  const { data, error } = useCall('fetchRefundLimits', {})
  // A failed refetch must not discard input.
  if (!data) return error ? <ErrorNotice error={error} /> : <Waiting shape="form" />
  return <LimitsForm data={data} />
}

function LimitsForm({ data }: { data: DataOf<'fetchRefundLimits'> }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run, isRunning, error } = useAction('updateRefundLimits')
  const form = useStoredForm('fetchRefundLimits', data)
  const wanted: WantedLimit[] = form.wanted.limits
  const setWanted = (limits: WantedLimit[]) => form.edit({ limits: limits as Limits })
  const isWhole = wanted.every(({ price }) => price !== undefined && price >= 0)
  const change = (at: number, limit: WantedLimit) => setWanted(wanted.with(at, limit))
  const unnamed = currencies.filter((currency) => !wanted.some((each) => each.currency === currency))
  const add = () => {
    const own = organization.currency as Currency
    setWanted([...wanted, { currency: unnamed.includes(own) ? own : unnamed[0]!, price: undefined }])
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { limits } = form.wanted
    const saved = await run({ limits }).catch(() => undefined)
    if (!saved) return
    // A waiting change leaves the form: the stored limits stay in force.
    form.accept({ limits }, { ...data, limits: saved.limits })
    // No Undo: raising a limit again needs a second approver.
    sayDone({ said: t(saved.state === 'done' ? 'settings.saved' : 'settings.limitsWait') })
  }
  return (
    <form onSubmit={submit}>
      <Fieldset legend={t('settings.refundLimits')} maw="40rem">
        <Stack>
          <Hint>{t(wanted.length === 0 ? 'settings.noRefundLimits' : 'settings.refundLimitsHint')}</Hint>
          {wanted.map((limit, at) => (
            <Group key={limit.currency} align="flex-end" wrap="nowrap">
              <Select
                label={t('fields.currency')}
                data={[limit.currency, ...unnamed]}
                value={limit.currency}
                onChange={(value) => {
                  const currency = (value ?? limit.currency) as Currency
                  change(at, { currency, price: inCurrency(limit.price, limit.currency, currency) })
                }}
                allowDeselect={false}
                searchable
                w="7rem"
              />
              <MoneyInput
                label={t('settings.refundLimit')}
                currency={limit.currency}
                value={limit.price}
                onChange={(price) => change(at, { ...limit, price })}
                required
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                mb={6}
                aria-label={t('settings.removeLimit', { currency: limit.currency })}
                onClick={() => setWanted(wanted.toSpliced(at, 1))}
              >
                <Icon name="trash" />
              </ActionIcon>
            </Group>
          ))}
          {error && <ErrorNotice error={error} />}
          <Group>
            <Button variant="default" onClick={add} disabled={unnamed.length === 0}>
              {t('settings.addLimit')}
            </Button>
            <Button type="submit" loading={isRunning} disabled={!form.isEdited || !isWhole}>
              {t('settings.saveLimits')}
            </Button>
            {form.isEdited && (
              <Button variant="default" onClick={form.discard}>
                {t('common.cancel')}
              </Button>
            )}
          </Group>
        </Stack>
      </Fieldset>
    </form>
  )
}

const currencies = Intl.supportedValuesOf('currency') as Currency[]

type Request = DataOf<'fetchRefundLimits'>['waiting'][number]

/** Requests to raise limits, which another administrator approves or declines. */
export function LimitRequests() {
  const { t } = useTranslation()
  const { data } = useCall('fetchRefundLimits', {})
  if (!data || data.waiting.length === 0) return null
  return (
    <Stack component="section" gap="xs" maw="40rem" aria-label={t('settings.limitsToApprove')}>
      <Text fw={600}>{t('settings.limitsToApprove')}</Text>
      {data.waiting.map((request) => (
        <LimitRequest key={request.request_id} request={request} />
      ))}
    </Stack>
  )
}

function LimitRequest({ request }: { request: Request }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const { nameOf } = useAdvisers()
  const textOf = useLimitsText()
  const approve = useAction('approveRefundLimits')
  const decline = useAction('declineRefundLimits')
  const { request_id, requested_by, before, wanted } = request
  const isOwn = requested_by === staff.staff_id
  const decide = ({ run }: typeof approve | typeof decline, said: string) =>
    perform<unknown>(run({ request_id }), () => ({ said }))
  const error = approve.error ?? decline.error
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm">
          {t('settings.limitsRequested', {
            ...{ name: nameOf(requested_by), before: textOf(before), wanted: textOf(wanted) },
          })}
        </Text>
        {!isOwn && (
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-xs"
              variant="light"
              loading={approve.isRunning}
              onClick={() => void decide(approve, t('settings.limitsApproved'))}
            >
              {t('approvals.approve')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              loading={decline.isRunning}
              onClick={() => void decide(decline, t('settings.limitsDeclined'))}
            >
              {t('approvals.decline')}
            </Button>
          </Group>
        )}
      </Group>
      {isOwn && <Hint>{t('approvals.ownRequest')}</Hint>}
      {error && <ErrorNotice error={error} />}
    </Stack>
  )
}
