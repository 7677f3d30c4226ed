import { useState } from 'react'
import { localSetting } from '../app/local-setting.ts'

interface Choosable {
  id: string
  isExtra?: boolean
}

/** The visible columns of a table: the person's choice from local storage, otherwise the defaults. */
export function useChosenColumns(name: string, columns: Choosable[]) {
  const keeper = localSetting(`columns.${name}`)
  const [chosen, setChosen] = useState(() => keeper.read()?.split(','))
  const usual = columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id)
  const shown = new Set(chosen ?? usual)
  // A choice from an earlier version may name no existing column.
  const isSensible = columns.some(({ id }) => shown.has(id))
  return {
    isShown: (id: string) => (isSensible ? shown.has(id) : usual.includes(id)),
    choose(ids: string[]) {
      keeper.write(ids.join(','))
      setChosen(ids)
    },
  }
}
