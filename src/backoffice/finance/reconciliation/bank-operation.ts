/** Members that all operations of bank reconciliation share. */
export const bankOperation = { group: 'Finance', since: 'Ver5.2026-11-18', permission: 'finance' } as const

/** Ids of the examples. */
export const exampleBank = {
  corp_id: '0198c0de00007c41a2f0d8e6b4937215',
  account_id: '0198c0decccc7c41a2f0d8e6b4937215',
  statement_id: '0198c0dedddd7c41a2f0d8e6b4937215',
  file_id: '0198c0defffe7c41a2f0d8e6b4937215',
  line_id: '5f1c8d0e7b2a9463c1e0f7a8d5b6924e',
  other_line_id: '9b3e6a1c5d7f2048e1c9b7a5d3f10264',
  match_id: '0198c0deeeee7c41a2f0d8e6b4937215',
  payment_id: '0198c0de44447c41a2f0d8e6b4937215',
} as const
