import { Button, FileInput, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { base64Of } from '../../calls/base64-of.ts'
import { call, type DataOf, type RowOf } from '../../calls/call.ts'
import { ErrorNotice, Hint, Progress } from '../../parts/error-notice.tsx'
import { dayColumn, moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'

type Reading = DataOf<'importStatementFile'>
type Statement = Reading['statements'][number]
type Line = Reading['first_lines'][number]

interface BankUploadProps {
  account: RowOf<'listBankAccounts'>
  onClose(): void
  onDone(statement_id: string | undefined): void
}

/** In base64 well below the size limit of a piece. */
const pieceBytes = 480 * 1024

const columns = [
  ...[
    'value_date',
    'price',
    'incoming',
    'outgoing',
    'direction',
    'balance',
    'currency',
    'payer',
    'description',
  ],
  ...['reference', 'charge_id', 'gross', 'fee', 'net', 'payout_id'],
] as const

const encodings = ['utf-8', 'gb18030', 'windows-1252', 'utf-16le']

/** Uploads a statement file, shows its content, and imports it. */
export function BankUpload({ account, onClose, onDone }: BankUploadProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  const queries = useQueryClient()
  const { attempt, isRunning, error, forgetError } = useAttempt()
  const [progress, setProgress] = useState<{ label: string; done: number; total: number }>()
  const [fileId, setFileId] = useState<string>()
  const [reading, setReading] = useState<Reading>()
  const [mapping, setMapping] = useState<Record<string, string>>({})
  const [encoding, setEncoding] = useState<string>()
  const take = async (file: File | null) => {
    forgetError()
    setReading(undefined)
    setFileId(undefined)
    setMapping({})
    setEncoding(undefined)
    if (!file) return
    await attempt(async () => {
      const made = { account_id: account.account_id, file_name: file.name, bytes: file.size }
      const { file_id } = await call('createStatementFile', made)
      for (let start = 0; start < file.size; ) {
        const piece = new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer())
        const { received } = await call('appendStatementFile', { file_id, start, content: base64Of(piece) })
        start = received
        setProgress({ label: t('bank.uploading'), done: start, total: file.size })
      }
      setFileId(file_id)
      setReading(await call('importStatementFile', { file_id, dry_run: true }))
    })
    setProgress(undefined)
  }
  const readAgain = async (options: { mapping: Record<string, string>; encoding?: string }) => {
    const read = await attempt(() =>
      call('importStatementFile', { file_id: fileId!, ...options, dry_run: true }),
    )
    if (read) setReading(read)
  }
  const remap = async (header: string, column: string) => {
    const changed = { ...mapping, [header]: column }
    setMapping(changed)
    await readAgain({ mapping: changed, ...(encoding && { encoding }) })
  }
  const decode = async (chosen: string) => {
    setEncoding(chosen)
    await readAgain({ mapping, encoding: chosen })
  }
  const store = () =>
    attempt(async () => {
      let added = 0
      for (;;) {
        const step = await call('importStatementFile', {
          ...{ file_id: fileId!, mapping },
          ...(encoding && { encoding }),
        })
        added += step.added
        setProgress({ label: t('bank.importing'), done: step.lines - step.remaining, total: step.lines })
        if (step.remaining > 0) continue
        sayDone({ said: step.was_imported ? t('bank.wasImported') : t('bank.imported', { count: added }) })
        onDone(step.statements[0]?.statement_id ?? undefined)
        return
      }
    }).finally(() => {
      setProgress(undefined)
      void queries.invalidateQueries()
    })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('bank.addStatement')}
      size="xl"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack>
        <FileInput
          label={t('bank.file')}
          description={t('bank.formats')}
          onChange={(file) => void take(file)}
          clearable
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
        />
        {progress && <Progress {...progress} />}
        {error !== undefined && <ErrorNotice error={error} />}
        {reading?.encoding && (
          <Select
            label={t('bank.encoding')}
            description={t('bank.encodingHint')}
            data={[...new Set([...encodings, reading.encoding])]}
            value={reading.encoding}
            onChange={(chosen) => chosen && void decode(chosen)}
            allowDeselect={false}
            maw="16rem"
          />
        )}
        {reading && (
          <FileContent reading={reading} currency={account.currency} mapping={mapping} onMap={remap} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            loading={isRunning}
            disabled={!reading || reading.problem !== null || error !== undefined}
            onClick={() => void store()}
          >
            {t('bank.import')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface FileContentProps {
  reading: Reading
  currency: string
  mapping: Record<string, string>
  onMap(header: string, column: string): void
}

function FileContent({ reading, currency, mapping, onMap }: FileContentProps) {
  const { t } = useTranslation()
  return (
    <>
      {reading.problem !== null && (
        <Text size="sm" c="red" role="alert">
          {reading.problem}
        </Text>
      )}
      <PlainTable
        label={t('bank.statement')}
        rows={reading.statements}
        rowId={({ name }) => name}
        columns={[
          { id: 'name', title: t('bank.statement'), cell: ({ name }) => name },
          { id: 'lines', title: t('bank.lines'), isNumber: true, cell: ({ lines }) => lines },
          moneyColumn('opening', t('bank.opening'), ({ opening_price }: Statement) => [
            opening_price,
            currency,
          ]),
          moneyColumn('closing', t('bank.closing'), ({ closing_price }: Statement) => [
            closing_price,
            currency,
          ]),
        ]}
      />
      {reading.statements.some(({ has_balances }) => !has_balances) && <Hint>{t('bank.noBalances')}</Hint>}
      {reading.statements
        .filter(({ repeated_lines }) => repeated_lines > 0)
        .map(({ name, repeated_lines, repeats }) => (
          <Text key={name} size="sm" role="status">
            {t('bank.repeatedLines', { count: repeated_lines, statements: repeats.join(', ') })}
          </Text>
        ))}
      {reading.left_out > 0 && <Text size="sm">{t('bank.leftOut', { count: reading.left_out })}</Text>}
      <PlainTable
        label={t('bank.firstLines')}
        rows={reading.first_lines}
        rowId={({ line }) => String(line)}
        columns={[
          dayColumn('date', t('finance.valueDate'), ({ value_date }: Line) => value_date),
          { id: 'payer', title: t('bank.payer'), cell: ({ payer }) => payer },
          {
            id: 'text',
            title: t('bank.text'),
            cell: (line) => line.description ?? line.reference ?? line.charge_id,
          },
          moneyColumn('price', t('fields.amount'), ({ price }: Line) => [price, currency]),
        ]}
      />
      {reading.headers.length > 0 && (
        <details open={reading.problem !== null}>
          <summary>{t('bank.columns')}</summary>
          {reading.headers.map((header, index) =>
            header === '' ? null : (
              <Select
                key={header}
                label={header}
                size="xs"
                data={[
                  { value: '', label: t('bank.column_none') },
                  ...columns.map((value) => ({ value, label: t(`bank.column_${value}`) })),
                ]}
                value={mapping[header] ?? knownColumn(reading.columns[index])}
                onChange={(column) => onMap(header, column ?? '')}
                allowDeselect={false}
              />
            ),
          )}
        </details>
      )}
    </>
  )
}

function knownColumn(column: string | null | undefined): string {
  return columns.find((each) => each === column) ?? ''
}
