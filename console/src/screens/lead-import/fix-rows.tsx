import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { allPages, call, useAction } from '../../calls/call.ts'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { csvOf, saveFile } from '../../parts/save-file.ts'
import { pageSize, useList } from '../../parts/use-list-address.ts'
import { LiftErasureDialog } from '../settings/privacy-tab.tsx'
import { mappingOf } from './import-columns.tsx'
import { useReasonLanguage } from './import-rows.tsx'
import { type LeadFile, uploadFile } from './recent-imports.tsx'
import { type Edits, editKey, type FileRow, RowGrid, RowPages } from './row-grid.tsx'

/** Rejected rows of an import, fixed here and imported again as a new file, or downloaded. */
export function FixRows({ file, onClose }: { file: LeadFile; onClose(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [page, setPage] = useState(0)
  const language = useReasonLanguage()
  const filter = { import_id: file.import_id, outcome: 'reject', language } as const
  const { data, error } = useList('listLeadFileRows', { page }, filter)
  const [edits, setEdits] = useState<Edits>({})
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Progress label={t('common.loading')} />
  const headers = file.columns.map(({ header }) => header)
  const textsOf = (rows: FileRow[]) => [
    headers,
    ...rows.map(({ row, cells }) => headers.map((_, at) => edits[editKey(row, at)] ?? cells[at] ?? '')),
  ]
  const again = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      const rows = await allPages('listLeadFileRows', filter)
      const corrected = new Blob([csvOf(textsOf(rows))], { type: 'text/csv' })
      const file_name = t('leadImport.fixedName', { name: file.file_name.replace(/\.\w+$/, '') })
      const { import_id } = await call('createLeadFile', { file_name, bytes: corrected.size })
      await uploadFile(import_id, corrected, 0, () => undefined)
      void navigate({ to: '/leads/import', search: { import: import_id, step: 'check' } as never })
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }
  const download = async () => {
    setFailure(undefined)
    try {
      const rows = await allPages('exportRejectedRows', { import_id: file.import_id })
      saveFile(`${file.file_name}.rejects.csv`, csvOf(textsOf(rows)))
    } catch (error) {
      setFailure(error)
    }
  }
  const pages = Math.ceil(data.total / pageSize)
  return (
    <>
      <Group mb="xs" gap="xs">
        <Text size="sm">{t('leadImport.notImportedRows', { count: data.total })}</Text>
        <Button size="xs" loading={isSending} onClick={() => void again()}>
          {t('leadImport.importFixed', { count: data.total })}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          onClick={() => void download()}
        >
          {t('leadImport.download')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
      {failure !== undefined && <ErrorNotice error={failure} />}
      <Hint mb="xs">{t('leadImport.checkHint')}</Hint>
      <RowGrid file={file} rows={data.list} edits={edits} onEdit={setEdits} />
      <RowPages page={page} pages={pages} onChange={setPage} />
    </>
  )
}

/** Lets an administrator lift the erasure of a person in the file. The preview is then repeated. */
export function LiftErased({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [isLifting, setLifting] = useState(false)
  const plan = useAction('planLeadFile')
  const isPlanned = file.state === 'planned'
  if ((isPlanned ? file.plan : file.result).erased === 0 || !can('admin')) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setLifting(true)}>
        {t('privacy.lift')}
      </Button>
      {isLifting && (
        <LiftErasureDialog
          onClose={() => setLifting(false)}
          {...(isPlanned && {
            onLifted: () => plan.run({ import_id: file.import_id, mapping: mappingOf(file) }),
          })}
        />
      )}
    </>
  )
}
