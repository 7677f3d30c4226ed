import { Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { Hint } from '../../parts/hint.tsx'
import '@mantine/dropzone/styles.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { uploadFile } from './upload-file.ts'

const mostBytes = 256 * 1024 * 1024

/** The first step: choosing a file. `rest` resumes an interrupted upload. */
export function ChooseFile({ rest }: { rest?: { importId: string; bytes: number; received: number } }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const [sent, setSent] = useState<{ done: number; total: number }>()
  const [error, setError] = useState<unknown>()
  const take = async ([file]: File[]) => {
    if (!file) return
    setError(undefined)
    setSent({ done: 0, total: file.size })
    try {
      const import_id =
        rest?.importId ?? (await call('createLeadFile', { file_name: file.name, bytes: file.size })).import_id
      const tell = (done: number) => setSent({ done, total: file.size })
      await uploadFile(import_id, file, rest?.received ?? 0, tell)
      void navigate({ to: '/leads/import', search: { import: import_id } as never })
    } catch (failure) {
      setError(failure)
    } finally {
      setSent(undefined)
    }
  }
  if (!can('write')) return null
  return (
    <>
      <Dropzone
        onDrop={(files) => void take(files)}
        onReject={() => setError(new Error(t('leadImport.tooLarge')))}
        maxSize={rest?.bytes ?? mostBytes}
        multiple={false}
        loading={sent !== undefined}
        inputProps={{ 'aria-label': t('leadImport.choose') }}
        mb="md"
      >
        <Group justify="center" gap="md" mih={110} style={{ pointerEvents: 'none' }}>
          <Icon name="upload" size={32} />
          <div>
            <Text size="md">{t(rest ? 'leadImport.resume' : 'leadImport.choose')}</Text>
            <Hint>{t('leadImport.formats')}</Hint>
          </div>
        </Group>
      </Dropzone>
      {sent && <Progress label={t('leadImport.sending')} done={sent.done} total={sent.total} />}
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
