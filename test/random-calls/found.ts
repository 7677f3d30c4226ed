/** The records that a history of random calls has produced so far. Later calls choose among them. */
export interface Found {
  user_id: string
  orders: string[]
  payments: FoundMoney[]
  refunds: FoundMoney[]
  transfers: string[]
  /** Accounts of payers, with their unallocated money. */
  accounts: string[]
  payers: string[]
  /** Requests that wait for a second person. */
  requests: string[]
  bankAccounts: string[]
  statements: FoundStatement[]
  lines: FoundLine[]
}

/** A payment or refund as a statement reports it. */
export interface FoundMoney {
  id: string
  price: number
  charge_id?: string
}

export interface FoundStatement {
  statement_id: string
  next: number
  /** The difference between its balances and its lines. */
  missing: number
}

export interface FoundLine {
  line_id: string
  gross: number
  /** The payment or refund that the line reports. */
  of?: string
}

export const nothingFound = (user_id: string): Found => ({
  user_id,
  orders: [],
  payments: [],
  refunds: [],
  transfers: [],
  accounts: [],
  payers: [],
  requests: [],
  bankAccounts: [],
  statements: [],
  lines: [],
})

/** One of the records, chosen by a random number. */
export function pickFrom<One>(all: One[], n: number): One | undefined {
  return all[n % Math.max(1, all.length)]
}
