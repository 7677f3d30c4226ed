import { useState } from 'react'
import { kept } from '../app/kept.ts'

interface Choosable {
  id: string
  isExtra?: boolean
}

/** Which columns of a table somebody wants to see: their choice, kept by the browser, or else the usual ones. */
export function useChosenColumns(name: string, columns: Choosable[]) {
  const keeper = kept(`columns.${name}`)
  const [chosen, setChosen] = useState(() => keeper.read()?.split(','))
  const usual = columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id)
  const shown = new Set(chosen ?? usual)
  // A choice of an earlier version may name none that there is.
  const isSensible = columns.some(({ id }) => shown.has(id))
  return {
    isShown: (id: string) => (isSensible ? shown.has(id) : usual.includes(id)),
    choose(ids: string[]) {
      keeper.write(ids.join(','))
      setChosen(ids)
    },
  }
}
