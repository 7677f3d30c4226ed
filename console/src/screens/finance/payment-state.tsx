import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { StateBadge } from '../../parts/instant.tsx'

export const paymentStates = {
  applied: { meaning: 'received', word: 'finance.stateApplied' },
  unapplied: { meaning: 'soon', word: 'finance.stateUnapplied' },
  refunded: { meaning: 'ended', word: 'finance.stateRefunded' },
  void: { meaning: 'ended', word: 'finance.stateVoid' },
  moved: { meaning: 'ended', word: 'finance.stateMoved' },
} as const

export function PaymentStateBadge({ state }: { state: RowOf<'listPayments'>['state'] }) {
  const { t } = useTranslation()
  const { meaning, word } = paymentStates[state]
  return <StateBadge meaning={meaning} label={t(word)} />
}
