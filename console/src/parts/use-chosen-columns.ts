import { useMemo, useState } from 'react'
import { localSetting } from '../app/local-setting.ts'

interface Choosable {
  id: string
  isExtra?: boolean
}

/** The visible columns of a table: the person's choice from local storage, otherwise the defaults. */
export function useChosenColumns<Column extends Choosable>(name: string, columns: Column[]) {
  const keeper = localSetting(`columns.${name}`)
  const [chosen, setChosen] = useState(() => keeper.read()?.split(','))
  // The same array for the same choice, so that no row renders again.
  const shown = useMemo(() => {
    const wanted = columns.filter(({ id }) => chosen?.includes(id))
    // A choice from an earlier version may name no existing column.
    return wanted.length > 0 ? wanted : columns.filter(({ isExtra }) => !isExtra)
  }, [chosen, columns])
  return {
    shown,
    choose(ids: string[]) {
      keeper.write(ids.join(','))
      setChosen(ids)
    },
  }
}
