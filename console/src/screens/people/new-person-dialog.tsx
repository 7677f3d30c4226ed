import { Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { readInternational } from './international-number.ts'

/** Adds a person by hand, or opens the existing one. */
export function NewPersonDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [areaCode, setAreaCode] = useState('86')
  const [mobile, setMobile] = useState('')
  const [name, setName] = useState('')
  const create = useAction('createUser')
  const update = useAction('updateUser')
  const international = readInternational(mobile)
  const number =
    international === undefined ? { area_code: areaCode, mobile: mobile.replace(/\D/g, '') } : international
  return (
    <PreviewDialog
      title={t('people.add')}
      isIncomplete={!number?.area_code || !number.mobile}
      onClose={onClose}
      act={async () => {
        const { user_id, is_user_exists } = await create.run(number!)
        if (!is_user_exists && name.trim()) await update.run({ user_id, name: name.trim() })
        void navigate({ to: '/people/$id', params: { id: user_id }, search: true })
        return { said: t(is_user_exists ? 'people.known' : 'people.added') }
      }}
    >
      <TextInput
        label={t('people.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group grow align="start" wrap="nowrap">
        <TextInput
          label={t('people.areaCode')}
          value={international?.area_code ?? areaCode}
          readOnly={!!international}
          inputMode="numeric"
          onChange={(event) => setAreaCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <TextInput
          label={t('people.mobile')}
          value={mobile}
          type="tel"
          error={international === null && mobile.length > 4 && t('people.noSuchCountry')}
          onChange={(event) => setMobile(event.currentTarget.value.replace(/[^\d+＋０-９()\s-]/g, ''))}
          required
        />
      </Group>
    </PreviewDialog>
  )
}
