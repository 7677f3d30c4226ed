import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Words } from '../languages/en.ts'

type Key = `service.${keyof Words['service']}`

/** Sentences that the service stores or returns in English, with the values of their places. */
const sentences: [RegExp, Key][] = [
  [/^no order has it yet$/, 'service.noOrder'],
  [/^the order is (?<status>\w+)$/, 'service.orderIs'],
  [/^instalment (?<number>\d+) has (?<count>\d+) payments, and cannot show more$/, 'service.slotsFull'],
  [/^the payment of this charge is void/, 'service.chargeVoid'],
  [/^Chargeback$/, 'service.chargeback'],
]

/** Translates a sentence of the service. Texts of people are shown as they are. */
export function useServiceText(): (text: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (text: string) => {
      for (const [pattern, key] of sentences) {
        const found = pattern.exec(text)
        if (!found) continue
        const { status, ...values } = found.groups ?? {}
        const more = status && { status: t(`orderStatus.${status as keyof Words['orderStatus']}`) }
        return t(key, { ...values, ...more })
      }
      return text
    },
    [t],
  )
}
