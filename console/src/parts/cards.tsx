import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './cards.module.css'
import { type Column, contentOf, isControl } from './table-rows.tsx'

interface CardsProps<Row> {
  label: string | undefined
  rows: Row[]
  rowId(row: Row): string
  columns: Column<Row>[]
  /** Absent: nothing opens. */
  onOpen?: ((row: Row) => void) | undefined
  openId?: string | undefined
  /** Undefined: rows cannot be selected. */
  selected?: ReadonlySet<string> | undefined
  toggle?(id: string): void
  /** More cards are shown by a button. */
  most?: number
  /** Sums below the cards, as cards. */
  foot?: FootRow[] | undefined
}

/** A row of sums: its label takes the first columns. */
export interface FootRow {
  id: string
  label: ReactNode
  /** By the id of the column. */
  cells: Record<string, ReactNode>
}

/** The rows of a table on a phone: what each is first, its status or amount beside it, then the details and the actions. */
export function Cards<Row>(props: CardsProps<Row>) {
  const { label, rows, rowId, columns, onOpen, openId, selected, toggle } = props
  const { most = rows.length, foot = [] } = props
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, most)
  const of = (place: Column<Row>['card']) => columns.filter((column) => placeOf(columns, column) === place)
  const [titles, values, details, actions] = [of('title'), of('value'), of('detail'), of('action')]
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without marks is no list for Safari, unless it says so.
    <ul role="list" className={classes.cards} aria-label={label}>
      {shown.map((row) => {
        const id = rowId(row)
        const title = titles.map((column) => <span key={column.id}>{contentOf(column, row)}</span>)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the title is a button for the keys.
          <li
            key={id}
            className={classes.card}
            data-open={id === openId || undefined}
            data-opens={!!onOpen || undefined}
            onClick={(event) => !isControl(event) && onOpen?.(row)}
          >
            <div className={classes.top}>
              {selected && toggle && (
                <Checkbox
                  aria-label={t('keys.select')}
                  checked={selected.has(id)}
                  onChange={() => toggle(id)}
                />
              )}
              {onOpen ? (
                <UnstyledButton className={classes.title} onClick={() => onOpen(row)}>
                  {title}
                </UnstyledButton>
              ) : (
                <div className={classes.title}>{title}</div>
              )}
              <div className={classes.values}>
                {values.map((column) => (
                  <div key={column.id}>{contentOf(column, row)}</div>
                ))}
              </div>
            </div>
            <Details of={details.map((column) => [column, contentOf(column, row)])} />
            {actions.length > 0 && (
              <div className={classes.actions}>
                {actions.map((column) => (
                  <div key={column.id}>{contentOf(column, row)}</div>
                ))}
              </div>
            )}
          </li>
        )
      })}
      {shown.length < rows.length && (
        <li>
          <Button fullWidth variant="default" onClick={() => setWhole(true)}>
            {t('record.showAll', { count: rows.length })}
          </Button>
        </li>
      )}
      {foot.map(({ id, label: name, cells }) => (
        <li key={id} className={classes.card} data-sum>
          <div className={classes.title}>{name}</div>
          <Details of={columns.map((column) => [column, cells[column.id]])} />
        </li>
      ))}
    </ul>
  )
}

/** The values of a row, each with the title of its column. */
function Details<Row>({ of }: { of: [Column<Row>, ReactNode][] }) {
  const known = of.filter(([, content]) => content !== undefined && content !== null && content !== '')
  if (known.length === 0) return null
  return (
    <dl className={classes.details}>
      {known.map(([{ id, title, group }, content]) => (
        <div key={id}>
          <dt>{group ? `${title} (${group})` : title}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The first column is the title, columns without a name hold actions, and all others are details; unless they say otherwise. */
function placeOf<Row>(columns: Column<Row>[], column: Column<Row>): NonNullable<Column<Row>['card']> {
  if (column.card) return column.card
  if (column.title === '') return 'action'
  const hasTitle = columns.some(({ card }) => card === 'title')
  return !hasTitle && column === columns[0] ? 'title' : 'detail'
}
