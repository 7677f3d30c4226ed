import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import type { Language } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

type Limits = DataOf<'fetchRefundLimits'>['limits']

/** Limits in words: amounts by currency, or none. */
export function useLimitsText(): (limits: Limits) => string {
  const { t, i18n } = useTranslation()
  return (limits) =>
    limits.length === 0
      ? t('settings.noLimit')
      : limits
          .map(({ currency, price }) => formatMoney(price, currency, i18n.language as Language))
          .join(', ')
}
