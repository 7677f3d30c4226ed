import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { LiftErasureDialog } from '../settings/lift-erasure-dialog.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** Where rows name people who were erased, an administrator can let in who has come back. */
export function LiftErased({ counts }: { counts: LeadFile['plan'] }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isLifting, setLifting] = useState(false)
  if (counts.erased === 0 || !can('admin')) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setLifting(true)}>
        {t('privacy.lift')}
      </Button>
      {isLifting && <LiftErasureDialog onClose={() => setLifting(false)} />}
    </>
  )
}
