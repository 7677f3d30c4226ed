/** The table of operations: by group and method, how each is called. */
export type Table = Record<string, Record<string, string>>

export interface Operation {
  /** Group and method, such as orders.list. */
  name: string
  method: string
  /** From the first slash, as it is signed. */
  path: string
  isSigned: boolean
  /** How a list is read to its end. */
  paging: string | undefined
}

/** Reads an entry of the table, such as `GET entity/order/list page`. */
export function operationOf(name: string, entry: string): Operation {
  const [verb = '', path, paging] = entry.split(' ')
  return {
    name,
    method: verb.replace('!', ''),
    path: `/api/v5/${path}`,
    isSigned: verb.endsWith('!'),
    paging,
  }
}
