import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { useLanguage } from '../../languages/language.ts'
import { formatMoney } from '../../parts/format-money.ts'

type Limits = DataOf<'fetchRefundLimits'>['limits']

/** Formats limits: amounts by currency, or none. */
export function useLimitsText(): (limits: Limits) => string {
  const { t } = useTranslation()
  const language = useLanguage()
  return (limits) =>
    limits.length === 0
      ? t('settings.noLimit')
      : limits.map(({ currency, price }) => formatMoney(price, currency, language)).join(', ')
}
