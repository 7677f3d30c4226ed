import { Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'

export type FileRow = RowOf<'listLeadFileRows'>
export const outcomes = [
  'new_user',
  'known_user',
  'duplicate_entry',
  'duplicate_row',
  'reject',
  'erased',
] as const
export type Outcome = (typeof outcomes)[number]

export const meanings: Record<string, Meaning> = {
  new_user: 'received',
  known_user: 'ended',
  reject: 'refused',
  erased: 'refused',
}

/** Corrected cells, by row and index of the cell. */
export type Edits = Record<string, string>
export const editKey = (row: number, at: number) => `${row} ${at}`

interface RowGridProps {
  file: LeadFile
  rows: FileRow[]
  edits: Edits
  /** Undefined where nothing can be corrected. */
  onEdit: ((edits: Edits) => void) | undefined
}

/** The cells of text that was copied from a spreadsheet. */
function pastedCells(text: string): string[][] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
}

/** Rows as they will be imported. The cells of rejected rows are fields: a faulty one is red, its reason beside it. */
export function RowGrid(props: RowGridProps) {
  const isPhone = useMediaQuery('(max-width: 48em)')
  return isPhone ? <RowCards {...props} /> : <RowTable {...props} />
}

function useFields({ file, rows, edits, onEdit }: RowGridProps) {
  const { t } = useTranslation()
  const width = file.columns.length
  /** Spreads copied cells over the fields from here on, to the right and down. */
  const paste = (event: ClipboardEvent, from: number, at: number) => {
    const pasted = pastedCells(event.clipboardData.getData('text/plain'))
    if (pasted.length === 1 && pasted[0]?.length === 1) return
    event.preventDefault()
    const editable = rows.slice(from).filter(({ outcome }) => outcome === 'reject')
    const spread = pasted.flatMap((line, down) =>
      line.flatMap((cell, right) => {
        const row = editable[down]?.row
        return row === undefined || at + right >= width ? [] : [[editKey(row, at + right), cell] as const]
      }),
    )
    onEdit?.({ ...edits, ...Object.fromEntries(spread) })
  }
  const field = (row: FileRow, index: number, at: number) => {
    const key = editKey(row.row, at)
    const isChanged = edits[key] !== undefined
    const fault = row.faults.find(({ cell }) => cell === at)
    const header = file.columns[at]?.header ?? ''
    return (
      <input
        className={classes.cell}
        aria-label={t('leadImport.cellOf', { row: row.row, header })}
        aria-invalid={fault !== undefined && !isChanged}
        data-changed={isChanged || undefined}
        data-cell={key}
        title={fault?.reason}
        value={edits[key] ?? row.cells[at] ?? ''}
        onPaste={(event) => paste(event, index, at)}
        onKeyDown={(event) => moveBetweenRows(event, rows, row.row, at)}
        onChange={(event) => onEdit?.({ ...edits, [key]: event.currentTarget.value })}
      />
    )
  }
  return { field }
}

/** The arrows up and down, and Enter, go to the same column of the next row, as in a spreadsheet. */
function moveBetweenRows(event: KeyboardEvent, rows: FileRow[], row: number, at: number): void {
  const direction = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key]
  if (direction === undefined || event.nativeEvent.isComposing) return
  const editable = rows.filter(({ outcome }) => outcome === 'reject')
  const next = editable[editable.findIndex((each) => each.row === row) + direction]
  if (!next) return
  event.preventDefault()
  document.querySelector<HTMLInputElement>(`[data-cell="${editKey(next.row, at)}"]`)?.focus()
}

function RowTable(props: RowGridProps) {
  const { file, rows, onEdit } = props
  const { t } = useTranslation()
  const { field } = useFields(props)
  const shown = file.columns.flatMap(({ header, column }, at) =>
    header === '' || !column ? [] : [{ header, at }],
  )
  return (
    <div className={classes.card}>
      <ScrollSideways minWidth={Math.max(640, 300 + shown.length * 120)} keepsLines>
        <table className={classes.grid} aria-label={t('leadImport.rowsTitle')}>
          <thead>
            <tr>
              <th scope="col">{t('leadImport.row')}</th>
              {shown.map(({ header }) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
              <th scope="col">{t('leadImport.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const isBad = row.outcome === 'reject'
              return (
                <tr key={row.row} data-bad={isBad || undefined}>
                  <td>{row.row}</td>
                  {shown.map(({ header, at }) => (
                    <td key={header}>
                      {isBad && onEdit ? field(row, index, at) : (row.shown[at] ?? row.cells[at] ?? '')}
                    </td>
                  ))}
                  <td className={classes.outcome}>
                    <RowOutcome row={row} edits={props.edits} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollSideways>
    </div>
  )
}

/** On a phone, a card per row: the person, the reason, and a field for each faulty cell. */
function RowCards(props: RowGridProps) {
  const { file, rows, edits, onEdit } = props
  const { t } = useTranslation()
  const { field } = useFields(props)
  return (
    <div className={classes.card}>
      {rows.map((row, index) => {
        const isBad = row.outcome === 'reject'
        const faulty = row.faults.filter(({ cell }) => cell >= 0)
        const inCard = isBad && onEdit ? faulty.map(({ cell }) => cell) : []
        const texts = (row.shown.length > 0 ? row.shown : row.cells).filter(
          (text, at) => text !== '' && !inCard.includes(at) && file.columns[at]?.column,
        )
        return (
          <div key={row.row} className={classes.rowCard}>
            <div>
              <strong>{t('leadImport.rowNumber', { row: row.row })}</strong> {texts.slice(0, 4).join(' · ')}
            </div>
            {inCard.map((at) => (
              <div key={at} className={classes.label}>
                {file.columns[at]?.header}
                {field(row, index, at)}
              </div>
            ))}
            <RowOutcome row={row} edits={edits} />
          </div>
        )
      })}
    </div>
  )
}

/** The outcome of a row: a person, or the reasons with the headers of the file. */
function RowOutcome({ row, edits }: { row: FileRow; edits: Edits }) {
  const { t } = useTranslation()
  const { outcome, faults, reason, user_id } = row
  if (outcome === 'reject') {
    const open = faults.filter(({ cell }) => cell < 0 || edits[editKey(row.row, cell)] === undefined)
    if (faults.length > 0 && open.length === 0)
      return <StateBadge meaning="action" label={t('leadImport.corrected')} />
    const texts = open.map(({ header, reason }) => (header ? `${header}: ${reason}` : reason))
    return <span className={classes.reason}>{texts.length > 0 ? texts.join('; ') : reason}</span>
  }
  return (
    <>
      <StateBadge
        meaning={meanings[outcome] ?? 'ended'}
        label={t(`leadImport.outcomes.${outcome as Outcome}`)}
      />{' '}
      {user_id && outcome !== 'erased' && (
        <Link to="/people/$id" params={{ id: user_id }}>
          {t('leadImport.openPerson')}
        </Link>
      )}{' '}
      {outcome !== 'new_user' && outcome !== 'known_user' && reason}
    </>
  )
}

/** The pages of a grid: fifty rows each. */
export function RowPages({
  page,
  pages,
  onChange,
}: {
  page: number
  pages: number
  onChange(page: number): void
}) {
  const { t } = useTranslation()
  if (pages < 2) return null
  return (
    <Pagination
      mt="xs"
      size="sm"
      total={pages}
      value={page + 1}
      onChange={(chosen) => onChange(chosen - 1)}
      getItemProps={(item) => ({ 'aria-label': String(item) })}
      getControlProps={(control) => ({
        'aria-label': t(control === 'next' ? 'common.next' : 'common.previous'),
      })}
      aria-label={t('table.pages')}
    />
  )
}
