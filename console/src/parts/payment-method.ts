import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The payment methods with translations. Programs may send others. */
export const paymentMethods = ['transfer', 'card', 'cash', 'cheque', 'wechat', 'alipay'] as const

/** The name of a payment method; an unknown one is shown as received. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (method: string) => {
      const word = paymentMethods.find((each) => each === method)
      return word ? t(`paymentMethods.${word}`) : method
    },
    [t],
  )
}
