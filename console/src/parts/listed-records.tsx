import { createContext, type ReactNode, useContext } from 'react'

const Listed = createContext<string[]>([])

/** The records of a list in its order, for the one that stands open beside it. */
export function ListedRecords({ ids, children }: { ids: string[]; children: ReactNode }) {
  return <Listed value={ids}>{children}</Listed>
}

/** What comes before and after a record in the list that it was opened from. */
export function useNeighbours(id: string): { previous?: string; next?: string } {
  const ids = useContext(Listed)
  const at = ids.indexOf(id)
  return at < 0 ? {} : { previous: ids[at - 1], next: ids[at + 1] }
}
