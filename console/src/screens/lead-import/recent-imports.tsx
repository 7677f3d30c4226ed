import { Group, Text, Title } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import '@mantine/dropzone/styles.layer.css'
import { useSession } from '../../app/session.tsx'
import { base64Of } from '../../calls/base64-of.ts'
import { Icon } from '../../parts/icon.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'

export type LeadFile = RowOf<'listLeadFiles'>

const meanings: Record<LeadFile['state'], Meaning> = {
  uploading: 'soon',
  planning: 'action',
  planned: 'soon',
  committing: 'action',
  done: 'received',
  refused: 'refused',
}

/** The school's imports, running and finished. */
export function RecentImports() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const address = useListAddress()
  const query = useList('listLeadFiles', address, {}, { refetchEveryMs: 5_000, isFreshOnOpening: true })
  const columns = useMemo<Column<LeadFile>[]>(
    () => [
      { id: 'name', title: t('fields.file'), cell: ({ file_name }) => file_name },
      {
        ...{ id: 'state', title: t('fields.status'), card: 'value' },
        cell: ({ state }) => <StateBadge meaning={meanings[state]} label={t(`leadImport.states.${state}`)} />,
      },
      { id: 'rows', title: t('fields.rows'), isNumber: true, cell: ({ row_count }) => row_count },
      {
        id: 'reject',
        title: t('leadImport.outcomes.reject'),
        isNumber: true,
        cell: ({ state, plan, result }) => (state === 'done' ? result : plan).reject ?? 0,
      },
      timeColumn('time', t('leadImport.started'), ({ ctime }) => ctime),
    ],
    [t],
  )
  return (
    <>
      <Title order={2}>{t('leadImport.recent')}</Title>
      <DataTable
        name="lead-imports"
        label={t('leadImport.recent')}
        columns={columns}
        rowId={({ import_id }) => import_id}
        query={query}
        address={address}
        onOpen={({ import_id }) =>
          void navigate({ to: '/leads/import', search: { import: import_id } as never })
        }
        empty={{ text: t('leadImport.noImports'), icon: 'upload' }}
        spaceAround="24rem"
      />
    </>
  )
}

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
      void navigate({ to: '/leads/import', search: { import: import_id, step: 'columns' } as never })
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

/** In base64 well below the size limit of a piece. */
const pieceBytes = 480 * 1024

/**
 * Uploads a file in pieces, from where it stopped, then requests the preview. Sending a piece twice has no effect.
 */
export async function uploadFile(
  import_id: string,
  file: Blob,
  received: number,
  onProgress: (sent: number) => void,
): Promise<void> {
  for (let start = received; start < file.size; ) {
    const piece = new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())
    const answer = await call('appendLeadFile', { import_id, start, content: base64Of(piece) })
    start = answer.received
    onProgress(start)
  }
  await call('planLeadFile', { import_id })
}
