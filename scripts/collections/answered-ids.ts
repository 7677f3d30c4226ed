/**
 * Ids that no school has before an earlier example made the record: by operation and parameter, the operation whose answer has
 * the id. All other examples name records of the sample school.
 */
export const answeredIds: Record<string, Record<string, string>> = {
  reverseTransfer: { transfer_id: 'transferMoney' },
  erasePayer: { payer_id: 'createPayer' },
  appendLeadFile: { import_id: 'createLeadFile' },
  planLeadFile: { import_id: 'createLeadFile' },
  discardLeadFile: { import_id: 'createLeadFile' },
  unmergeUsers: { merge_id: 'mergeUsers' },
  undoChanges: { batch_id: 'bulkUpdateUsers' },
  fetchChanges: { batch_id: 'bulkUpdateUsers' },
  listLeftAloneRecords: { batch_id: 'undoChanges' },
  declineRequest: { request_id: 'reverseClosing' },
  openStatement: { account_id: 'createBankAccount' },
  appendStatementLines: { statement_id: 'openStatement' },
  appendStatementFile: { file_id: 'createStatementFile' },
  importStatementFile: { file_id: 'createStatementFile' },
  transferBankLines: { line_id: 'listBankLines' },
  fetchExport: { export_id: 'createExport' },
  fetchEvent: { event_id: 'listEvents' },
  updateWebhookEndpoint: { endpoint_id: 'createWebhookEndpoint' },
  rotateWebhookSecret: { endpoint_id: 'createWebhookEndpoint' },
  pingWebhookEndpoint: { endpoint_id: 'createWebhookEndpoint' },
  enableWebhookEndpoint: { endpoint_id: 'createWebhookEndpoint' },
  listWebhookDeliveries: { endpoint_id: 'createWebhookEndpoint' },
  fetchWebhookDelivery: { delivery_id: 'listWebhookDeliveries' },
  replayWebhookDeliveries: { endpoint_id: 'createWebhookEndpoint' },
  removeWebhookEndpoint: { endpoint_id: 'createWebhookEndpoint' },
}

/** The ids that later examples take from the answer of an operation. */
export function keptIds(operation: string): string[] {
  const taken = Object.values(answeredIds).flatMap((ids) => Object.entries(ids))
  return [...new Set(taken.flatMap(([name, source]) => (source === operation ? [name] : [])))]
}

/** The id in the data of an answer, which may be a list of records. */
export function answeredId(data: Record<string, unknown>, name: string): unknown {
  return data[name] ?? (data.list as Record<string, unknown>[] | undefined)?.[0]?.[name]
}
