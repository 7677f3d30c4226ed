import { Checkbox, Group, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useAction } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { EditableList } from '../../parts/editable-list.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { Money } from '../../parts/instant.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { dayColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'

type Coupon = RowOf<'listCoupons'>

export function CouponsTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const query = useList('listCoupons', address, isActiveOf(address.search))
  const columns = useMemo<Column<Coupon>[]>(
    () => [
      { id: 'code', title: t('offerings.code'), cell: ({ coupon_id }) => coupon_id },
      { id: 'description', title: t('offerings.description'), cell: ({ description }) => description },
      {
        id: 'off',
        title: t('offerings.discount'),
        isNumber: true,
        card: 'value',
        value: ({ amount, currency, basis_points }) =>
          amount === null ? ['', basis_points ?? 0] : [currency, amount],
        cell: ({ amount, currency, basis_points }) =>
          amount === null ? `${(basis_points ?? 0) / 100} %` : <Money amount={amount} currency={currency} />,
      },
      {
        id: 'uses',
        title: t('offerings.uses'),
        isNumber: true,
        value: ({ uses }) => uses,
        cell: ({ uses, max_uses }) => (max_uses === null ? uses : `${uses} / ${max_uses}`),
      },
      {
        id: 'used',
        title: t('offerings.discountsGiven'),
        isNumber: true,
        cell: (coupon) => <Used coupon={coupon} />,
      },
      dayColumn('from', t('offerings.validFrom'), ({ valid_from }) => valid_from),
      dayColumn('until', t('offerings.validUntil'), ({ valid_until }) => valid_until),
      activeColumn(t),
    ],
    [t],
  )
  return (
    <EditableList
      name="coupons"
      label={t('offerings.coupons')}
      columns={columns}
      rowId={({ coupon_id }) => coupon_id}
      query={query}
      address={address}
      filters={[activeFilter(t)]}
      add={t('offerings.addCoupon')}
      isEditable={can('finance')}
      empty={{ text: t('offerings.noCoupons'), icon: 'tag' }}
      dialog={(coupon, close) => <CouponDialog coupon={coupon} onClose={close} />}
    />
  )
}

/** The discounts that were given, by currency, and the budget. */
function Used({ coupon: { used, budget_price, budget_currency } }: { coupon: Coupon }) {
  const amounts = used.map(({ currency, price }) => ({ currency, price }))
  if (budget_price !== null && !amounts.some(({ currency }) => currency === budget_currency))
    amounts.push({ currency: budget_currency, price: 0 })
  return amounts.map(({ currency, price }) => (
    <div key={currency}>
      <Money amount={price} currency={currency} />
      {budget_price !== null && currency === budget_currency && (
        <>
          {' / '}
          <Money amount={budget_price} currency={currency} />
        </>
      )}
    </div>
  ))
}

/** Adds or edits a coupon: an amount or a percentage off the price. */
function CouponDialog({ coupon, onClose }: { coupon: Coupon | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run } = useAction('upsertCoupon')
  const [validFrom, validUntil] = [
    coupon?.valid_from.slice(0, 10) ?? '',
    coupon?.valid_until.slice(0, 10) ?? '',
  ]
  const { values, getInputProps } = useForm({
    initialValues: {
      code: coupon?.coupon_id ?? '',
      description: coupon?.description ?? '',
      kind: coupon && coupon.amount !== null ? 'amount' : 'percentage',
      amount: coupon?.amount ?? undefined,
      percent: coupon?.basis_points ? coupon.basis_points / 100 : ('' as number | ''),
      maxUses: coupon?.max_uses ?? ('' as number | ''),
      budget: coupon?.budget_price ?? undefined,
      from: validFrom,
      until: validUntil,
      isActive: coupon?.is_active ?? true,
    },
  })
  const { code, description, kind, amount, percent, maxUses, budget, from, until, isActive } = values
  const currency = coupon?.currency || organization.currency
  const budgetCurrency = coupon?.budget_currency || currency
  return (
    <PreviewDialog
      title={t(coupon ? 'offerings.editCoupon' : 'offerings.addCoupon')}
      confirmLabel={t('common.save')}
      isIncomplete={code.trim() === '' || (kind === 'amount' ? !amount : !percent)}
      onClose={onClose}
      act={async () => {
        await run({
          ...{ coupon_id: code, description, is_active: isActive },
          ...(coupon && { version: coupon.version }),
          ...(kind === 'amount' ? { amount, currency } : { basis_points: Math.round(Number(percent) * 100) }),
          ...{ max_uses: Number(maxUses), budget_price: budget ?? 0, budget_currency: budgetCurrency },
          ...(from !== validFrom && { valid_from: from }),
          ...(until !== validUntil && { valid_until: until }),
        })
        return { said: t('common.saved', { name: code }) }
      }}
    >
      <TextInput
        label={t('offerings.code')}
        description={t('offerings.couponCodeHint')}
        {...getInputProps('code')}
        disabled={coupon !== undefined}
        required
      />
      <TextInput label={t('offerings.description')} {...getInputProps('description')} />
      <SegmentedControl
        {...getInputProps('kind')}
        aria-label={t('offerings.discount')}
        data={[
          { value: 'percentage', label: t('offerings.percentage') },
          { value: 'amount', label: t('offerings.amount') },
        ]}
      />
      {kind === 'amount' ? (
        <MoneyInput
          label={t('offerings.discount')}
          currency={currency}
          {...getInputProps('amount')}
          required
        />
      ) : (
        <NumberInput
          label={t('offerings.discount')}
          {...getInputProps('percent')}
          min={0.01}
          max={100}
          decimalScale={2}
          suffix=" %"
          required
        />
      )}
      <Group grow align="flex-start">
        <NumberInput
          label={t('offerings.maxUses')}
          description={t('offerings.emptyIsUnlimited')}
          {...getInputProps('maxUses')}
          min={1}
          allowDecimal={false}
        />
        <MoneyInput
          label={t('offerings.budget')}
          description={t('offerings.emptyIsUnlimited')}
          currency={budgetCurrency}
          {...getInputProps('budget')}
        />
      </Group>
      <Group grow>
        <DateField label={t('offerings.validFrom')} {...getInputProps('from')} />
        <DateField label={t('offerings.validUntil')} {...getInputProps('until')} />
      </Group>
      <Checkbox label={t('offerings.couponActive')} {...getInputProps('isActive', { type: 'checkbox' })} />
      {coupon && <Hint size="xs">{t('offerings.couponOrdersKeep')}</Hint>}
    </PreviewDialog>
  )
}
