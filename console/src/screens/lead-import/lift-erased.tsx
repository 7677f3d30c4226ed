import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { LiftErasureDialog } from '../settings/lift-erasure-dialog.tsx'
import type { LeadFile } from './recent-imports.tsx'

/** Lets an administrator lift the erasure of a person in the file. The preview is then made again. */
export function LiftErased({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isLifting, setLifting] = useState(false)
  const plan = useAction('planLeadFile')
  const isPlanned = file.state === 'planned'
  const mapping = file.columns.flatMap(({ header, column }) => (column ? [{ header, column }] : []))
  if ((isPlanned ? file.plan : file.result).erased === 0 || !can('admin')) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setLifting(true)}>
        {t('privacy.lift')}
      </Button>
      {isLifting && (
        <LiftErasureDialog
          onClose={() => setLifting(false)}
          {...(isPlanned && { onLifted: () => plan.run({ import_id: file.import_id, mapping }) })}
        />
      )}
    </>
  )
}
