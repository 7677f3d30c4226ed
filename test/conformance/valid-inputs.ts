import { signatureOf } from '../../src/access/tokens/signature.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import type { TSchema } from '../../src/contract/type.ts'
import type { School } from './school.ts'

export type Input = Record<string, unknown>

/**
 * A valid input of the operation for this school. Its example has the parameters of a valid call; those that
 * name records or must be new are replaced, the rest is taken as the example has it.
 */
export function validInput(endpoint: Endpoint, school: School): Input {
  const input: Input = {}
  for (const [name, example] of Object.entries(endpoint.example.input as Input)) {
    input[name] = parameterValue(endpoint, name, example, school)
  }
  Object.assign(input, usedUp[endpoint.id]?.(school))
  if (endpoint.scope === 'public') Object.assign(input, signed(school))
  return input
}

function parameterValue(endpoint: Endpoint, name: string, example: unknown, school: School): unknown {
  const resolve = resolvers[name]
  if (resolve) return resolve(school)
  const isIdOfRecord = /(^|_)id$/.test(name) && endpoint.scope === 'organization'
  if (!isIdOfRecord) return example
  throw new Error(
    `No valid input for ${endpoint.id}: tell test/conformance/valid-inputs.ts how to find a ${name}.`,
  )
}

/** Parameters that name a record of the organization: those of another organization must look missing. */
export const recordParameters = [
  'user_id',
  'lead_id',
  'order_id',
  'sub_order_id',
  'payment_id',
  'payer_id',
  'course_id',
  'tags_group_id',
  'entity_id',
  'import_id',
  'export_id',
  'document_id',
  'event_id',
  'endpoint_id',
  'delivery_id',
  'batch_id',
  'merge_id',
  'merged_user_id',
  'request_id',
  'account_id',
  'statement_id',
  'file_id',
] as const

const resolvers: Record<string, (school: School) => unknown> = {
  corp_id: ({ corp_id }) => corp_id,
  user_id: ({ user_id }) => user_id,
  user_ids: ({ user_id }) => [user_id],
  lead_id: ({ lead_id }) => lead_id,
  order_id: ({ order_id }) => order_id,
  sub_order_id: ({ sub_order_id }) => sub_order_id,
  payment_id: ({ payment_id }) => payment_id,
  payer_id: ({ payer_id }) => payer_id,
  refund_id: ({ stock }) => stock!.nextRefund(),
  transfer_id: ({ stock }) => stock!.nextTransfer(),
  from_order_id: ({ stock }) => stock!.nextPaid().order_id,
  to_order_id: ({ stock }) => stock!.nextOpen(),
  course_id: ({ course_id }) => course_id,
  course_code: () => `code-${newId()}`,
  coupon_id: () => `coupon-${newId()}`,
  external_id: () => `external-${newId()}`,
  contract_id: () => `contract-${newId()}`,
  charge_id: () => `charge-${newId()}`,
  tags_group_id: ({ tags_group_id }) => tags_group_id,
  entity_id: ({ entity_id }) => entity_id,
  import_id: ({ import_id }) => import_id,
  export_id: ({ export_id }) => export_id,
  document_id: ({ document_id }) => document_id,
  event_id: ({ event_id }) => event_id,
  // The event is about itself.
  record_id: ({ event_id }) => event_id,
  endpoint_id: ({ endpoint_id }) => endpoint_id,
  delivery_id: ({ delivery_id }) => delivery_id,
  payment_request_id: ({ stock }) => stock!.nextPaymentRequest(),
  subject_id: ({ stock }) => stock!.nextOpen(),
  batch_id: ({ batch_id }) => batch_id,
  merge_id: ({ merge_id }) => merge_id,
  merged_user_id: ({ merged_user_id }) => merged_user_id,
  request_id: ({ request_id }) => request_id,
  account_id: ({ account_id }) => account_id,
  statement_id: ({ statement_id }) => statement_id,
  file_id: ({ file_id }) => file_id,
  // The pair is in `usedUp`.
  line_id: () => '',
  other_line_id: () => '',
  line_ids: ({ stock }) => [stock!.nextLine()],
  attribute: ({ attribute }) => attribute,
  category: ({ category }) => category,
  pool: ({ pool }) => pool,
  owner_id: () => `adviser-${newId()}`,
  variable_name: () => `variable_${newId()}`,
  entry_id: () => `entry-${newId()}`,
  email: () => `${newId()}@example.com`,
  mobile: () => String(13_000_000_000 + Math.floor(Math.random() * 1_000_000_000)),
}

/** Operations that need a record in a certain state, and leave it in another. */
const usedUp: Record<string, (school: School) => Input> = {
  // A dry run uses up neither records nor keys.
  bulkUpdateUsers: () => ({ dry_run: false }),
  appendLeadFile: ({ uploading_id }) => ({ import_id: uploading_id }),
  discardLeadFile: ({ stock }) => ({ import_id: stock!.nextFile() }),
  planLeadFile: ({ uploaded_id }) => ({ import_id: uploaded_id }),
  mergeUsers: ({ stock }) => ({ merged_user_id: stock!.nextPublic() }),
  unmergeUsers: ({ stock }) => ({ merge_id: stock!.nextMerge() }),
  undoChanges: ({ stock }) => ({ batch_id: stock!.nextBatch() }),
  updateOrder: ({ stock }) => ({ order_id: stock!.nextOpen() }),
  updateStatus: ({ stock }) => ({ order_id: stock!.nextOpen() }),
  createPayment: ({ stock }) => ({ order_id: stock!.nextOpen() }),
  erasePayer: () => ({ confirm_debt: true }),
  createWebhookEndpoint: () => ({ url: `https://hooks.example.com/${newId()}` }),
  recordReceipt: ({ stock }) => ({ allocations: [{ order_id: stock!.nextOpen(), price: 1 }] }),
  claimUser: ({ stock }) => ({ user_id: stock!.nextPublic() }),
  releaseUser: () => ({ owner_id: `adviser-${newId()}` }),
  voidPayment: ({ stock }) => ({ payment_id: stock!.nextPaid().payment_id }),
  applyPayment: ({ stock }) => ({ payment_id: stock!.nextUnapplied(), order_id: stock!.nextOpen() }),
  unapplyPayment: ({ stock }) => stock!.nextPaid(),
  transferMoney: () => ({ price: 1 }),
  writeOffOrder: ({ stock }) => ({ order_id: stock!.nextOpen() }),
  movePayment: ({ stock }) => ({
    payment_id: stock!.nextUnapplied(),
    to_order_id: stock!.foreign,
    settled_price: 1,
  }),
  reverseRefund: ({ stock }) => ({ refund_id: stock!.nextRefund() }),
  reverseVoid: ({ stock }) => ({ payment_id: stock!.nextVoid() }),
  reverseTransfer: ({ stock }) => ({ transfer_id: stock!.nextTransfer() }),
  reverseWriteOff: ({ stock }) => ({ order_id: stock!.nextWrittenOff() }),
  approveRequest: ({ stock }) => ({ request_id: stock!.nextRequest() }),
  declineRequest: ({ stock }) => ({ request_id: stock!.nextRequest() }),
  createRefund: ({ stock }) => ({
    order_id: stock!.paid,
    sub_order_id: stock!.paid,
    price: 1,
    reason: 'Agreed',
  }),
  mailPaymentRequest: ({ stock }) => {
    const payment_request_id = stock!.nextPaymentRequest()
    return { payment_request_id, token: payment_request_id }
  },
  requestPayment: ({ stock }) => ({ order_id: stock!.nextOpen() }),
  issueDocument: ({ stock }) => ({ kind: 'invoice', subject_id: stock!.nextOpen() }),
  // An existing event: without one, a call that may wait does so.
  listEvents: () => ({ types: 'ping' }),
  createCashUp: () => ({ day: anyDay(), lines: [] }),
  createBankAccount: () => ({ name: `bank-${newId()}` }),
  openStatement: () => ({ name: `statement-${newId()}` }),
  appendStatementLines: () => ({ first_number: Math.ceil(Math.random() * 1_000_000) }),
  appendStatementFile: ({ bank_upload_id }) => ({ file_id: bank_upload_id }),
  importStatementFile: () => ({ mapping: {} }),
  transferBankLines: ({ stock }) => stock!.nextPayout(),
  matchBankLines: () => ({ payment_ids: [], book: [{ as: 'fee', price: 1000 }] }),
}

/** A day of the years from 2000 to 2019. */
function anyDay(): string {
  const days = Math.floor(Math.random() * 7300)
  return new Date(Date.UTC(2000, 0, 1 + days)).toISOString().slice(0, 10)
}

/** A token request of the school's account. */
function signed({ account: { app_id, user_api_secret } }: Pick<School, 'account'>): Input {
  const time_stamp = String(Math.floor(Date.now() / 1000))
  return { app_id, time_stamp, signature: signatureOf(app_id, time_stamp, user_api_secret) }
}

export interface Parameter {
  name: string
  types: string[]
  isRequired: boolean
  schema: TSchema & {
    maxLength?: number
    minimum?: number
    maximum?: number
    format?: string
    enum?: string[]
  }
}

export function parametersOf({ input }: Endpoint): Parameter[] {
  const required = new Set(input.required as string[] | undefined)
  return Object.entries(input.properties as Record<string, Parameter['schema']>).map(([name, schema]) => ({
    name,
    schema,
    types: [(schema as { type?: string }).type ?? []].flat(),
    isRequired: required.has(name),
  }))
}
