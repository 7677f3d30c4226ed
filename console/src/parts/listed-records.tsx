import { createContext, type ReactNode, useContext } from 'react'

const Listed = createContext<string[]>([])

/** Provides the records of a list, in order, to the record that is open beside it. */
export function ListedRecords({ ids, children }: { ids: string[]; children: ReactNode }) {
  return <Listed value={ids}>{children}</Listed>
}

/** The previous and the next record in the list. */
export function useNeighbours(id: string): { previous?: string; next?: string } {
  const ids = useContext(Listed)
  const at = ids.indexOf(id)
  return at < 0 ? {} : { previous: ids[at - 1], next: ids[at + 1] }
}
