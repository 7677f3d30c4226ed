import { Button, Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type InputOf, useAction } from '../../calls/call.ts'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { StepHead, useStep } from './import-steps.tsx'
import classes from './lead-import.module.css'
import type { LeadFile } from './recent-imports.tsx'
import { usePreview } from './use-preview.ts'

/** The first rows as they are in the file. Another sheet or another header row can be chosen by them. */
export function ChooseHeader({ file }: { file: LeadFile }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const goTo = useStep(file)
  const plan = useAction('planLeadFile')
  const { data, error } = usePreview(file)
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Progress label={t('common.loading')} />
  const { first_rows: rows } = data
  const again = (change: Pick<InputOf<'planLeadFile'>, 'sheet' | 'header_row'>) =>
    void plan.run({ import_id: file.import_id, ...change }).catch(() => undefined)
  const options = [
    ...rows.map(({ row, cells }) => ({
      value: String(row),
      label: t('leadImport.headerOption', { row, cells: cells.filter(Boolean).slice(0, 3).join(', ') }),
    })),
    { value: '0', label: t('leadImport.noHeader') },
  ]
  const sheets = file.sheets.map(({ name, is_hidden, rows: count }) => ({
    value: name,
    label: t(is_hidden ? 'leadImport.hiddenSheet' : 'leadImport.sheetOption', { name, count }),
  }))
  const width = Math.max(1, ...rows.map(({ cells }) => cells.length))
  return (
    <section>
      <StepHead title={t('leadImport.fileTitle')} hint={t('leadImport.fileHint')}>
        {can('write') && (
          <Button size="sm" onClick={() => goTo('columns')}>
            {t('leadImport.toColumns')}
          </Button>
        )}
      </StepHead>
      {can('write') && rows.length > 0 && (
        <Group my="xs" grow maw={640}>
          {sheets.length > 1 && (
            <Select
              size="xs"
              label={t('leadImport.sheet')}
              data={sheets}
              value={file.sheet}
              allowDeselect={false}
              disabled={plan.isRunning}
              onChange={(sheet) => sheet && again({ sheet })}
            />
          )}
          <Select
            size="xs"
            label={t('leadImport.headerRow')}
            data={options}
            value={String(data.header_row)}
            allowDeselect={false}
            disabled={plan.isRunning}
            onChange={(row) => row && again({ sheet: file.sheet || undefined, header_row: Number(row) })}
          />
        </Group>
      )}
      {plan.error && <ErrorNotice error={plan.error} />}
      {rows.length > 0 && (
        <div className={classes.card}>
          <ScrollSideways minWidth={Math.min(1200, 80 + width * 110)} keepsLines>
            <table className={classes.grid} aria-label={t('leadImport.firstRows')}>
              <tbody>
                {rows.map(({ row, cells }) => (
                  <tr key={row} data-header={row === data.header_row || undefined}>
                    <th scope="row">{row}</th>
                    {columnsOf(width).map((at) => (
                      <td key={`${row} ${at}`}>{cells[at]}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollSideways>
        </div>
      )}
    </section>
  )
}

function columnsOf(width: number): number[] {
  return Array.from({ length: width }, (_, at) => at)
}
