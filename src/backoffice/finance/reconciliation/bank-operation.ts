/** Members that all operations of bank reconciliation share. */
export const bankOperation = { group: 'Finance', since: 'Ver5.2026-11-18', permission: 'finance' } as const

/** Ids of the examples. */
export const exampleBank = {
  corp_id: 'lakeside',
  account_id: '01906bce81307d56bff8fb53038383fe',
  statement_id: '01906bce90d07f43b887dde5db4431cf',
  file_id: '0198c0defffe7c41a2f0d8e6b4937215',
  line_id: '24540b6643983622261c9ec386bf92e7',
  other_line_id: '9b3e6a1c5d7f2048e1c9b7a5d3f10264',
  match_id: '0198c0deeeee7c41a2f0d8e6b4937215',
  payment_id: '01a0121322587365aa30fc31c91b3d5f',
} as const
