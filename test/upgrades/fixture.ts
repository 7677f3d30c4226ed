/** A small school as an earlier version stored it, and the responses of that version about it. */
export interface Fixture {
  schema: number
  account: { app_id: string; user_api_secret: string }
  answers: { question: string; data: unknown }[]
  /** Table and row, the row as a JSON text. */
  rows: [table: string, row: string][]
}

/** Calls that every version responds to. */
export function questions(
  corp_id: string,
  { users, orders }: Record<'users' | 'orders', string[]>,
): string[] {
  const entity = '/api/v5/entity'
  return [
    `${entity}/order/list?corp_id=${corp_id}&page_size=100`,
    `${entity}/order/list?corp_id=${corp_id}&status=success`,
    `${entity}/order/financial/list?corp_id=${corp_id}&page_size=100`,
    `${entity}/tags/group/list?corp_id=${corp_id}&category=test&start_index=0&step=20`,
    ...orders.map((order_id) => `${entity}/order/fetch?corp_id=${corp_id}&order_id=${order_id}`),
    ...users.flatMap((user_id) => [
      `${entity}/profile/fetch?corp_id=${corp_id}&user_id=${user_id}`,
      `${entity}/user/contact/fetch?corp_id=${corp_id}&user_id=${user_id}&contact_type=mobile`,
      `${entity}/user/tags/list?corp_id=${corp_id}&user_id=${user_id}`,
    ]),
  ]
}
