import { type CSSProperties, useCallback, useMemo, useState } from 'react'
import { localSetting } from '../app/local-setting.ts'

export type Widths = Record<string, number>

export const leastWidth = 48
export const mostWidth = 900

/** The widths that the person has given to columns of a table, in pixels. All others fit their content. */
export function useColumnWidths(name: string) {
  const [widths, setWidths] = useState<Widths>(() => read(name))
  const setWidth = useCallback(
    (column: string, width: number | undefined) =>
      setWidths(({ [column]: _, ...others }) => {
        const next =
          width === undefined
            ? others
            : { ...others, [column]: Math.round(Math.min(Math.max(width, leastWidth), mostWidth)) }
        localSetting(`widths.${name}`).write(JSON.stringify(next))
        return next
      }),
    [name],
  )
  const fit = useCallback(() => {
    localSetting(`widths.${name}`).write('{}')
    setWidths({})
  }, [name])
  /** The table declares the widths, so that a drag does not render the rows again. */
  const style = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(widths).map(([column, px]) => [variableOf(column), `${px}px`]),
      ) as CSSProperties,
    [widths],
  )
  return { widths, setWidth, fit, style }
}

/** The style of every cell of a column: the width that the table declares, otherwise that of the content. */
export function cellWidth(column: string): CSSProperties {
  return { '--cell-width': `var(${variableOf(column)})` } as CSSProperties
}

const variableOf = (column: string) => `--width-${column}`

function read(name: string): Widths {
  try {
    const read: unknown = JSON.parse(localSetting(`widths.${name}`).read() ?? '{}')
    const entries = Object.entries(read ?? {}) as [string, unknown][]
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  } catch {
    return {}
  }
}
