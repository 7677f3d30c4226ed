import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './head-cell.module.css'
import { Icon } from './icon.tsx'
import { leastWidth, mostWidth } from './use-column-widths.ts'
import type { ColumnSort } from './use-table-sort.ts'

interface HeadCellProps {
  /** Empty: a column of actions. */
  title: string
  isNumber: boolean | undefined
  /** Stays visible while the table scrolls sideways. */
  isFirst?: boolean
  /** Absent: nothing sorts by this column. */
  sort: ColumnSort | undefined
  /** Absent: the column always fits its content. Without `px` it fits until the person gives it a width. */
  width?: { px: number | undefined; set(px: number | undefined): void }
  style?: CSSProperties
}

/** The head of a column of every table: its title sorts, and its edge changes the width. */
export function HeadCell({ title, isNumber, isFirst, sort, width, style }: HeadCellProps) {
  const { t } = useTranslation()
  const name = title || t('table.actions')
  return (
    <th
      scope="col"
      className={classes.head}
      data-number={isNumber || undefined}
      data-first={isFirst || undefined}
      style={style}
      // Otherwise the edge would be part of the name of the column.
      aria-label={name}
      aria-sort={sort && (sort.direction ?? 'none')}
    >
      {sort ? (
        <UnstyledButton className={classes.sort} onClick={sort.next} aria-label={t('table.sortBy', { name })}>
          {title}
          <span className={classes.arrow} data-direction={sort.direction}>
            <Icon name={sort.direction === 'descending' ? 'down' : 'up'} size={12} />
          </span>
        </UnstyledButton>
      ) : (
        title || <VisuallyHidden>{name}</VisuallyHidden>
      )}
      {width && <Edge name={name} {...width} />}
    </th>
  )
}

const stepPx = 16

/** The edge of a column: dragged, or moved by the arrow keys. A double click or Enter fits the column to its content. */
function Edge({ name, px, set }: { name: string } & NonNullable<HeadCellProps['width']>) {
  const { t } = useTranslation()
  const drag = (down: PointerEvent<HTMLElement>) => {
    const edge = down.currentTarget
    const before = widthOf(edge)
    edge.setPointerCapture(down.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => set(before + clientX - down.clientX)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), {
      once: true,
    })
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    set(step === undefined ? undefined : widthOf(event.currentTarget) + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no <hr>.
    <span
      role="separator"
      tabIndex={0}
      className={classes.edge}
      aria-label={t('table.widthOf', { name })}
      title={t('table.widthHint')}
      aria-orientation="vertical"
      aria-valuemin={leastWidth}
      aria-valuemax={mostWidth}
      aria-valuenow={px ?? leastWidth}
      aria-valuetext={px === undefined ? t('table.widthFits') : `${px} px`}
      onPointerDown={drag}
      onKeyDown={press}
      onDoubleClick={() => set(undefined)}
    />
  )
}

const widthOf = (edge: HTMLElement) => edge.closest('th')!.offsetWidth
