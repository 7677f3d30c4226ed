import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { StateBadge } from '../../parts/instant.tsx'

const meanings = { waiting: 'soon', approved: 'received', declined: 'refused' } as const

export function RequestStateBadge({ state }: { state: RowOf<'listApprovals'>['state'] }) {
  const { t } = useTranslation()
  return <StateBadge meaning={meanings[state]} label={t(`approvals.states.${state}`)} />
}
