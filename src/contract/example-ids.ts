/** The ids in the examples of operations. One record has the same id in every example. */
export const exampleIds = {
  corp_id: 'northgate',
  app_id: '0198c0de5a3b7c41a2f0d8e6b4937215',
  staff_id: '0198c0de77777c41a2f0d8e6b4937215',
  administrator_id: '0198c0de66667c41a2f0d8e6b4937215',
  owner_id: 'adviser-7',
  user_id: '0198c0de5a3b7c41a2f0d8e6b4937401',
  other_user_id: '0198c0de5a3b7c41a2f0d8e6b4937402',
  tags_group_id: '0198c0de5a3b7c41a2f0d8e6b4937301',
  tag_id: '0198c0de5a3b7c41a2f0d8e6b4937501',
  lead_id: '0198c0de5a3b7c41a2f0d8e6b4937601',
  other_lead_id: '0198c0de5a3b7c41a2f0d8e6b4937602',
  follow_up_id: '0198c0de5a3b7c41a2f0d8e6b4937701',
  audit_entry_id: '0198c0deaaaa7c41a2f0d8e6b4937215',
  request_id: '0198c0debbbb7c41a2f0d8e6b4937215',
} as const
