import { Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { readInternational } from '../people/international-number.ts'

/** Lifts an erasure. The service stores only hashes, so the person types a full contact. */
export function LiftErasureDialog({ onClose, onLifted }: { onClose(): void; onLifted?(): Promise<unknown> }) {
  const { t } = useTranslation()
  const [areaCode, setAreaCode] = useState('86')
  const [contact, setContact] = useState('')
  const lift = useAction('liftErasure')
  const text = contact.trim()
  const isEmail = text.includes('@')
  const international = isEmail ? undefined : readInternational(text)
  const number =
    international === undefined ? { area_code: areaCode, mobile: text.replace(/\D/g, '') } : international
  return (
    <PreviewDialog
      title={t('privacy.lift')}
      isIncomplete={isEmail ? text.length < 3 : !number?.area_code || !number.mobile}
      onClose={onClose}
      act={async () => {
        const { contacts } = await lift.run(isEmail ? { email: text } : number!)
        await onLifted?.()
        return { said: t('privacy.lifted', { count: contacts }) }
      }}
    >
      <Text size="sm">{t('privacy.liftHint')}</Text>
      <Group grow align="start" wrap="nowrap">
        <TextInput
          label={t('people.areaCode')}
          value={international?.area_code ?? areaCode}
          readOnly={isEmail || !!international}
          inputMode="numeric"
          onChange={(event) => setAreaCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <TextInput
          label={t('privacy.contact')}
          value={contact}
          error={international === null && text.length > 4 && t('people.noSuchCountry')}
          onChange={(event) => setContact(event.currentTarget.value)}
          required
        />
      </Group>
    </PreviewDialog>
  )
}
