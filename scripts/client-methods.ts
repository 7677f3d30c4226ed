// The method of the client for each operation of the OpenAPI document: `createTagGroup` is `m.tagGroups.create`.

export interface MethodName {
  group: string
  method: string
}

/** Records by their name in operation ids, each with its group. The longest name that fits counts. */
const nouns: Record<string, string> = {
  Approval: 'approvals',
  Audit: 'audit',
  BankAccount: 'bankAccounts',
  BankLine: 'bankLines',
  Batch: 'batches',
  CashUp: 'cashUps',
  Change: 'changes',
  Closing: 'closings',
  Coupon: 'coupons',
  Course: 'courses',
  Debt: 'debts',
  Document: 'documents',
  Erasure: 'erasures',
  Event: 'events',
  Export: 'exports',
  FollowUp: 'followUps',
  Lead: 'leads',
  LeadFile: 'leadFiles',
  Numbers: 'numbers',
  Order: 'orders',
  Organization: 'organization',
  Payer: 'payers',
  Payment: 'payments',
  PaymentRequest: 'paymentRequests',
  Refund: 'refunds',
  Statement: 'bankStatements',
  StatementFile: 'statementFiles',
  TagGroup: 'tagGroups',
  Token: 'tokens',
  User: 'users',
  UserTag: 'userTags',
  Webhook: 'webhooks',
  WebhookDelivery: 'webhookDeliveries',
  WebhookEndpoint: 'webhooks',
}

/** Names that the rule would make awkward or ambiguous. */
const renamed: Record<string, MethodName> = {
  approveRequest: { group: 'approvals', method: 'approve' },
  declineRequest: { group: 'approvals', method: 'decline' },
  describeOrganization: { group: 'organization', method: 'fetch' },
  fetchUsage: { group: 'organization', method: 'fetchUsage' },
  importLeads: { group: 'leads', method: 'importMany' },
  listFunnelLeads: { group: 'numbers', method: 'listFunnelLeads' },
  listRecordEvents: { group: 'events', method: 'listOfRecord' },
  listUnallocated: { group: 'payments', method: 'listUnallocated' },
  recordReceipt: { group: 'payments', method: 'recordReceipt' },
  requestPayment: { group: 'paymentRequests', method: 'create' },
  reverseVoid: { group: 'payments', method: 'reverseVoid' },
}

const nounPattern = Object.keys(nouns)
  .toSorted((one, other) => other.length - one.length)
  .join('|')
/** A name is singular or plural, and ends where the next word begins. */
const ending = '(?:s|es)?(?![a-z])'
const afterVerb = new RegExp(
  `^([a-z]+)(${nounPattern.replace('Delivery', 'Deliver(?:y|ies)')})${ending}(.*)$`,
)
const atEnd = new RegExp(`^(.+?)(${nounPattern})(?:s|es)?$`)

/** An operation without a known record keeps its id in the group of its tag. */
export function methodNameOf(operationId: string, tag: string): MethodName {
  const { [operationId]: chosen } = renamed
  if (chosen) return chosen
  const [, verb, noun, rest = ''] = afterVerb.exec(operationId) ?? atEnd.exec(operationId) ?? []
  if (verb === undefined || noun === undefined) return { group: camelCase(tag), method: operationId }
  return { group: nouns[noun.replace('Deliveries', 'Delivery')]!, method: verb + rest }
}

/** The iterator of a listing method: `list` is `iterate`, `listPayments` is `iteratePayments`, `search` is `iterateSearch`. */
export function iteratorNameOf(method: string): string {
  const rest = method.replace(/^list/, '')
  return `iterate${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`
}

function camelCase(tag: string): string {
  const [first = '', ...others] = tag.split(' ')
  return [first.toLowerCase(), ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('')
}
