import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { allPages, call, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { csvOf, saveFile } from '../../parts/save-file.ts'
import { LiftErasureDialog } from '../settings/privacy-tab.tsx'
import { type LeadFile, uploadFile } from './recent-imports.tsx'

/** Maximum rows on the screen; more are fixed in a spreadsheet. */
const mostHere = 200

/** Rejected rows, fixed here and imported again as a new file, or downloaded. */
export function FixRows({ file, onClose }: { file: LeadFile; onClose(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data, error } = useCall('listLeadFileRows', {
    ...{ import_id: file.import_id, outcome: 'reject', page_size: mostHere },
  })
  const [edits, setEdits] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Progress label={t('common.loading')} />
  const headers = file.columns.map(({ header }) => header)
  const cellOf = (row: number, at: number, was: string) => edits[`${row} ${at}`] ?? was
  const texts = () => [
    headers,
    ...data.list.map(({ row, cells }) => headers.map((_, at) => cellOf(row, at, cells[at] ?? ''))),
  ]
  const again = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      const mended = new Blob([csvOf(texts())], { type: 'text/csv' })
      const file_name = t('leadImport.fixedName', { name: file.file_name.replace(/\.\w+$/, '') })
      const { import_id } = await call('createLeadFile', { file_name, bytes: mended.size })
      await uploadFile(import_id, mended, 0, () => undefined)
      void navigate({ to: '/leads/import', search: { import: import_id } as never })
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
      const texts = rows.map(({ row, cells }) => headers.map((_, at) => cellOf(row, at, cells[at] ?? '')))
      saveFile(`${file.file_name}.rejects.csv`, csvOf([headers, ...texts]))
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <Group mb="xs" gap="xs">
        <Text size="sm">{t('leadImport.notImportedRows', { count: data.total })}</Text>
        <Button size="xs" loading={isSending} onClick={() => void again()}>
          {t('leadImport.importFixed', { count: data.list.length })}
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
      <Table.ScrollContainer minWidth={600} maxHeight={480}>
        <Table stickyHeader withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('leadImport.row')}</Table.Th>
              {headers.map((header) => (
                <Table.Th key={header}>{header}</Table.Th>
              ))}
              <Table.Th>{t('fields.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.list.map(({ row, cells, reason }) => (
              <Table.Tr key={row}>
                <Table.Td>{row}</Table.Td>
                {headers.map((header, at) => (
                  <Table.Td key={header}>
                    <TextInput
                      size="xs"
                      miw="8rem"
                      aria-label={t('leadImport.cellOf', { row, header })}
                      value={cellOf(row, at, cells[at] ?? '')}
                      onChange={(event) =>
                        setEdits({ ...edits, [`${row} ${at}`]: event.currentTarget.value })
                      }
                    />
                  </Table.Td>
                ))}
                <Table.Td>
                  <Text size="sm" c="red">
                    {reason}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

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
