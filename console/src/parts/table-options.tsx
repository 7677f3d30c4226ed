import { Button, Checkbox, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseDensity, densities, useDensity } from './density.ts'
import { Icon } from './icon.tsx'
import type { Column } from './table-rows.tsx'
import type { ColumnSort } from './use-table-sort.ts'

interface TableOptionsProps<Row> {
  columns: Column<Row>[]
  shown: Column<Row>[]
  choose(ids: string[]): void
  /** For cards, which have no head to sort by. */
  sortOf: ((column: Column<Row>) => ColumnSort | undefined) | undefined
  /** Fits all columns to their content. Absent: they do. */
  fit: (() => void) | undefined
  /** Lets the person select cards. Absent: rows cannot be selected, or have checkboxes. */
  select: (() => void) | undefined
}

/** The button above a table for its columns, their widths and the height of rows; for cards, also their order. */
export function TableOptions<Row>({ columns, shown, choose, sortOf, fit, select }: TableOptionsProps<Row>) {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Icon name="columns" size={14} />}
        >
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6} miw="11rem">
          {sortOf ? <SortChoice columns={columns} sortOf={sortOf} /> : <DensityChoice />}
          <ColumnChoice columns={columns} shown={shown} choose={choose} />
          {select && (
            <Button size="compact-sm" variant="subtle" onClick={select}>
              {t('table.select')}
            </Button>
          )}
          {fit && (
            <Button size="compact-sm" variant="subtle" onClick={fit}>
              {t('table.fitColumns')}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function ColumnChoice<Row>({
  columns,
  shown,
  choose,
}: Pick<TableOptionsProps<Row>, 'columns' | 'shown' | 'choose'>) {
  const { t } = useTranslation()
  const isShown = new Set(shown.map(({ id }) => id))
  const toggle = (id: string) =>
    choose(columns.flatMap((column) => ((column.id === id) !== isShown.has(column.id) ? [column.id] : [])))
  return columns.map(({ id, title }) => (
    <Checkbox
      key={id}
      size="xs"
      label={title || t('table.actions')}
      checked={isShown.has(id)}
      disabled={isShown.size === 1 && isShown.has(id)}
      onChange={() => toggle(id)}
    />
  ))
}

/** For all tables. */
function DensityChoice() {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <Text id={id} size="xs" c="dimmed">
        {t('table.density')}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby={id}
        value={useDensity()}
        onChange={chooseDensity}
        data={densities.map((value) => ({ value, label: t(`table.densities.${value}`) }))}
      />
    </>
  )
}

function SortChoice<Row>({ columns, sortOf }: Required<Pick<TableOptionsProps<Row>, 'columns' | 'sortOf'>>) {
  const { t } = useTranslation()
  const sorts = columns.flatMap((column) => {
    const sort = sortOf?.(column)
    return sort ? [{ ...column, sort }] : []
  })
  if (sorts.length === 0) return null
  const current = sorts.find(({ sort }) => sort.direction)
  return (
    <>
      <Select
        size="xs"
        label={t('table.order')}
        data={sorts.map(({ id, title }) => ({ value: id, label: title }))}
        value={current?.id ?? null}
        onChange={(id) => sorts.find((each) => each.id === id)?.sort.next()}
        comboboxProps={{ withinPortal: false }}
      />
      {current && (
        <Button size="compact-sm" variant="subtle" onClick={current.sort.next}>
          {t(current.sort.direction === 'descending' ? 'table.descending' : 'table.ascending')}
        </Button>
      )}
    </>
  )
}
