import { Checkbox, Fieldset, NumberInput, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'

type Rules = Pick<
  DataOf<'fetchOrganization'>,
  'counsellor_discount_basis_points' | 'counsellors_record_payments'
>

/** The limits of counsellors on prices and payments. */
export function CounsellorRules({
  rules,
  onChange,
}: {
  rules: Rules
  onChange(changed: Partial<Rules>): void
}) {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('settings.counsellors')}>
      <Stack>
        <NumberInput
          label={t('settings.counsellorDiscount')}
          description={t('settings.counsellorDiscountHint')}
          value={rules.counsellor_discount_basis_points / 100}
          onChange={(value) => {
            const share = Math.round(Math.min(100, Math.max(0, Number(value) || 0)) * 100)
            onChange({ counsellor_discount_basis_points: share })
          }}
          min={0}
          max={100}
          decimalScale={2}
          suffix=" %"
          allowNegative={false}
          hideControls
        />
        <Checkbox
          label={t('settings.counsellorPayments')}
          description={t('settings.counsellorPaymentsHint')}
          checked={rules.counsellors_record_payments}
          onChange={(event) => onChange({ counsellors_record_payments: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}
