import { Checkbox, Group, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Coupon } from './coupons-tab.tsx'

/** Makes a coupon, or changes one: so much off, or a share of any price. */
export function CouponDialog({ coupon, onClose }: { coupon: Coupon | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run } = useAction('upsertCoupon')
  const [code, setCode] = useState(coupon?.coupon_id ?? '')
  const [description, setDescription] = useState(coupon?.description ?? '')
  const [kind, setKind] = useState(coupon && coupon.amount !== null ? 'amount' : 'share')
  const [amount, setAmount] = useState<number | undefined>(coupon?.amount ?? undefined)
  const [percent, setPercent] = useState<number | undefined>(
    coupon?.basis_points ? coupon.basis_points / 100 : undefined,
  )
  const [from, setFrom] = useState(coupon?.valid_from.slice(0, 10) ?? '')
  const [until, setUntil] = useState(coupon?.valid_until.slice(0, 10) ?? '')
  const [isActive, setActive] = useState(coupon?.is_active ?? true)
  const currency = coupon?.currency || organization.currency

  const act = async () => {
    await run({
      ...{ coupon_id: code, description, is_active: isActive },
      ...(coupon && { version: coupon.version }),
      ...(kind === 'amount' ? { amount, currency } : { basis_points: Math.round(percent! * 100) }),
      ...(from !== (coupon?.valid_from.slice(0, 10) ?? '') && { valid_from: from }),
      ...(until !== (coupon?.valid_until.slice(0, 10) ?? '') && { valid_until: until }),
    })
    return { said: t('offerings.couponSaved', { name: code }) }
  }
  return (
    <PreviewDialog
      title={t(coupon ? 'offerings.editCoupon' : 'offerings.addCoupon')}
      confirmLabel={t('common.save')}
      isIncomplete={code.trim() === '' || (kind === 'amount' ? !amount : !percent)}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('offerings.code')}
        description={t('offerings.couponCodeHint')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        disabled={coupon !== undefined}
        required
      />
      <TextInput
        label={t('offerings.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <SegmentedControl
        value={kind}
        onChange={setKind}
        aria-label={t('offerings.discount')}
        data={[
          { value: 'share', label: t('offerings.percentage') },
          { value: 'amount', label: t('offerings.amount') },
        ]}
      />
      {kind === 'amount' ? (
        <MoneyInput
          label={t('offerings.discount')}
          currency={currency}
          amount={amount}
          onAmount={setAmount}
          required
        />
      ) : (
        <NumberInput
          label={t('offerings.discount')}
          value={percent ?? ''}
          onChange={(value) => setPercent(typeof value === 'number' ? value : undefined)}
          min={0.01}
          max={100}
          decimalScale={2}
          suffix=" %"
          required
        />
      )}
      <Group grow>
        <TextInput
          label={t('offerings.validFrom')}
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label={t('offerings.validUntil')}
          type="date"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </Group>
      <Checkbox
        label={t('offerings.couponActive')}
        checked={isActive}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
      {coupon && (
        <Text size="xs" c="dimmed">
          {t('offerings.couponOrdersKeep')}
        </Text>
      )}
    </PreviewDialog>
  )
}
