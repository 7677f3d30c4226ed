// Generated from the OpenAPI document by `npm run generate`. Changes here are overwritten.

import type { Amount, Minor } from '../money.ts'

/** The failures that operations can answer, by code. */
export interface ErrorCodes {
  /** A required parameter is missing. */
  40001: 'missingParameter'
  /** A parameter is invalid. */
  40002: 'invalidParameter'
  /** The request body is not a JSON object. */
  40003: 'notJson'
  /** The request carries no token. */
  40101: 'noToken'
  /** The token is invalid. */
  40102: 'invalidToken'
  /** The token has expired. */
  40103: 'expiredToken'
  /** The token was revoked. */
  40104: 'revokedToken'
  /** The signature does not match. */
  40105: 'badSignature'
  /** The time stamp is too far off or was used before. */
  40106: 'staleTimeStamp'
  /** This account signs its calls that move money, and this one is not signed. */
  40112: 'callUnsigned'
  /** The signature of the call does not match. */
  40113: 'callSignatureWrong'
  /** The signature of the call is too old, or was used before. */
  40114: 'callSignatureStale'
  /** The organization is not granted to this account. */
  40301: 'organizationNotGranted'
  /** X-APP-ID disagrees with the token. */
  40302: 'appIdMismatch'
  /** The account lacks the permission for this operation. */
  40303: 'permissionMissing'
  /** This asks for the password once more. */
  40304: 'confirmationNeeded'
  /** The account may not be used from this address. */
  40308: 'addressNotAllowed'
  /** A second person has to do this. */
  40309: 'ownRequest'
  /** The organization is suspended. */
  40310: 'organizationSuspended'
  /** The organization has used up a quota. */
  40311: 'quotaUsedUp'
  /** There is no such user in this organization. */
  40401: 'userNotFound'
  /** There is no such order in this organization. */
  40402: 'orderNotFound'
  /** There is no such tag group in this organization. */
  40403: 'tagGroupNotFound'
  /** There is no such sub-order in this order. */
  40405: 'subOrderNotFound'
  /** There is no such payment in this order. */
  40406: 'paymentNotFound'
  /** There is no such course in this organization. */
  40407: 'courseNotFound'
  /** There is no such batch in this organization. */
  40408: 'batchNotFound'
  /** There is no such coupon in this organization. */
  40409: 'couponNotFound'
  /** There is no such lead in this organization. */
  40410: 'leadNotFound'
  /** There is no such batch of changes in this organization. */
  40416: 'changeBatchNotFound'
  /** There is no such file of leads in this organization. */
  40417: 'leadImportNotFound'
  /** There is no such export in this organization. */
  40418: 'exportNotFound'
  /** There is no such approval request in this organization. */
  40423: 'approvalNotFound'
  /** Nobody who was erased had this number or address. */
  40429: 'erasureNotFound'
  /** There is no such bank account in this organization. */
  40430: 'bankAccountNotFound'
  /** There is no such bank statement in this organization. */
  40431: 'statementNotFound'
  /** There is no such statement file in this organization. */
  40432: 'statementFileNotFound'
  /** There is no such refund in this organization. */
  40440: 'refundNotFound'
  /** There is no such transfer in this organization. */
  40441: 'transferNotFound'
  /** There is no such payer in this organization. */
  40442: 'payerNotFound'
  /** There is no such document in this organization. */
  40450: 'documentNotFound'
  /** There is no such payment request in this organization. */
  40451: 'paymentRequestNotFound'
  /** There is no such event in this organization. */
  40470: 'eventNotFound'
  /** There is no such webhook endpoint in this organization. */
  40471: 'webhookEndpointNotFound'
  /** There is no such webhook delivery in this organization. */
  40472: 'webhookDeliveryNotFound'
  /** That value is already taken. */
  40901: 'taken'
  /** The record has changed since that version. */
  40902: 'staleVersion'
  /** The Idempotency-Key was used with another body. */
  40903: 'keyReused'
  /** The state of the record does not allow this. */
  40904: 'stateForbids'
  /** A call with this Idempotency-Key is still under way. */
  40905: 'keyInFlight'
  /** The cursor does not lead into the current feed. */
  41001: 'cursorExpired'
  /** The request body is too large. */
  41301: 'bodyTooLarge'
  /** The media type is not supported. */
  41501: 'unsupportedMediaType'
  /** Too many requests. */
  42901: 'tooManyRequests'
  /** An internal error occurred. */
  50001: 'internal'
  /** The service is temporarily unavailable. */
  50301: 'unavailable'
  /** The service is read-only for now. */
  50302: 'readOnly'
}

export interface ActivateTagGroupInput {
  /** ID of the tag group */
  entity_id: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface AgeDebtsData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** Sums over all pages, one per currency. */
  totals: AgeingTotal[]
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: AgeingRow[]
}

export interface AgeDebtsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface AgePayersData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: PayerDebts[]
}

export interface AgePayersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface AgeingRow {
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The adviser; "" if the orders have none. */
  owner: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Orders with an unpaid amount */
  orders: number
  /** Minor units of the currency */
  outstanding: Minor
  /** With a future deadline, or none */
  not_due: number
  /** Overdue for at most 30 days */
  days_0_30: number
  /** Minor units of the currency */
  days_31_60: Minor
  /** Minor units of the currency */
  days_61_90: Minor
  /** Minor units of the currency */
  days_over_90: Minor
}

export interface AgeingTotal {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Orders with an unpaid amount */
  orders: number
  /** Minor units of the currency */
  outstanding: Minor
  /** With a future deadline, or none */
  not_due: number
  /** Overdue for at most 30 days */
  days_0_30: number
  /** Minor units of the currency */
  days_31_60: Minor
  /** Minor units of the currency */
  days_61_90: Minor
  /** Minor units of the currency */
  days_over_90: Minor
}

export interface AllocatedOrder {
  /** The order. */
  order_id: string
  /** 0 if the order could not take it */
  price: Minor
  /** The reason why the order took nothing */
  because: string | null
  /** The sub-orders that took the amount. */
  lines: PaymentAllocation[]
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
}

export interface AppendLeadFileData {
  /** Number of bytes that were uploaded */
  received: number
  /** Size of the file */
  bytes: number
}

export interface AppendLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** Offset of the piece in the file */
  start: number
  /** The bytes in base64 */
  content: string
}

export interface AppendStatementFileData {
  /** The uploaded statement file. */
  file_id: string
  /** Number of bytes that were uploaded */
  received: number
  /** Size of the file */
  bytes: number
}

export interface AppendStatementFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The uploaded file */
  file_id: string
  /** Offset of the piece in the file */
  start: number
  /** The bytes in base64 */
  content: string
}

export interface AppendStatementLinesData {
  /** The bank statement. */
  statement_id: string
  /** Lines that are new */
  added: number
  /** Lines of the statement so far */
  lines: number
  /** closing_price − opening_price − all lines; 0 if the statement is complete */
  missing_price: Minor
}

export interface AppendStatementLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The statement */
  statement_id: string
  /** Number of the first line; the others follow */
  first_number: number
  /** The lines, in the order of the statement. */
  lines: StatementLine[]
  /** Whether these are the last lines. The balances must then agree with all lines. */
  completes?: boolean | undefined
}

export interface ApplyPaymentData {
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** The applied amount */
  price: Minor
  /** The state of the payment after the call. */
  state: "applied"
  /** The parts of the amount and the sub-orders that they belong to. */
  allocations: PaymentAllocation[]
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ApplyPaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** The amount to apply; default: all that is unapplied */
  price?: Amount | undefined
  /** Why, for the history */
  reason?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface ApprovalRequest {
  /** The request to the second person. */
  request_id: string
  /** The requested action; a retention keeps the money of a canceled order */
  kind: "refund" | "void" | "write_off" | "retention" | "discount" | "closing_reversal"
  /** "" for a reversal of a closing, as user_id and currency */
  order_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The present name of the user */
  user_name: string
  /** Minor units of the currency */
  price: Minor
  /** Of the order */
  currency: string
  /** The last day of the period whose closing is to be reversed */
  until: string
  /** The reason for the action */
  reason: string
  /** waiting: for a second person; approved; declined. */
  state: "waiting" | "approved" | "declined"
  /** The person who made the request. */
  requested_by: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** "" while it waits */
  decided_by: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  decided_time: string
  /** Why the request was declined; "" otherwise. */
  decline_reason: string
  /** The refund that the approval made, if it is one */
  refund_id: string
}

export interface ApproveRequestData {
  /** The request to the second person. */
  request_id: string
  /** The requested action; a retention keeps the money of a canceled order */
  kind: "refund" | "void" | "write_off" | "retention" | "discount" | "closing_reversal"
  /** "" for a reversal of a closing, as user_id and currency */
  order_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The present name of the user */
  user_name: string
  /** Minor units of the currency */
  price: Minor
  /** Of the order */
  currency: string
  /** The last day of the period whose closing is to be reversed */
  until: string
  /** The reason for the action */
  reason: string
  /** The state after the call. */
  state: "waiting" | "approved" | "declined"
  /** The person who made the request. */
  requested_by: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** "" while it waits */
  decided_by: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  decided_time: string
  /** Why the request was declined; "" otherwise. */
  decline_reason: string
  /** The refund that the approval made, if it is one */
  refund_id: string
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ApproveRequestInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The request_id of the operation that waits */
  request_id: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface AssignPayerData {
  /** The payment. */
  payment_id: string
  /** The payer, a record of who pays. */
  payer_id: string | null
  /** The payer until now */
  payer_before: string | null
}

export interface AssignPayerInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** The payer, a record of who pays. */
  payer_id?: string | undefined
}

export interface AssignUserTagInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the tag group */
  tags_group_id: string
  /** User ID */
  user_id: string
  /** Value of the tag */
  value: string
}

export interface BankAccount {
  /** The bank account. */
  account_id: string
  /** The name of the bank account. */
  name: string
  /** The provider of payments that arrive here; "" for a bank */
  provider: string
  /** The number that the bank writes in statements */
  number: string | null
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Balance before the first statement */
  opening_price: Minor
  /** The opening balance and all lines */
  closing_price: Minor
  /** Closing balance of the latest statement; another balance than closing_price if a statement is missing */
  stated_price: Minor | null
  /** The number of statements. */
  statements: number
  /** The number of lines of all statements. */
  lines: number
  /** Lines that are neither matched, booked nor ignored */
  open_lines: number
  /** Minor units of the currency */
  open_incoming_price: Minor
  /** Minor units of the currency */
  open_outgoing_price: Minor
}

export interface BankLine {
  /** The line of the bank statement. */
  line_id: string
  /** The bank account. */
  account_id: string
  /** The bank statement. */
  statement_id: string
  /** Number in the statement */
  number: number
  /** YYYY-MM-DD; "" where there is none */
  value_date: string
  /** Minor units; outgoing amounts are negative */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The payment provider of the charge_id. */
  provider: string
  /** The id of the charge at the payment provider. */
  charge_id: string | null
  /** The reference that the other party gave. */
  reference: string | null
  /** The other party, as the bank names it */
  payer: string | null
  /** A description for people. */
  description: string | null
  /** The fee that the gateway deducted: price + fee_price is the gross amount */
  fee_price: Minor
  /** The payout of the gateway that includes the line */
  payout_id: string | null
  /** Days since the value date */
  age: number
  /** open: not explained yet; matched: payments or refunds explain it; booked: it became a payment; ignored: with a reason. */
  state: "open" | "matched" | "booked" | "ignored"
  /** The match of the line; null while it is open. */
  match_id: string | null
  /** The rule that made the match */
  rule: "charge" | "foreign_charge" | "reference" | "reference_and_amount" | "refund" | "payout" | "gateway_fee" | "by_hand" | "booked" | "transfer" | "ignored" | null
  /** Words of the person who booked or ignored the line */
  reason: string | null
  /** The counterparts of the line, which sum to its price */
  entries: BankLineEntry[]
}

export interface BankLineBooking {
  /** payment, refund, chargeback: recorded in the ledger; fee: of the bank; difference: of a settlement in another currency; unidentified: a receipt of an unknown payer */
  as: "payment" | "refund" | "chargeback" | "fee" | "difference" | "unidentified"
  /** Minor units of the line, with its sign: refunds, chargebacks and fees are negative. Default: the rest of the line, for one part */
  price?: Amount | undefined
  /** The order of a payment, refund or chargeback */
  order_id?: string | undefined
  /** The payment that is refunded or charged back */
  payment_id?: string | undefined
  /** Of a payment; required if the currency differs from that of the order */
  exchange_rate?: number | undefined
  /** Payer of a payment, if not the user of the order */
  payer_id?: string | undefined
  /** Reason of a refund or chargeback, or a note */
  reason?: string | undefined
}

export interface BankLineEntry {
  /** Kind of the counterpart. */
  kind: "payment" | "refund" | "fee" | "difference" | "transfer" | "unidentified" | "ignored"
  /** The payment. */
  payment_id: string | null
  /** The refund. */
  refund_id: string | null
  /** The line of the other account */
  transfer_line_id: string | null
  /** The price of that line */
  transfer_price: Minor | null
  /** The currency of `transfer_price`; null if it is not a transfer. */
  transfer_currency: string | null
  /** The order of the payment or refund */
  order_id: string | null
  /** Current name of the person of the order */
  user_name: string | null
  /** Minor units of the currency */
  price: Minor
}

export interface BankLineProposal {
  /** The line of the bank statement. */
  line_id: string
  /** Payments without a line; empty for an instalment */
  payment_ids: string[]
  /** The order whose next instalment the line pays, to book it there */
  order_id: string | null
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string | null
  /** Current name of the person of the order */
  user_name: string | null
  /** Certainty, below 1 */
  score: number
  /** amount: a payment of the amount; name_and_amount: whose person the line names; payments_of_day: all payments of a provider on a day; instalment: the next instalment of a person or payer that the line names */
  rule: "amount" | "name_and_amount" | "payments_of_day" | "instalment"
  /** Days between the line and the payment */
  days: number | null
  /** Other payments or instalments that also fit */
  others: number
  /** Of payments_of_day; "" for none */
  provider: string | null
  /** Of payments_of_day */
  day: string | null
}

export interface BankLineRequest {
  /** The line of the bank statement. */
  line_id: string
  /** The reference that the other party gave. */
  reference: string
  /** The order. */
  order_id: string
  /** Current name of the person of the order */
  user_name: string | null
}

export interface BankStatement {
  /** The bank statement. */
  statement_id: string
  /** The bank account. */
  account_id: string
  /** The name of the statement, unique for the account. */
  name: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The provider whose charges the account receives. */
  provider: string
  /** Minor units of the currency */
  opening_price: Minor
  /** Minor units of the currency */
  closing_price: Minor
  /** The number of lines. */
  lines: number
  /** Lines that are neither matched, booked nor ignored. */
  open_lines: number
  /** Lines that match payments or refunds. */
  matched_lines: number
  /** Lines that were booked as new payments. */
  booked_lines: number
  /** Lines that were ignored, with a reason. */
  ignored_lines: number
  /** Sum of the open lines */
  open_price: Minor
  /** closing_price − opening_price − all lines; 0 if the statement is complete */
  missing_price: Minor
  /** Whether all lines were received */
  is_complete: boolean
  /** Day of the first line, once the statement is complete */
  from_date: string | null
  /** Day of the last line, once the statement is complete */
  until_date: string | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
}

export interface Batch {
  /** The batch (intake) of the course. */
  batch_id: string
  /** The course. */
  course_id: string
  /** The name. */
  name: string
  /** YYYY-MM-DD; "" where there is none */
  start_date: string
  /** YYYY-MM-DD; "" where there is none */
  end_date: string
  /** Whether new orders can name the batch. */
  is_active: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface BulkUpdateUsersByFilter {
  /** Organization ID */
  corp_id?: string | undefined
  /** Instead of user_ids: all users that match every filter, as in user/list; {} means all users */
  filter: {
    /** First day of the range, in the zone of the organization */
    start_date?: string | undefined
    /** Last day of the range, included whole */
    end_date?: string | undefined
    /** Words of the name or their beginnings; one character is enough for a Chinese name */
    name?: string | undefined
    /** The number in any notation, or its beginning or end; for staff the whole number or its last four digits */
    mobile?: string | undefined
    /** The e-mail address, or its beginning; for staff the whole address */
    email?: string | undefined
    /** Pool of the users */
    pool?: string | undefined
    /** Owner of the users */
    owner_id?: string | undefined
    /** Status of an order of the users; none: users without orders */
    order_status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | "none" | undefined
    /** Course in a lead of the users */
    course_code?: string | undefined
    /** Import of a lead file that had a lead of the users */
    import_id?: string | undefined
    /** Tag group of a tag of the users */
    tags_group_id?: string | undefined
    /** Value of that tag, as it is assigned */
    tag_value?: string | undefined
  }
  /** The pool to move them to */
  pool?: string | undefined
  /** Owners to add */
  add_owner_ids?: string[] | undefined
  /** Owners to remove */
  remove_owner_ids?: string[] | undefined
  /** Tags to assign, one per group */
  tags?: Array<{
    /** The tag group. */
    tags_group_id: string
    /** The value to assign. */
    value: string
  }> | undefined
  /** Only report the changes; default false */
  dry_run?: boolean | undefined
}

export interface BulkUpdateUsersByUserIds {
  /** Organization ID */
  corp_id?: string | undefined
  /** The users to change */
  user_ids: string[]
  /** The pool to move them to */
  pool?: string | undefined
  /** Owners to add */
  add_owner_ids?: string[] | undefined
  /** Owners to remove */
  remove_owner_ids?: string[] | undefined
  /** Tags to assign, one per group */
  tags?: Array<{
    /** The tag group. */
    tags_group_id: string
    /** The value to assign. */
    value: string
  }> | undefined
  /** Only report the changes; default false */
  dry_run?: boolean | undefined
}

export interface BulkUpdateUsersData {
  /** The batch to undo with changes/undo; "" if nothing was changed */
  batch_id: string
  /** false: the batch continues in the background */
  is_complete: boolean
  /** Number of users that the call names or its filter matches */
  matched: number
  /** The number of changed users; null until the work is done. */
  changed: number | null
  /** The number of users that already were as wanted; null until the work is done. */
  unchanged: number | null
  /** Number of unknown IDs */
  missing: number
  /** The unknown IDs, which are skipped */
  missing_ids: string[]
  /** The users; of more than 1,000 the first 100, in a dry run */
  list: EditedUser[]
}

export type BulkUpdateUsersInput = BulkUpdateUsersByUserIds | BulkUpdateUsersByFilter

export interface CashUp {
  /** The cash-up. */
  cash_up_id: string
  /** The member of staff who took the money. */
  clerk_id: string
  /** The name of the clerk. */
  clerk_name: string
  /** YYYY-MM-DD; "" where there is none */
  day: string
  /** 1, or more for a correction */
  entry: number
  /** The entry that this one corrects */
  corrects: string
  /** Whether no later entry corrects it */
  is_current: boolean
  /** Why the entry before it was wrong */
  reason: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  at: string
  /** Takings and counted amounts, by method and currency. */
  lines: CashUpLine[]
}

export interface CashUpLine {
  /** "" for payments without a method */
  method: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The number of payments. */
  payments: number
  /** Payments that the clerk took on the day, less voids */
  taken_price: Minor
  /** Refunds that the clerk recorded on the day */
  returned_price: Minor
  /** taken_price − returned_price */
  expected_price: Minor
  /** Minor units of the currency */
  counted_price: Minor
  /** counted_price − expected_price */
  difference: number
  /** Why they differ */
  reason: string
}

export interface ChangeBatch {
  /** ID of the batch */
  batch_id: string
  /** lead_import, order_import, bulk_update, contact_update, user_merge or undo */
  kind: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** Whether nothing is left to do. */
  is_complete: boolean
  /** Number of changed records */
  changes: number
  /** Of an undo: the batch that it undoes; else "" */
  undoes_batch_id: string
  /** Of an undo: number of changes that it has not processed yet; of an edit in the background: of users */
  remaining: number
  /** The undo of this batch; else "" */
  undone_by_batch_id: string
  /** Of an undo: records that the batch had created and that it has removed */
  removed: number
  /** Of an undo: restored records */
  restored: number
  /** Of an undo: the leads among `removed` */
  removed_leads: number
  /** Of an undo: the users among `removed` */
  removed_users: number
  /** Of an undo: the leads among `restored` */
  restored_leads: number
  /** Of an undo: the users among `restored` */
  restored_users: number
  /** Of an undo: records that others have changed since, and that were not restored, or not completely */
  left_alone: number
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
}

export interface ClaimUserData {
  /** Global user ID */
  user_id: string
  /** The owner that holds the user now */
  owner_id: string
  /** Current pool of the user */
  pool: string
}

export interface ClaimUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** The owner that claims the user */
  owner_id: string
}

export interface ClosePeriodInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The last day of the period; it must be over */
  until: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface Closing {
  /** The organization. */
  corp_id: string
  /** Its place among closings and reversals, from 1 */
  number: number
  /** SHA-256 of the closing or reversal before it, as stored; "" for the first one */
  previous_hash: string
  /** The last day of the previous period; null for the first closing */
  after: string | null
  /** The last day of the period */
  until: string
  /** The IANA time zone of the organization. */
  time_zone: string
  /** The last instant of that day. An export as of this instant shows the same figures. */
  as_of: string
  /** ISO 8601, UTC, with fractional seconds */
  closed_at: string
  /** The head of the hash chain at that instant. */
  chain: ClosingChain
  /** In the currency of the orders */
  currencies: ClosingCurrency[]
  /** The same money by account and currency of receipt, as statements show it. If there are more than 500, one row per pair of currencies */
  accounts: ClosingAccount[]
}

export interface ClosingAccount {
  /** The provider that collected the money, or the method without one; "" if neither is stated */
  account: string
  /** The currency of receipt, which the amounts of the row are in */
  currency: string
  /** The currency of the orders */
  order_currency: string
  /** The balances at the beginning of the period. */
  opening: ClosingAccountBalances
  /** Minor units of the currency */
  received: Minor
  /** Voided payments, less reversed voids */
  voided: number
  /** Payments moved to orders in another currency, where they are received */
  moved: number
  /** Refunds that left the account, less reversed refunds */
  refunded: number
  /** The balances at the end of the period. */
  closing: ClosingAccountBalances
}

export interface ClosingAccountBalances {
  /** In the currency of receipt */
  held: number
  /** The same money in the currency of its orders */
  order_held: number
}

export interface ClosingBalances {
  /** Received and neither voided nor refunded */
  held: number
  /** The part of `held` that is allocated to no order */
  unapplied: number
  /** The prices of orders that can be paid, less credits and write-offs */
  claims: number
  /** The paid part of `claims` */
  covered: number
  /** claims − covered */
  outstanding: number
  /** The part of `outstanding` whose deadline has passed */
  overdue: number
}

export interface ClosingChain {
  /** Hash of the last link of the period */
  head: string
  /** The number of entries. */
  length: number
}

export interface ClosingCurrency {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The balances at the beginning of the period. */
  opening: ClosingBalances
  /** Minor units of the currency */
  received: Minor
  /** Voided payments, less reversed voids */
  voided: number
  /** Payments moved to orders in another currency, where they are received */
  moved: number
  /** Refunds, less reversed refunds */
  refunded: number
  /** Moved from order to order */
  transferred: number
  /** Money of canceled orders that was kept */
  retained: number
  /** Debts that were written off */
  written_off: number
  /** Allocated to orders, less allocations that were reversed */
  applied: number
  /** The part of `refunded` that was allocated to orders */
  returned: number
  /** Change of `claims`: orders created, canceled, repriced or written off */
  charged: number
  /** Change of `covered` */
  settled: number
  /** The part that was posted late and belongs to earlier periods. */
  earlier_periods: ClosingEarlierPeriods
  /** The balances at the end of the period. */
  closing: ClosingBalances
}

export interface ClosingEarlierPeriods {
  /** The part of `received` with a value date in an earlier period */
  received: number
  /** The part of `voided` for payments of earlier periods */
  voided: number
  /** The part of `refunded` for payments of earlier periods */
  refunded: number
}

export interface ClosingReversal {
  /** The organization. */
  corp_id: string
  /** Its place among closings and reversals */
  number: number
  /** As in closings */
  previous_hash: string
  /** The reversed closing */
  closing_number: number
  /** The last day of its period */
  until: string
  /** The reason, in the words of the person who gave it. */
  reason: string
  /** The person who asked for the reversal. */
  requested_by: string
  /** The second person, who approved it. */
  approved_by: string
  /** ISO 8601, UTC, with fractional seconds */
  reversed_at: string
}

export interface CommitLeadFileData {
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** The batch to undo with changes/undo */
  batch_id: string
  /** The state of the file after the call. */
  state: string
}

export interface CommitLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface ConfirmCertainMatchesData {
  /** Lines that were matched */
  matched: number
  /** Open lines that the next call examines; 0 if no certain match is left */
  remaining: number
}

export interface ConfirmCertainMatchesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The statement */
  statement_id?: string | undefined
  /** All statements of this account */
  account_id?: string | undefined
  /** Only return the number of lines that would be matched; default false */
  dry_run?: boolean | undefined
}

export interface CountedLine {
  /** How the money moved: card, transfer, cash. */
  method: string
  /** ISO 4217 code */
  currency: Currency
  /** The counted amount in minor units. */
  counted_price: Amount
  /** Required if the counted amount is not the expected one */
  reason?: string | undefined
}

export interface Coupon {
  /** The coupon. */
  coupon_id: string
  /** A description for people. */
  description: string
  /** Minor units of the currency; null where basis_points are taken off */
  amount: Minor | null
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Null where an amount is taken off */
  basis_points: number | null
  /** The most orders with it; null: no limit */
  max_uses: number | null
  /** The largest sum of its discounts; null: no limit */
  budget_price: Minor | null
  /** The currency of `budget_price`: an ISO 4217 code. */
  budget_currency: string
  /** The orders that have it and are neither canceled nor expired */
  uses: number
  /** The sums of its discounts on these orders */
  used: CouponUse[]
  /** In the zone of the organization; "" where there is none */
  valid_from: string
  /** In the zone of the organization; "" where there is none */
  valid_until: string
  /** Whether new orders can have the coupon. */
  is_active: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface CouponUse {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The number of orders that have the coupon. */
  uses: number
  /** Minor units of the currency */
  price: Minor
}

export interface Course {
  /** The course. */
  course_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The name. */
  name: string
  /** The name of the school that gives the course. */
  school_name: string
  /** The code of the program. */
  program_code: string
  /** The product family or line of business. */
  product_family_or_lob_category: string
  /** The name of the online application for the course. */
  online_application_name: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  listed_price: Minor
  /** In the zone of the organization; "" where there is none */
  start_time: string
  /** In the zone of the organization; "" where there is none */
  end_time: string
  /** Whether new orders can name the course. */
  is_active: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface CreateBankAccountData {
  /** The bank account. */
  account_id: string
}

export interface CreateBankAccountInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The name. */
  name: string
  /** Default: the currency of the organization */
  currency?: Currency | undefined
  /** The provider of payments that arrive here, for a gateway */
  provider?: string | undefined
  /** The number that the bank writes in statements, such as an IBAN. Statements of other accounts are then left out. */
  number?: string | undefined
  /** Balance before the first statement; default: 0 */
  opening_price?: Amount | undefined
}

export interface CreateCashUpInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Clerk who recorded the payments; default: the caller. Other clerks need the permission finance */
  clerk_id?: string | undefined
  /** A day on the calendar of the organization */
  day: string
  /** Every method and currency of the takings, once */
  lines: CountedLine[]
  /** The last cash-up of the clerk and day, if this one corrects it */
  corrects?: string | undefined
  /** Why it is corrected; required with corrects */
  reason?: string | undefined
}

export interface CreateExportData {
  /** The export. */
  export_id: string
  /** The instant that the rows show. */
  as_of: string
}

export interface CreateExportInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The rows to export. */
  what: "financial_rows" | "payments" | "refunds"
  /** The format of the file. */
  format: "csv" | "xlsx"
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
}

export interface CreateFollowUpData {
  /** ID of the follow-up */
  follow_up_id: string
}

export interface CreateFollowUpInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** Content of the follow-up */
  content: string
  /** The owner that followed up; by default the calling member of staff */
  owner_id?: string | undefined
  /** Time of the next call; the next follow-up replaces it */
  next_time?: string | undefined
}

export interface CreateLeadFileData {
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface CreateLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Name of the file; its ending tells the format */
  file_name: string
  /** Size of the file */
  bytes: number
  /** Format; default: by the file name */
  format?: "csv" | "xlsx" | "ndjson" | undefined
  /** Text encoding; default: detected */
  encoding?: string | undefined
  /** Sheet of a workbook; default: the first visible sheet with content */
  sheet?: string | undefined
  /** Row of the headers, the lower one of two; 0: the file has no headers; default: detected */
  header_row?: number | undefined
}

export interface CreateOrderData {
  /** The order. */
  order_id: string
  /** The sub-orders (instalments) in their order. */
  sub_order_ids: string[]
  /** Minor units of the currency */
  total_price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** waiting: the discount, for a second approver; the order is without it */
  state: "done" | "waiting"
  /** The id for approval/approve, if the discount waits */
  request_id: string | null
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface CreateOrderInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The buyer */
  user_id: string
  /** The caller’s own id: a repeated creation returns the same order */
  external_id?: string | undefined
  /** The course. */
  course_id?: string | undefined
  /** Instead of course_id */
  course_code?: string | undefined
  /** The batch (intake) of the course. */
  batch_id?: string | undefined
  /** The lead of this user that brought the order */
  leads_id?: string | undefined
  /** The kind of order. */
  type?: "course" | "application_fee" | "corporate_training" | "material" | "transfer" | "other" | undefined
  /** Where the order comes from. */
  source?: "open_api" | "console" | "import" | "payment_gateway" | "system" | undefined
  /** The first status */
  status?: "created" | "unconfirmed" | "tbd" | undefined
  /** Default: the course’s, else the organization’s */
  currency?: Currency | undefined
  /** Units of the order’s currency for one of this one, × 10,000 */
  exchange_rate?: number | undefined
  /** Default: the course’s */
  listed_price?: Amount | undefined
  /** After all discounts; default: the listed price less the coupons and the manual discount */
  discounted_price?: Amount | undefined
  /** Instead of discounted_price: a discount in addition to the coupons */
  manual_discount?: number | undefined
  /** Minor units of the currency */
  service_charge?: Amount | undefined
  /** Minor units of the currency */
  foreign_service_charge?: Amount | undefined
  /** The coupons that reduce the price. */
  coupon_ids?: string[] | undefined
  /** The instalments in order; they sum to the total price */
  sub_orders?: PlannedSubOrder[] | undefined
  /** Instead of sub_orders: the number of equal instalments; the last has the remainder */
  installment_count?: number | undefined
  /** Of the first equal instalment; the others follow monthly */
  first_payment_deadline?: string | undefined
  /** Owner ID to fraction of the order, of at most four decimals; they sum to 1 */
  share_proportion?: ShareProportion | undefined
  /** Minor units of the currency */
  application_fee_price?: Amount | undefined
  /** ISO 4217 code */
  application_fee_currency?: Currency | undefined
  /** The status of the application fee, as the school words it; "" if there is none. */
  application_fee_status?: string | undefined
  /** The number of the contract; "" if there is none. */
  contract_id?: string | undefined
  /** The id of the deal in another system; "" if there is none. */
  business_id?: string | undefined
  /** The id of the product in another system; "" if there is none. */
  product_id?: string | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
  course_start_time?: string | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
  course_end_time?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface CreatePayerData {
  /** The payer, a record of who pays. */
  payer_id: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface CreatePayerInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The name. */
  name: string
  /** person: pays for themselves; unknown: money arrived, and nobody knows yet from whom */
  kind?: "person" | "parent" | "employer" | "sponsor" | "other" | "unknown" | undefined
  /** The user that the payer is, where the school knows them */
  user_id?: string | undefined
  /** The person to talk to, for an employer or sponsor */
  contact_name?: string | undefined
  /** Country calling code, digits without a leading plus */
  area_code?: string | undefined
  /** National number, digits only; at most 15 digits together with area_code */
  mobile?: string | undefined
  /** The e-mail address; "" or null if there is none. */
  email?: string | undefined
  /** The postal address for invoices */
  address?: string | undefined
  /** The tax number for invoices */
  tax_number?: string | undefined
  /** The number of the payer in the books of the school; unique */
  reference?: string | undefined
  /** Remarks for colleagues. */
  remarks?: string | undefined
}

export interface CreatePaymentData {
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** The named one, or the first of the allocations */
  sub_order_id: string | null
  /** The amount in minor units of the order’s currency */
  order_price: Minor
  /** Whether the order took the money */
  applied: boolean
  /** The reason why it did not */
  because: string | null
  /** The parts of the amount and the sub-orders that they belong to. */
  allocations: PaymentAllocation[]
  /** Of the order, after this payment */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface CreatePaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The sub-order to pay first; default: the first one that is not fully paid */
  sub_order_id?: string | undefined
  /** The paid amount, in minor units of its currency */
  price: Amount
  /** Default: the order’s */
  currency?: Currency | undefined
  /** Required (or rate, or settled_price) if the currency is not the order’s */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The credited amount in the order’s currency; it takes precedence over a rate */
  settled_price?: Amount | undefined
  /** How the payment is recorded. */
  source?: "open_api" | "console" | "import" | "payment_gateway" | "system" | undefined
  /** The provider of the charge_id. Two providers may use the same id */
  provider?: string | undefined
  /** How it was paid: card, transfer, cash */
  method?: string | undefined
  /** The provider’s id: a charge is one payment, even if it is reported several times */
  charge_id?: string | undefined
  /** Record a charge again whose payment was voided, on any order; requires the permission finance. Default false */
  reinstate?: boolean | undefined
  /** The number of the receipt. It is chosen by you. */
  receipt_num?: number | undefined
  /** Comments on the payment. */
  comments?: string | undefined
  /** Payer, if not the user of the order; payer/create creates one */
  payer_id?: string | undefined
  /** The time of the payment; default: now */
  completed_time?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface CreateRefundData {
  /** waiting: for the approval of a second person */
  state: "done" | "waiting"
  /** Null while it waits */
  refund_id: string | null
  /** The id for approval/approve, if it waits */
  request_id: string | null
  /** The order. */
  order_id: string
  /** The named one, or the first of the allocations */
  sub_order_id: string | null
  /** Minor units of the currency */
  price: Minor
  /** The part that a credit note takes off the price */
  credited_price: Minor
  /** The parts of the amount and the sub-orders that they belong to. */
  allocations: RefundAllocation[]
  /** Of the order, as this refund left it */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface CreateRefundInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The sub-order to refund first, after the surplus; default: the last paid one */
  sub_order_id?: string | undefined
  /** The payment to refund; an unapplied payment can be refunded too */
  payment_id?: string | undefined
  /** The effect of a refund beyond the surplus. A credit reduces the price by a credit note; after a return the debt is open again */
  as?: "credit" | "return" | undefined
  /** The refunded amount, in minor units of the order’s currency */
  price: Amount
  /** The currency of the returned money; default: the order’s */
  currency?: Currency | undefined
  /** The returned amount in that currency; required if it is not the order’s */
  returned_price?: Amount | undefined
  /** Units of the order’s currency for one of this one, × 10,000 */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The reason for the refund */
  reason: string
  /** The provider of the charge_id. Two providers may use the same id */
  provider?: string | undefined
  /** How it was paid: card, transfer, cash */
  method?: string | undefined
  /** The provider’s id: a charge is one refund, even if it is reported several times */
  charge_id?: string | undefined
  /** The time of the refund; default: now */
  completed_time?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface CreateRemarkData {
  /** The remark. */
  id: string
  /** The order. */
  order_id: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface CreateRemarkInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The text. */
  content: string
}

export interface CreateStatementFileData {
  /** The uploaded statement file. */
  file_id: string
  /** Number of bytes that were uploaded */
  received: number
  /** Size of the file */
  bytes: number
}

export interface CreateStatementFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The bank account */
  account_id: string
  /** The name of the file. */
  file_name: string
  /** Size of the file */
  bytes: number
  /** The whole file in base64, if it is small */
  content?: string | undefined
}

export interface CreateTagGroupData {
  /** ID of the new tag group */
  tags_group_id: string
  /** Organization ID */
  corp_id: string
  /** Tag name */
  name: string
}

export interface CreateTagGroupInput {
  /** Tag name */
  name: string
  /** Tag variable name */
  variable_name: string
  /** Description */
  description: string
  /** Kind of value: define (true or false), number or string */
  attribute: "define" | "number" | "string"
  /** Category */
  category: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface CreateUserByEmail {
  /** E-mail address; letter case is ignored */
  email: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface CreateUserByMobile {
  /** Country calling code, digits without a leading plus */
  area_code: string
  /** National number, digits only; at most 15 digits together with area_code */
  mobile: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface CreateUserData {
  /** Global user ID */
  user_id: string
  /** Whether the user existed before this call */
  is_user_exists: boolean
}

export type CreateUserInput = CreateUserByMobile | CreateUserByEmail

export interface CreateWebhookEndpointInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** https address that receives POST requests, on port 443 */
  url: string
  /** Types to receive, such as order.created, order.* or *. event/type/list names them */
  types: string[]
  /** For administrators */
  description?: string | undefined
}

export type Currency = "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG"

export interface DeactivateTagGroupInput {
  /** ID of the tag group */
  entity_id: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface DebtRow {
  /** The order. */
  order_id: string
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** How long the amount is overdue. */
  span: "not_due" | "days_0_30" | "days_31_60" | "days_61_90" | "days_over_90"
  /** Days overdue; null if it is not due */
  days: number | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  payment_deadline: string
  /** Minor units of the currency */
  unpaid_price: Minor
  /** The part that counts for the figure: the share of the owner, if the query names one */
  price: Minor
}

export interface DeclineRequestInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The request_id of the operation that waits */
  request_id: string
  /** Why, for the history */
  reason?: string | undefined
}

export interface DescribeOrganizationInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface DiscardLeadFileData {
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface DiscardLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface Document {
  /** The receipt, invoice or credit note. */
  document_id: string
  /** The kind of document. */
  kind: "receipt" | "invoice" | "credit_note"
  /** As printed: without gaps in the series of its kind and year */
  number: string
  /** In the time zone of the organization */
  year: number
  /** The payment of a receipt, the order of an invoice, the refund of a credit note */
  subject_id: string
  /** The order, or the account of the payer; "" for money without an order */
  order_id: string
  /** The orders that it is about; for a receipt, those that took its payment */
  order_ids: string[]
  /** Above 1 if the invoice replaces one with another price */
  revision: number
  /** Received, invoiced or credited */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** "" where the person of the order pays */
  payer_id: string
  /** "" after an erasure */
  payer: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  issued: string
  /** The account or member of staff who made the record. */
  executor_id: string
}

export interface DocumentFact {
  /** The kind of fact. */
  label: "order" | "contract" | "paid_on" | "method" | "reference" | "own_number" | "settled" | "invoice" | "refunded_on"
  /** The fact. */
  text: string
}

export interface DocumentInstalment {
  /** YYYY-MM-DD; "" where there is none */
  due: string
  /** Minor units of the currency */
  price: Minor
}

export interface DocumentIssuer {
  /** The legal name of the organization. */
  legal_name: string
  /** The postal address of the organization. */
  address: string
  /** The tax number. */
  tax_number: string
  /** The name of the bank. */
  bank_name: string
  /** The holder of the bank account. */
  bank_account_name: string
  /** The number of the bank account. */
  bank_account_number: string
  /** The code of the bank, such as a SWIFT or sort code. */
  bank_code: string
}

export interface DocumentLine {
  /** The kind of line. Prints have its words in each language. */
  label: "item" | "coupon" | "discount" | "service_charge" | "unapplied" | "credit"
  /** Sold item, as the order names it. */
  text: string
  /** Minor units of the currency */
  price: Minor
}

export interface DocumentSum {
  /** The kind of sum. */
  label: "total" | "received" | "credited" | "refunded" | "paid" | "due"
  /** Minor units of the currency */
  price: Minor
}

export interface EditedUser {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** Full name; "" if unknown */
  name: string
  /** Effect of the edit on the user. */
  outcome: "changed" | "unchanged"
  /** After the change */
  pool: string
  /** The advisers, in the order in which they were added. */
  owner_ids: string[]
  /** Number of tags that are new or have another value */
  tags: number
}

export interface EnableWebhookEndpointInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
  /** Whether to skip the events of the meantime */
  skip_missed?: boolean | undefined
}

export interface ErasePayerData {
  /** The payer, a record of who pays. */
  payer_id: string
  /** Whether this call erased the payer; false: erased before */
  is_erased: boolean
}

export interface ErasePayerInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
  /** Why, without a word about the payer: it is kept */
  reason: string
  /** Erase a payer who still owes money, or whose money no order has; default false: refused, with the sums */
  confirm_debt?: boolean | undefined
}

export interface EraseUserData {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** Number of erased records, including the user */
  records: number
  /** Number of orders that stay */
  orders: number
}

export interface EraseUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** Why, without a word about the person: it is kept */
  reason: string
  /** Erase a person who still owes money; default false: refused, with the sum */
  confirm_debt?: boolean | undefined
}

export interface Erasure {
  /** The user or the payer */
  user_id: string
  /** Kind of the erased record. */
  kind: "user" | "payer"
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  time: string
  /** The reason, in the words of the person who gave it. */
  reason: string
  /** Author of the erasure */
  executor_id: string
  /** Number of contacts that are recognised */
  contacts: number
  /** Whether uploaded files have been searched, too */
  is_complete: boolean
  /** When an administrator lifted it; "" while it is in force */
  lifted_time: string
  /** The administrator who lifted it; "" while it is in force. */
  lifted_by: string
}

export interface Event {
  /** The same in the feed and in every delivery */
  event_id: string
  /** event/type/list explains each type. More types may be added */
  type: "user.created" | "user.updated" | "user.merged" | "user.unmerged" | "user.erased" | "user.deleted" | "user_tag.assigned" | "user_tag.removed" | "lead.created" | "lead.updated" | "lead.moved" | "lead.deleted" | "tag_group.created" | "tag_group.updated" | "tag_group.activated" | "tag_group.deactivated" | "order.created" | "order.updated" | "order.status_changed" | "order.deleted" | "order.redacted" | "payment.recorded" | "payment.updated" | "payment.voided" | "payment.reinstated" | "payment.applied" | "payment.unapplied" | "instalment.due" | "instalment.overdue" | "refund.requested" | "refund.decided" | "approval.requested" | "approval.decided" | "refund.recorded" | "refund.reversed" | "transfer.recorded" | "write_off.recorded" | "follow_up.created" | "follow_up.updated" | "follow_up.deleted" | "follow_up.due" | "payer.created" | "payer.updated" | "payer.erased" | "payment_request.created" | "payment_request.updated" | "document.issued" | "course.upserted" | "batch.upserted" | "coupon.upserted" | "period.closed" | "period.reopened" | "import.finished" | "export.ready" | "webhook.disabled" | "ping"
  /** The number of the event in its organization, without gaps */
  seq: number
  /** When the change was committed: ISO 8601, UTC, with microseconds */
  at: string
  /** The kind of record, such as user, order or payment */
  record_type: string
  /** The id of the record */
  record_id: string
  /** The version of the record after the change, if the record counts them */
  version: number | null
  /** The names of the members that changed; never their values */
  changed: string[]
  /** The ids of related records by name, such as user_id or order_id */
  related: Record<string, string>
  /** Author of the change. */
  actor: {
    /** The kind of actor. */
    kind: "account" | "staff" | "support" | "system"
    /** The app_id of the account, or the id of the member of staff or of the access of support */
    id: string
  }
  /** The request id of the call that made the change */
  request_id: string | null
}

export interface ExplainFigureData {
  /** The explained figure. */
  figure: string
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The figure, in minor units: the sum of the rows on all pages. */
  value: Minor
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: FigureLine[]
}

export interface ExplainFigureInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The name of the figure in lists, control sheets and closings */
  figure: "listed_price" | "discounted_price" | "total_price" | "paid_price" | "refund_price" | "post_refund_price" | "unpaid_price" | "over_payment_price" | "payment1_price" | "payment2_price" | "payment3_price" | "payment4_price" | "payment5_price" | "payment6_price" | "payment7_price" | "payment8_price" | "payment9_price" | "payment10_price" | "payment11_price" | "payment12_price" | "payment13_price" | "payment14_price" | "payment15_price" | "received" | "voided" | "moved" | "refunded" | "transferred" | "retained" | "written_off" | "applied" | "returned" | "earlier_periods.received" | "earlier_periods.voided" | "earlier_periods.refunded" | "charged" | "settled" | "held" | "unapplied" | "accounts.received" | "accounts.voided" | "accounts.moved" | "accounts.refunded" | "accounts.held" | "claims" | "covered" | "outstanding" | "overdue"
  /** Figure of this order; omitted: sum over all sub-orders in a currency */
  order_id?: string | undefined
  /** Figure of this sub-order of the order */
  sub_order_id?: string | undefined
  /** Currency of a sum over all orders, or of receipt for accounts.*; default: the currency of the organization */
  currency?: Currency | undefined
  /** For a figure of a closing: the last day of its period */
  until?: string | undefined
  /** For accounts.*: only this account; default: all */
  account?: string | undefined
  /** For accounts.*: only orders in this currency */
  order_currency?: Currency | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** The status. The moves between statuses are explained at /docs/orders. */
  status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The time that the range and the order of rows apply to; modity means modify */
  time_range_type?: "create" | "modify" | "modity" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ExplainOrderData {
  /** The order. */
  order_id: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Each amount of the order, with its reason. */
  prices: Array<{
    /** The member of the order, such as `unpaid_price`. */
    name: string
    /** Minor units of the currency */
    value: Minor
    /** The reason, in one sentence. */
    because: string
  }>
  /** Each with its terms; listed_price less these is discounted_price */
  discounts: Array<{
    /** The kind of discount. */
    kind: "manual" | "coupon"
    /** The coupon. */
    coupon_id: string
    /** Minor units of the currency */
    price: Minor
    /** The reason, in one sentence. */
    because: string
  }>
  /** The moves to other statuses, and why those that are closed are closed. */
  moves: Array<{
    /** The status to move to. */
    status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
  }>
  /** Whether the order takes a payment now. */
  payment: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
  }
  /** Whether money can be refunded now. */
  refund: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
    /** Minor units of the currency */
    at_most: Minor
  }
  /** To another order */
  transfer: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
    /** Minor units of the currency */
    at_most: Minor
  }
  /** To cancel it and retain the money that it holds */
  retain: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
    /** Minor units of the currency */
    at_most: Minor
  }
  /** Whether the unpaid amount can be written off now. */
  write_off: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
    /** Minor units of the currency */
    at_most: Minor
  }
  /** To change prices, coupons or instalments */
  reprice: {
    /** Whether it is possible now. */
    is_possible: boolean
    /** The code of the refusal; null if it is possible. */
    code: "possible" | "no_such_move" | "follows_money" | "has_received" | "holds_money" | "wrong_status" | "slots_full" | "nothing_held" | "nothing_owed"
    /** The reason, in one sentence. */
    because: string
  }
}

export interface ExplainOrderInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
}

export interface ExportPayerStatementData {
  /** The name of the file. */
  file_name: string
  /** The number of entries. */
  entries: number
  /** The statement as CSV. */
  csv: string
}

export interface ExportPayerStatementInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** ISO 4217 code */
  currency?: Currency | undefined
}

export interface ExportUserData {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** ISO 8601, UTC, with fractional seconds */
  exported_at: string
  /** user, merged_users, tags, leads, follow_ups, history, orders, payments, refunds, voids, approval_requests, retentions, write_offs, remarks, order_history, bank_lines, audit */
  records: Record<string, Array<Record<string, unknown>>>
}

export interface ExportUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
}

export interface FetchChangesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the batch */
  batch_id: string
}

export interface FetchContactData {
  /** Global user ID */
  user_id: string
  /** Organization ID */
  corp_id: string
  /** Kind of contact */
  contact_type: "mobile" | "email" | "mobile_backup"
  /** Area code and number, or the e-mail address; empty if the user has no such contact */
  value: string[]
}

export interface FetchContactInput {
  /** Global user ID */
  user_id: string
  /** Organization ID */
  corp_id?: string | undefined
  /** Kind of contact */
  contact_type: "mobile" | "email" | "mobile_backup"
}

export interface FetchDocumentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The receipt, invoice or credit note. */
  document_id: string
}

export interface FetchEventInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** As in the feed or in webhook-id */
  event_id: string
}

export interface FetchExportInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The export. */
  export_id: string
}

export interface FetchLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface FetchLeadInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the lead */
  lead_id: string
}

export interface FetchOrderInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Order ID */
  order_id: string
}

export interface FetchPayerContactData {
  /** The payer, a record of who pays. */
  payer_id: string
  /** Kind of contact */
  contact_type: "mobile" | "email"
  /** Area code and number, or the e-mail address; empty if the payer has no such contact */
  value: string[]
}

export interface FetchPayerContactInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
  /** Kind of contact */
  contact_type: "mobile" | "email"
}

export interface FetchPayerInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
}

export interface FetchPayerStatementData {
  /** The payer, a record of who pays. */
  payer_id: string
  /** The name. */
  name: string
  /** Opening, movements and closing balance, one per currency. */
  balances: PayerBalance[]
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: StatementEntry[]
}

export interface FetchPayerStatementInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** ISO 4217 code */
  currency?: Currency | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface FetchProfileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** User ID */
  user_id: string
}

export interface FetchTakingsData {
  /** The member of staff who took the money. */
  clerk_id: string
  /** YYYY-MM-DD; "" where there is none */
  day: string
  /** Takings of the clerk on the day, by method and currency. */
  takings: Taking[]
  /** The latest cash-up of the day; null if there is none. */
  cash_up?: CashUp
}

export interface FetchTakingsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Clerk who recorded the payments; default: the caller. Other clerks need the permission finance */
  clerk_id?: string | undefined
  /** Default: today */
  day?: string | undefined
}

export interface FetchUsageInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface FetchUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
}

export interface FetchWebhookDeliveryInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** webhook/delivery/list has it */
  delivery_id: string
}

export interface FigureLine {
  /** payment, refund, write_off, planned, coupon, … */
  kind: string
  /** Id of the payment, refund, coupon or sub-order */
  id: string
  /** The order. */
  order_id: string
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** When it entered the ledger */
  at: string
  /** Minor units; negative if it reduces the figure */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Kind of the row. */
  note: string
}

export interface FinanceExport {
  /** The export. */
  export_id: string
  /** The exported rows. */
  what: "financial_rows" | "payments" | "refunds"
  /** The format of the file. */
  format: "csv" | "xlsx"
  /** "" where the period is open */
  start_date: string
  /** YYYY-MM-DD; "" where there is none */
  end_date: string
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The state of the export. */
  state: "waiting" | "running" | "done" | "failed"
  /** The reason of a failure. Request the export again. */
  refusal: string
  /** The number of rows that are written. */
  rows_done: number
  /** 0 until the rows are counted */
  rows_total: number
  /** The size of the file so far. */
  bytes: number
  /** Hash of the rows, as on the control sheet */
  sha256: string
  /** Path of the file on this server, valid for a day without sign-in; "" until the export is done */
  download: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
}

export interface FinancialRow {
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** The organization. */
  corp_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The order. */
  order_id: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The e-mail address; "" or null if there is none. */
  email: string
  /** The form of address. */
  salutation: string
  /** The given name. */
  first_name: string
  /** The family name. */
  last_name: string
  /** The name of the account in the customer system. */
  account_name: string
  /** The same in English. */
  account_name_en: string
  /** The company. */
  company_name: string
  /** The company in English. */
  company_name_en: string
  /** The work experience, in the words of the source. */
  work_experience: string
  /** The job title. */
  job_title: string
  /** The department. */
  department: string
  /** The department in English. */
  department_en: string
  /** The industry. */
  industry: string
  /** The industry in English. */
  industry_en: string
  /** The postal address for letters. */
  address_for_communication: string
  /** The country of residence. */
  country_of_residence: string
  /** The city. */
  city: string
  /** The batch (intake) of the course. */
  batch_id: string
  /** The name of the batch. */
  batch_name: string
  /** The dates of the batch as one text. */
  batch_date: string
  /** The name of the school that gives the course. */
  school_name: string
  /** The currency of the order: an ISO 4217 code. */
  order_currency: string
  /** The month of the batch, as the school words it. */
  month: string
  /** The first day of the batch; "" if it has none. */
  batch_start_date: string
  /** The last day of the batch; "" if it has none. */
  batch_end_date: string
  /** The code of the program. */
  program_code: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The name of the course. */
  course_name: string
  /** The name of the online application for the course. */
  online_application_name: string
  /** The source of the lead of the order. */
  utm_source: string
  /** The product family or line of business. */
  product_family_or_lob_category: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The names of the advisers, separated by commas. */
  owner_relationship_managers: string
  /** The kind of instalment. */
  type: "deposit" | "installment" | "balance" | "application_fee" | "full"
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  payment_deadline: string
  /** Major units of the currency */
  total_price: number
  /** Major units of the currency */
  paid_price: number
  /** Major units of the currency */
  post_refund_price: number
  /** Major units of the currency */
  unpaid_price: number
  /** The plain exchange rate */
  exchange_rate: number
  /** Payment 1: its id */
  payment1_id: string | null
  /** Payment 1: its state */
  payment1_status: string | null
  /** Payment 1: how it was recorded */
  payment1_source: string | null
  /** Payment 1: its currency */
  payment1_currency: string | null
  /** Payment 1: its charge id */
  payment1_charge_id: string | null
  /** Payment 1: comments */
  payment1_comments: string | null
  /** Payment 1: when the money moved */
  payment1_completed_time: string | null
  /** Payment 1: the amount in major units */
  payment1_price: number | null
  /** Payment 1: its exchange rate */
  payment1_exchange_rate: number | null
  /** Payment 1: its receipt number */
  payment1_receipt_num: number | null
  /** Payment 2: its id */
  payment2_id: string | null
  /** Payment 2: its state */
  payment2_status: string | null
  /** Payment 2: how it was recorded */
  payment2_source: string | null
  /** Payment 2: its currency */
  payment2_currency: string | null
  /** Payment 2: its charge id */
  payment2_charge_id: string | null
  /** Payment 2: comments */
  payment2_comments: string | null
  /** Payment 2: when the money moved */
  payment2_completed_time: string | null
  /** Payment 2: the amount in major units */
  payment2_price: number | null
  /** Payment 2: its exchange rate */
  payment2_exchange_rate: number | null
  /** Payment 2: its receipt number */
  payment2_receipt_num: number | null
  /** Payment 3: its id */
  payment3_id: string | null
  /** Payment 3: its state */
  payment3_status: string | null
  /** Payment 3: how it was recorded */
  payment3_source: string | null
  /** Payment 3: its currency */
  payment3_currency: string | null
  /** Payment 3: its charge id */
  payment3_charge_id: string | null
  /** Payment 3: comments */
  payment3_comments: string | null
  /** Payment 3: when the money moved */
  payment3_completed_time: string | null
  /** Payment 3: the amount in major units */
  payment3_price: number | null
  /** Payment 3: its exchange rate */
  payment3_exchange_rate: number | null
  /** Payment 3: its receipt number */
  payment3_receipt_num: number | null
  /** Payment 4: its id */
  payment4_id: string | null
  /** Payment 4: its state */
  payment4_status: string | null
  /** Payment 4: how it was recorded */
  payment4_source: string | null
  /** Payment 4: its currency */
  payment4_currency: string | null
  /** Payment 4: its charge id */
  payment4_charge_id: string | null
  /** Payment 4: comments */
  payment4_comments: string | null
  /** Payment 4: when the money moved */
  payment4_completed_time: string | null
  /** Payment 4: the amount in major units */
  payment4_price: number | null
  /** Payment 4: its exchange rate */
  payment4_exchange_rate: number | null
  /** Payment 4: its receipt number */
  payment4_receipt_num: number | null
  /** Payment 5: its id */
  payment5_id: string | null
  /** Payment 5: its state */
  payment5_status: string | null
  /** Payment 5: how it was recorded */
  payment5_source: string | null
  /** Payment 5: its currency */
  payment5_currency: string | null
  /** Payment 5: its charge id */
  payment5_charge_id: string | null
  /** Payment 5: comments */
  payment5_comments: string | null
  /** Payment 5: when the money moved */
  payment5_completed_time: string | null
  /** Payment 5: the amount in major units */
  payment5_price: number | null
  /** Payment 5: its exchange rate */
  payment5_exchange_rate: number | null
  /** Payment 5: its receipt number */
  payment5_receipt_num: number | null
  /** Payment 6: its id */
  payment6_id: string | null
  /** Payment 6: its state */
  payment6_status: string | null
  /** Payment 6: how it was recorded */
  payment6_source: string | null
  /** Payment 6: its currency */
  payment6_currency: string | null
  /** Payment 6: its charge id */
  payment6_charge_id: string | null
  /** Payment 6: comments */
  payment6_comments: string | null
  /** Payment 6: when the money moved */
  payment6_completed_time: string | null
  /** Payment 6: the amount in major units */
  payment6_price: number | null
  /** Payment 6: its exchange rate */
  payment6_exchange_rate: number | null
  /** Payment 6: its receipt number */
  payment6_receipt_num: number | null
  /** Payment 7: its id */
  payment7_id: string | null
  /** Payment 7: its state */
  payment7_status: string | null
  /** Payment 7: how it was recorded */
  payment7_source: string | null
  /** Payment 7: its currency */
  payment7_currency: string | null
  /** Payment 7: its charge id */
  payment7_charge_id: string | null
  /** Payment 7: comments */
  payment7_comments: string | null
  /** Payment 7: when the money moved */
  payment7_completed_time: string | null
  /** Payment 7: the amount in major units */
  payment7_price: number | null
  /** Payment 7: its exchange rate */
  payment7_exchange_rate: number | null
  /** Payment 7: its receipt number */
  payment7_receipt_num: number | null
  /** Payment 8: its id */
  payment8_id: string | null
  /** Payment 8: its state */
  payment8_status: string | null
  /** Payment 8: how it was recorded */
  payment8_source: string | null
  /** Payment 8: its currency */
  payment8_currency: string | null
  /** Payment 8: its charge id */
  payment8_charge_id: string | null
  /** Payment 8: comments */
  payment8_comments: string | null
  /** Payment 8: when the money moved */
  payment8_completed_time: string | null
  /** Payment 8: the amount in major units */
  payment8_price: number | null
  /** Payment 8: its exchange rate */
  payment8_exchange_rate: number | null
  /** Payment 8: its receipt number */
  payment8_receipt_num: number | null
  /** Payment 9: its id */
  payment9_id: string | null
  /** Payment 9: its state */
  payment9_status: string | null
  /** Payment 9: how it was recorded */
  payment9_source: string | null
  /** Payment 9: its currency */
  payment9_currency: string | null
  /** Payment 9: its charge id */
  payment9_charge_id: string | null
  /** Payment 9: comments */
  payment9_comments: string | null
  /** Payment 9: when the money moved */
  payment9_completed_time: string | null
  /** Payment 9: the amount in major units */
  payment9_price: number | null
  /** Payment 9: its exchange rate */
  payment9_exchange_rate: number | null
  /** Payment 9: its receipt number */
  payment9_receipt_num: number | null
  /** Payment 10: its id */
  payment10_id: string | null
  /** Payment 10: its state */
  payment10_status: string | null
  /** Payment 10: how it was recorded */
  payment10_source: string | null
  /** Payment 10: its currency */
  payment10_currency: string | null
  /** Payment 10: its charge id */
  payment10_charge_id: string | null
  /** Payment 10: comments */
  payment10_comments: string | null
  /** Payment 10: when the money moved */
  payment10_completed_time: string | null
  /** Payment 10: the amount in major units */
  payment10_price: number | null
  /** Payment 10: its exchange rate */
  payment10_exchange_rate: number | null
  /** Payment 10: its receipt number */
  payment10_receipt_num: number | null
  /** Payment 11: its id */
  payment11_id: string | null
  /** Payment 11: its state */
  payment11_status: string | null
  /** Payment 11: how it was recorded */
  payment11_source: string | null
  /** Payment 11: its currency */
  payment11_currency: string | null
  /** Payment 11: its charge id */
  payment11_charge_id: string | null
  /** Payment 11: comments */
  payment11_comments: string | null
  /** Payment 11: when the money moved */
  payment11_completed_time: string | null
  /** Payment 11: the amount in major units */
  payment11_price: number | null
  /** Payment 11: its exchange rate */
  payment11_exchange_rate: number | null
  /** Payment 11: its receipt number */
  payment11_receipt_num: number | null
  /** Payment 12: its id */
  payment12_id: string | null
  /** Payment 12: its state */
  payment12_status: string | null
  /** Payment 12: how it was recorded */
  payment12_source: string | null
  /** Payment 12: its currency */
  payment12_currency: string | null
  /** Payment 12: its charge id */
  payment12_charge_id: string | null
  /** Payment 12: comments */
  payment12_comments: string | null
  /** Payment 12: when the money moved */
  payment12_completed_time: string | null
  /** Payment 12: the amount in major units */
  payment12_price: number | null
  /** Payment 12: its exchange rate */
  payment12_exchange_rate: number | null
  /** Payment 12: its receipt number */
  payment12_receipt_num: number | null
  /** Payment 13: its id */
  payment13_id: string | null
  /** Payment 13: its state */
  payment13_status: string | null
  /** Payment 13: how it was recorded */
  payment13_source: string | null
  /** Payment 13: its currency */
  payment13_currency: string | null
  /** Payment 13: its charge id */
  payment13_charge_id: string | null
  /** Payment 13: comments */
  payment13_comments: string | null
  /** Payment 13: when the money moved */
  payment13_completed_time: string | null
  /** Payment 13: the amount in major units */
  payment13_price: number | null
  /** Payment 13: its exchange rate */
  payment13_exchange_rate: number | null
  /** Payment 13: its receipt number */
  payment13_receipt_num: number | null
  /** Payment 14: its id */
  payment14_id: string | null
  /** Payment 14: its state */
  payment14_status: string | null
  /** Payment 14: how it was recorded */
  payment14_source: string | null
  /** Payment 14: its currency */
  payment14_currency: string | null
  /** Payment 14: its charge id */
  payment14_charge_id: string | null
  /** Payment 14: comments */
  payment14_comments: string | null
  /** Payment 14: when the money moved */
  payment14_completed_time: string | null
  /** Payment 14: the amount in major units */
  payment14_price: number | null
  /** Payment 14: its exchange rate */
  payment14_exchange_rate: number | null
  /** Payment 14: its receipt number */
  payment14_receipt_num: number | null
  /** Payment 15: its id */
  payment15_id: string | null
  /** Payment 15: its state */
  payment15_status: string | null
  /** Payment 15: how it was recorded */
  payment15_source: string | null
  /** Payment 15: its currency */
  payment15_currency: string | null
  /** Payment 15: its charge id */
  payment15_charge_id: string | null
  /** Payment 15: comments */
  payment15_comments: string | null
  /** Payment 15: when the money moved */
  payment15_completed_time: string | null
  /** Payment 15: the amount in major units */
  payment15_price: number | null
  /** Payment 15: its exchange rate */
  payment15_exchange_rate: number | null
  /** Payment 15: its receipt number */
  payment15_receipt_num: number | null
}

export interface FollowUp {
  /** The follow-up. */
  follow_up_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The owner that followed up */
  owner_id: string | null
  /** The text. */
  content: string
  /** The account that recorded it */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** Time of the next call; "" if none was agreed */
  next_time: string
}

export interface FoundUser {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The organization. */
  corp_id: string
  /** Full name; composed of first and last name if only they are known */
  name: string
  /** The family name. */
  last_name: string
  /** The given name. */
  first_name: string
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The e-mail address; "" or null if there is none. */
  email: string
  /** The WeChat ID. */
  wechat_id: string | null
  /** ID of the person in another system */
  external_id: string | null
  /** YYYY-MM-DD; null where there is none */
  birthday: string | null
  /** The city. */
  city: string | null
  /** The company. */
  company_name: string | null
  /** The job title. */
  job_title: string | null
  /** The department. */
  department: string | null
  /** The pool that the user is in, such as public or alive. */
  pool: string
  /** In order of addition */
  owner_ids: string[]
  /** The owner that has claimed the user */
  holder_id: string | null
  /** The statuses of the orders of the user */
  order_statuses: string[]
  /** Time of the last follow-up; "" if there is none */
  last_follow_up: string
  /** Whether the contact was verified. */
  is_verified: boolean
  /** The first or last lead of the user; null without leads */
  first_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
  /** The first or last lead of the user; null without leads */
  last_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** Where the user matches, for highlighting. Empty for a match in a member that is masked or not shown */
  matches: SearchMatch[]
}

export interface FunnelCounts {
  /** Leads that arrived */
  leads: number
  /** Leads whose person was followed up */
  contacted: number
  /** Leads with an order */
  ordered: number
  /** Leads with an order that has a payment which is not void */
  paid: number
  /** Leads with an order in status success */
  enrolled: number
}

export interface FunnelLead {
  /** The lead. */
  lead_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The present name of the user. */
  user_name: string
  /** The source of the link (utm_source). */
  utm_source: string
  /** The campaign in the words of the school. */
  campaign: string
  /** The first order of the lead */
  order_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  leads_at: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  contacted_at: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ordered_at: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  paid_at: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  enrolled_at: string
}

export interface FunnelRow {
  /** The first day, the month, or what the leads carry; "" where they carry nothing */
  key: string
  /** The figures of the period. */
  counts: FunnelCounts
  /** The figures of the same period of the year before. */
  last_year: FunnelCounts
}

export interface IgnoreBankLinesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: BankLine[]
}

export interface IgnoreBankLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The lines of bank statements. */
  line_ids: string[]
  /** The reason, in the words of the person who gave it. */
  reason: string
}

export interface ImportLeadData {
  /** ID of the lead */
  lead_id: string
}

export interface ImportLeadInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** User ID; required unless area_code and mobile are sent */
  user_id?: string | undefined
  /** Country calling code, digits without a leading plus; required unless user_id is sent */
  area_code?: string | undefined
  /** Mobile number, digits only; required unless user_id is sent */
  mobile?: string | undefined
  /** User name */
  name?: string | undefined
  /** Source */
  utm_source?: string | undefined
  /** Medium */
  utm_medium?: string | undefined
  /** Campaign by its utm tag */
  utm_campaign?: string | undefined
  /** Channel */
  utm_channel?: string | undefined
  /** Keyword */
  utm_keyword?: string | undefined
  /** Term */
  utm_term?: string | undefined
  /** Campaign */
  campaign?: string | undefined
  /** Whether it is a lead for corporate training */
  is_corporate_training?: boolean | undefined
  /** First question */
  form1_name?: string | undefined
  /** Second question */
  form2_name?: string | undefined
  /** Third question */
  form3_name?: string | undefined
  /** Fourth question */
  form4_name?: string | undefined
  /** First answer */
  form1_value?: string | undefined
  /** Second answer */
  form2_value?: string | undefined
  /** Third answer */
  form3_value?: string | undefined
  /** Fourth answer */
  form4_value?: string | undefined
  /** Entry ID, unique in the organization */
  entry_id?: string | undefined
  /** Page ID */
  page_id?: string | undefined
  /** Course code */
  course_code?: string | undefined
  /** Business development VID */
  bd_vid?: string | undefined
  /** Company of the user */
  company_name?: string | undefined
  /** Years of work experience of the user */
  work_exp?: string | undefined
  /** Job title of the user */
  job_title?: string | undefined
  /** Department of the user */
  department?: string | undefined
  /** City of the user */
  city?: string | undefined
  /** Owners to add to the user */
  owner_ids?: string[] | undefined
  /** One owner, as older clients send it */
  oid?: string | undefined
}

export interface ImportLeadsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: LeadOutcome[]
}

export interface ImportLeadsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The leads */
  leads: Array<{
    /** User ID; required unless area_code and mobile are sent */
    user_id?: string | undefined
    /** Country calling code, digits without a leading plus; required unless user_id is sent */
    area_code?: string | undefined
    /** Mobile number, digits only; required unless user_id is sent */
    mobile?: string | undefined
    /** User name */
    name?: string | undefined
    /** Source */
    utm_source?: string | undefined
    /** Medium */
    utm_medium?: string | undefined
    /** Campaign by its utm tag */
    utm_campaign?: string | undefined
    /** Channel */
    utm_channel?: string | undefined
    /** Keyword */
    utm_keyword?: string | undefined
    /** Term */
    utm_term?: string | undefined
    /** Campaign */
    campaign?: string | undefined
    /** Whether it is a lead for corporate training */
    is_corporate_training?: boolean | undefined
    /** First question */
    form1_name?: string | undefined
    /** Second question */
    form2_name?: string | undefined
    /** Third question */
    form3_name?: string | undefined
    /** Fourth question */
    form4_name?: string | undefined
    /** First answer */
    form1_value?: string | undefined
    /** Second answer */
    form2_value?: string | undefined
    /** Third answer */
    form3_value?: string | undefined
    /** Fourth answer */
    form4_value?: string | undefined
    /** Entry ID, unique in the organization */
    entry_id?: string | undefined
    /** Page ID */
    page_id?: string | undefined
    /** Course code */
    course_code?: string | undefined
    /** Business development VID */
    bd_vid?: string | undefined
    /** Company of the user */
    company_name?: string | undefined
    /** Years of work experience of the user */
    work_exp?: string | undefined
    /** Job title of the user */
    job_title?: string | undefined
    /** Department of the user */
    department?: string | undefined
    /** City of the user */
    city?: string | undefined
    /** Owners to add to the user */
    owner_ids?: string[] | undefined
    /** One owner, as older clients send it */
    oid?: string | undefined
  }>
}

export interface ImportStatementFileData {
  /** The uploaded statement file. */
  file_id: string
  /** The format of the file. */
  format: string | null
  /** The character encoding of the file; "" or null where it has none. */
  encoding: string | null
  /** Headers of a table */
  headers: string[]
  /** Meaning of each header; null if it is ignored */
  columns: Array<string | null>
  /** The statements of the file. */
  statements: StatementInFile[]
  /** Statements in the file that belong to another account or currency */
  left_out: number
  /** The first lines, as they were read. */
  first_lines: ReadBankLine[]
  /** Only in a dry run: the reason why the columns are not sufficient. State a mapping. */
  problem: string | null
  /** Whether the same file was imported before */
  was_imported: boolean
  /** New lines of the file for this account */
  lines: number
  /** Lines that other statements of the account have */
  repeated_lines: number
  /** Lines that this call stored */
  added: number
  /** Lines that the next call stores; 0 when the import is complete */
  remaining: number
  /** Balance before the statement that no statement explains; null if unknown */
  missing_price: Minor | null
}

export interface ImportStatementFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The uploaded file */
  file_id: string
  /** Format; default: by the content */
  format?: "csv" | "xlsx" | "camt053" | "mt940" | "stripe" | "alipay" | "wechat" | undefined
  /** Text encoding, such as gb18030 or windows-1252; default: detected */
  encoding?: string | undefined
  /** Sheet of a workbook; default: the first */
  sheet?: string | undefined
  /** Meaning of headers that differs from the proposed one: value_date, price, incoming, outgoing, direction, gross, fee, net, balance, currency, charge_id, reference, payer, description, category, status, payout_id, refund_price, refund_id; "" to ignore a header */
  mapping?: StatementMapping | undefined
  /** Order of day and month in dates such as 03/04/2026 */
  day_order?: "dmy" | "mdy" | undefined
  /** Name of a statement that has none in the file; default: its period */
  name?: string | undefined
  /** Only read the file; default false */
  dry_run?: boolean | undefined
}

export interface IssueDocumentData {
  /** The receipt, invoice or credit note. */
  document_id: string
  /** Kind of the issued document. */
  kind: "receipt" | "invoice" | "credit_note"
  /** As printed: without gaps in the series of its kind and year */
  number: string
  /** In the time zone of the organization */
  year: number
  /** The payment of a receipt, the order of an invoice, the refund of a credit note */
  subject_id: string
  /** The order, or the account of the payer; "" for money without an order */
  order_id: string
  /** The orders that it is about; for a receipt, those that took its payment */
  order_ids: string[]
  /** Above 1 if the invoice replaces one with another price */
  revision: number
  /** Received, invoiced or credited */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** "" where the person of the order pays */
  payer_id: string
  /** "" after an erasure */
  payer: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  issued: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** Whether this call issued it */
  is_new: boolean
}

export interface IssueDocumentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Kind of document to issue. */
  kind: "receipt" | "invoice" | "credit_note"
  /** The payment of a receipt, the order of an invoice, the refund of a credit note */
  subject_id: string
}

export interface IssueTokenData {
  /** The access token, for the header `Authorization: Bearer <token>`. */
  token: string
  /** ISO 8601, UTC, with fractional seconds */
  expire_time: string
}

export interface IssueTokenInput {
  /** Account (another name for user_id) */
  app_id?: string | undefined
  /** Account */
  user_id?: string | undefined
  /** API secret */
  user_api_secret?: string | undefined
  /** Hexadecimal SHA-256, 64 digits */
  signature: string
  /** Unix time, or any number of at least ten digits, with or without a fraction; signed as it is sent */
  time_stamp: string | number
}

export interface Lead {
  /** ID of the lead */
  lead_id: string
  /** User of the lead */
  user_id: string
  /** Organization ID */
  corp_id: string
  /** The account that sent the lead */
  app_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** Time of the last change, such as a merge that moved the lead to another user */
  mtime: string
  /** Number of changes, from 1 */
  version: number
  /** Whether the lead asks for corporate training; null if it did not say. */
  is_corporate_training: boolean | null
  /** The advisers, in the order in which they were added. */
  owner_ids: string[]
  /** The import of the lead file that had it; "" if it came otherwise */
  import_id: string
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The name. */
  name: string
  /** The source of the link (utm_source). */
  utm_source: string
  /** The medium of the link (utm_medium). */
  utm_medium: string
  /** The campaign of the link (utm_campaign). */
  utm_campaign: string
  /** The channel of the link (utm_channel). */
  utm_channel: string
  /** The keyword of the link (utm_keyword). */
  utm_keyword: string
  /** The search term of the link (utm_term). */
  utm_term: string
  /** The campaign in the words of the school. */
  campaign: string
  /** The first question of the form. */
  form1_name: string
  /** The second question of the form. */
  form2_name: string
  /** The third question of the form. */
  form3_name: string
  /** The fourth question of the form. */
  form4_name: string
  /** The answer to the first question. */
  form1_value: string
  /** The answer to the second question. */
  form2_value: string
  /** The answer to the third question. */
  form3_value: string
  /** The answer to the fourth question. */
  form4_value: string
  /** The id of the entry in the system that sent it. The same entry is stored once. */
  entry_id: string
  /** The id of the landing page. */
  page_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The click id of Baidu. */
  bd_vid: string
  /** The company. */
  company_name: string
  /** The work experience, in the words of the source. */
  work_exp: string
  /** The job title. */
  job_title: string
  /** The department. */
  department: string
  /** The city. */
  city: string
  /** One more adviser of the person. */
  oid: string
}

export interface LeadFile {
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** The batch to undo with changes/undo; "" before the commit */
  batch_id: string
  /** The name of the file. */
  file_name: string
  /** planned: ready for the commit; refused: `refusal` has the reason */
  state: "uploading" | "planning" | "planned" | "committing" | "done" | "refused"
  /** Why the file was refused, in one sentence; "" otherwise. */
  refusal: string
  /** The kind of the refusal: old_workbook, web_page, encrypted_workbook, not_a_workbook, no_rows, encoding, missing_column, contact_cards; else "" */
  refusal_reason: string
  /** Size of the file */
  bytes: number
  /** Number of bytes that were uploaded */
  received: number
  /** The format of the file. */
  format: string
  /** The character encoding of the file; "" or null where it has none. */
  encoding: string
  /** The sheet that is read; "" for other files */
  sheet: string
  /** The first 50 sheets of a workbook */
  sheets: LeadFileSheet[]
  /** The row of the headers; 0 if the file has none */
  header_row: number
  /** Rows of the file; 0 before it was read */
  row_count: number
  /** The last row that was planned or committed */
  last_row: number
  /** The columns of the file, and the fields that they fill. */
  columns: LeadFileColumn[]
  /** The source that the headers reveal (facebook, google_ads, linkedin, tiktok, tencent_ads, ocean_engine, xiaohongshu, hubspot, google_contacts, salesforce, pipedrive, mailchimp, typeform, wenjuanxing, wecom, jinshuju); "" if it is not known */
  preset: string
  /** Planned outcomes of the rows. */
  plan: LeadRowCounts
  /** Outcomes of the rows after the commit. */
  result: LeadRowCounts
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
}

export interface LeadFileColumn {
  /** The header of the column in the file. */
  header: string
  /** The column; "" if it is unknown */
  column: string
  /** A column that may be meant; "" if there is none */
  suggestion: string
  /** Whether the column is a guess, by the header and its values */
  guessed: boolean
  /** Confidence in percent; 0 without a column */
  confidence: number
}

export interface LeadFileFault {
  /** Index of the cell, from 0; -1 if the file has no such column */
  cell: number
  /** The header of the cell */
  header: string
  /** Fault of the cell. */
  reason: string
}

export interface LeadFileFirstRow {
  /** Number of the row, as in a spreadsheet */
  row: number
  /** The cells of the row. */
  cells: string[]
}

export interface LeadFileRow {
  /** Number of the row; the header is row 1 */
  row: number
  /** Planned outcome of the row or, after the commit, its outcome. */
  outcome: string
  /** The headers and the reasons of a rejected row */
  reason: string
  /** Faults of the row. */
  faults: LeadFileFault[]
  /** The cells of a rejected row, and of the first rows of a plan */
  cells: string[]
  /** For the first rows of a plan, the cells as they will be imported; "" for a cell that is not */
  shown: string[]
  /** The lead of an imported row; "" if there is none, or not any more */
  lead_id: string
  /** The user of an imported row, or a known user; else "" */
  user_id: string
}

export interface LeadFileSheet {
  /** The name of the sheet. */
  name: string
  /** Whether the workbook hides the sheet. */
  is_hidden: boolean
  /** The last row, as the workbook states it; 0 if it does not */
  rows: number
}

export interface LeadFileValue {
  /** The value in the file */
  value: string
  /** Number of rows with this value */
  rows: number
  /** The meaning given to it; "" is no value, null is the value itself */
  stands_for: string | null
  /** The name of the course, owner or tag group, yes or no, or the text */
  understood: string
  /** False if there is no such course, owner or tag group, or if it is neither yes nor no */
  is_known: boolean
  /** Whether the meaning is a guess, by a name or a part of it */
  guessed: boolean
  /** Confidence in percent; 0 for an unknown value */
  confidence: number
  /** The id of the guessed record; "" if there is none */
  suggestion: string
}

export interface LeadFileValues {
  /** The field that the column fills. */
  column: string
  /** The header of the column in the file. */
  header: string
  /** Kind of record or value that the column holds. */
  kind: "course" | "owner" | "yes_no" | "tag" | "country" | "day_order" | "text"
  /** Number of different values; 1000 means at least 1000 */
  distinct: number
  /** Number of rows with a value that is not listed */
  others: number
  /** The rows of this page, or all rows where there are no pages. */
  list: LeadFileValue[]
}

export interface LeadOutcome {
  /** Index of the lead, from 0 */
  index: number
  /** 0, or the code that leads/import would return */
  code: number
  /** success, or the error of the lead */
  msg: string
  /** ID of the lead; for 40901, of the lead with the entry */
  lead_id: string | null
  /** User of the lead */
  user_id: string | null
}

export interface LeadRowCounts {
  /** Leads of new users */
  new_user: number
  /** Leads of known users */
  known_user: number
  /** Rows whose lead exists already */
  duplicate_entry: number
  /** Rows that repeat an earlier row of the file */
  duplicate_row: number
  /** Rejected rows */
  reject: number
  /** Rows of erased people, which are rejected until an administrator lifts the erasure */
  erased: number
}

export interface LeftAlone {
  /** users, user_claims, user_tags, leads, orders */
  record_type: string
  /** The id of the record. */
  record_id: string
  /** Why the record was left alone. */
  reason: string
  /** The members that were not restored, if the rest was */
  members: string[]
}

export interface LiftErasureByEmail {
  /** Organization ID */
  corp_id?: string | undefined
  /** The e-mail address; "" or null if there is none. */
  email: string
}

export interface LiftErasureByMobile {
  /** Organization ID */
  corp_id?: string | undefined
  /** Country calling code, digits without a leading plus */
  area_code: string
  /** National number, digits only; at most 15 digits together with area_code */
  mobile: string
}

export interface LiftErasureData {
  /** The erased people who had the contact */
  user_ids: string[]
  /** Number of contacts that may be imported again */
  contacts: number
}

export type LiftErasureInput = LiftErasureByMobile | LiftErasureByEmail

export interface LikelyDuplicate {
  /** The two users, the lesser id first */
  users: UserRow[]
  /** Reasons why they are likely the same person */
  reasons: Array<"mobile" | "email" | "name_and_company" | "name_and_mobile_tail">
  /** Likelihood in percent */
  score: number
  /** Why the caller cannot merge the two users; empty if the caller can */
  obstacles: MergeObstacle[]
}

export interface ListApprovalsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: ApprovalRequest[]
}

export interface ListApprovalsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Default: all */
  state?: "waiting" | "approved" | "declined" | undefined
  /** Default: all */
  kind?: "refund" | "void" | "write_off" | "retention" | "discount" | "closing_reversal" | undefined
  /** Only requests for this order */
  order_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListAuditData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: ListedAuditEntry[]
}

export interface ListAuditInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** Only entries of this account or member of staff */
  actor_id?: string | undefined
  /** Only entries of this operation */
  operation?: string | undefined
  /** Kind of the action. */
  action?: "made" | "changed" | "removed" | "revealed" | "exported" | "erased" | undefined
  /** Only records of this type */
  record_type?: string | undefined
  /** Only this record */
  record_id?: string | undefined
  /** Only what is about this person */
  person_id?: string | undefined
  /** The newest entries are on the first page */
  newest_first?: boolean | undefined
  /** false: without the views of the audit by the caller. Default: true */
  own_views?: boolean | undefined
}

export interface ListBankAccountsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: BankAccount[]
}

export interface ListBankAccountsInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface ListBankLinesData {
  /** Sum of the lines of all pages; mixes currencies unless an account is named */
  price: Minor
  /** Proposed counterparts of the lines, the best one first. */
  proposals: BankLineProposal[]
  /** Orders whose payment requests the open lines name; only with proposals */
  requested: BankLineRequest[]
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: BankLine[]
}

export interface ListBankLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only lines of this account */
  account_id?: string | undefined
  /** Only lines of this statement */
  statement_id?: string | undefined
  /** Only lines in this state. */
  state?: "open" | "matched" | "booked" | "ignored" | undefined
  /** Only this amount in minor units, incoming or outgoing */
  amount?: Amount | undefined
  /** A part of the payer, the charge, the reference or the description */
  search?: string | undefined
  /** Whether to propose payments for open lines */
  with_proposals?: boolean | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListBatchesData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Batch[]
}

export interface ListBatchesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only those that are active, or only those that are not */
  is_active?: "true" | "false" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** Only those of this course */
  course_id?: string | undefined
}

export interface ListCashUpsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: CashUp[]
}

export interface ListCashUpsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only of this clerk */
  clerk_id?: string | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListClosingsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: ListedClosing[]
}

export interface ListClosingsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListCouponsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Coupon[]
}

export interface ListCouponsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only those that are active, or only those that are not */
  is_active?: "true" | "false" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListCoursesData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Course[]
}

export interface ListCoursesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only those that are active, or only those that are not */
  is_active?: "true" | "false" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListDebtsData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The sum of the rows on all pages, in minor units. */
  value: Minor
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: DebtRow[]
}

export interface ListDebtsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** ISO 4217 code */
  currency: Currency
  /** Debts of this course only */
  course_code?: string | undefined
  /** Debts of this owner only, named as in the ageing */
  owner?: string | undefined
  /** Only orders without a course, without an owner, or without both */
  unnamed?: "course" | "owner" | "both" | undefined
  /** Only amounts that are overdue for so long. */
  span?: "not_due" | "days_0_30" | "days_31_60" | "days_61_90" | "days_over_90" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListDocumentsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Document[]
}

export interface ListDocumentsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only documents of this kind. */
  kind?: "receipt" | "invoice" | "credit_note" | undefined
  /** The year of the number */
  year?: number | undefined
  /** The order. */
  order_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id?: string | undefined
  /** The person of an order, or the payer that is this person */
  user_id?: string | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListDuplicatesData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: LikelyDuplicate[]
}

export interface ListDuplicatesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only pairs of this user */
  user_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListErasuresData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Erasure[]
}

export interface ListErasuresInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListEventTypesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: Array<{
    /** The type of event. */
    type: "user.created" | "user.updated" | "user.merged" | "user.unmerged" | "user.erased" | "user.deleted" | "user_tag.assigned" | "user_tag.removed" | "lead.created" | "lead.updated" | "lead.moved" | "lead.deleted" | "tag_group.created" | "tag_group.updated" | "tag_group.activated" | "tag_group.deactivated" | "order.created" | "order.updated" | "order.status_changed" | "order.deleted" | "order.redacted" | "payment.recorded" | "payment.updated" | "payment.voided" | "payment.reinstated" | "payment.applied" | "payment.unapplied" | "instalment.due" | "instalment.overdue" | "refund.requested" | "refund.decided" | "approval.requested" | "approval.decided" | "refund.recorded" | "refund.reversed" | "transfer.recorded" | "write_off.recorded" | "follow_up.created" | "follow_up.updated" | "follow_up.deleted" | "follow_up.due" | "payer.created" | "payer.updated" | "payer.erased" | "payment_request.created" | "payment_request.updated" | "document.issued" | "course.upserted" | "batch.upserted" | "coupon.upserted" | "period.closed" | "period.reopened" | "import.finished" | "export.ready" | "webhook.disabled" | "ping"
    /** The kind of record that the event is about. */
    record_type: string
    /** The permission that readers of these events need */
    permission: "read" | "finance"
    /** When such an event happens. */
    description: string
    /** An event of this type. */
    example: Event
  }>
}

export interface ListEventTypesInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface ListEventsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: Event[]
  /** Send it as `after` next, once the events of this page are processed */
  next_cursor: string
  /** Whether there are events after next_cursor now */
  has_more: boolean
  /** The end of the feed: where a reader starts that has read the lists */
  newest_cursor: string
  /** Before the oldest event that is kept */
  oldest_cursor: string
}

export interface ListEventsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The cursor to continue after. Absent: from the oldest event */
  after?: string | undefined
  /** Types with commas in between, such as order.*,user.created. Absent: all */
  types?: string | undefined
  /** Events per page */
  limit?: number | undefined
  /** How long to wait if there is no event yet */
  wait_seconds?: number | undefined
}

export interface ListExportsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: FinanceExport[]
}

export interface ListExportsInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface ListFinancialRowsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: FinancialRow[]
}

export interface ListFinancialRowsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The status. The moves between statuses are explained at /docs/orders. */
  status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | undefined
  /** The time that the range and the order of rows apply to; modity means modify */
  time_range_type?: "create" | "modify" | "modity" | undefined
}

export interface ListFollowUpsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: FollowUp[]
}

export interface ListFollowUpsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListFunnelLeadsData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The figure: the number of rows on all pages. */
  value: number
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: FunnelLead[]
}

export interface ListFunnelLeadsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** First day on which leads arrived */
  start_date: string
  /** Last day, inclusive; at most 366 days in total */
  end_date: string
  /** Groups leads by arrival time or by a field of the lead */
  by?: "day" | "week" | "month" | "channel" | "campaign" | "course" | "owner" | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** The stage of the figure */
  stage: "leads" | "contacted" | "ordered" | "paid" | "enrolled"
  /** The key of the figure; omitted: the total */
  key?: string | undefined
  /** Selects the leads without a value, whose key is "" */
  unnamed?: boolean | undefined
  /** The given days, or the same days one year earlier */
  year?: "this" | "last" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListHistoryData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: OrderChange[]
}

export interface ListHistoryInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The number of this page, from 0. */
  page?: number | undefined
  /** The maximum number of rows per page. */
  page_size?: number | undefined
}

export interface ListLeadFileRowsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: LeadFileRow[]
}

export interface ListLeadFileRowsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** Only rows that came to this */
  outcome?: "new_user" | "known_user" | "duplicate_entry" | "duplicate_row" | "reject" | "erased" | undefined
  /** Language of the reasons; default: en */
  language?: "en" | "zh" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListLeadFileValuesData {
  /** The columns whose values wait for an answer or were guessed. */
  columns: LeadFileValues[]
}

export interface ListLeadFileValuesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface ListLeadFilesData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: LeadFile[]
}

export interface ListLeadFilesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListLeadsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: ListedLead[]
}

export interface ListLeadsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** By creation time of the leads */
  sort?: "oldest" | "newest" | undefined
  /** Only leads with this utm_source */
  utm_source?: string | undefined
  /** Only leads with this utm_medium */
  utm_medium?: string | undefined
  /** Only leads with this utm_campaign */
  utm_campaign?: string | undefined
  /** Only leads with this utm_channel */
  utm_channel?: string | undefined
  /** Only leads with this utm_keyword */
  utm_keyword?: string | undefined
  /** Only leads with this utm_term */
  utm_term?: string | undefined
  /** Only leads with this campaign */
  campaign?: string | undefined
  /** Only leads with this course_code */
  course_code?: string | undefined
  /** Only leads that name this owner */
  owner_id?: string | undefined
  /** Only leads of this user */
  user_id?: string | undefined
  /** The time that the range and the order of rows apply to. modify: when the last change became visible, shortly after mtime */
  time_range_type?: "create" | "modify" | undefined
}

export interface ListLeftAloneRecordsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: LeftAlone[]
}

export interface ListLeftAloneRecordsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the batch */
  batch_id: string
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListOrderMoneyData {
  /** The order. */
  order_id: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  credited_price: Minor
  /** Minor units of the currency */
  written_off_price: Minor
  /** Minor units of the currency */
  held_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** Minor units of the currency */
  over_payment_price: Minor
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: OrderMoneyRow[]
}

export interface ListOrderMoneyInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListOrdersData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: OrderRow[]
}

export interface ListOrdersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The status. The moves between statuses are explained at /docs/orders. */
  status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | undefined
  /** The time that the range and the order of rows apply to; modity means modify */
  time_range_type?: "create" | "modify" | "modity" | undefined
  /** Whether deleted orders are listed too; is_deleted tells them apart */
  include_deleted?: boolean | undefined
}

export interface ListPayersData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: Payer[]
}

export interface ListPayersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** A part of a text */
  search?: string | undefined
  /** person: pays for themselves; unknown: money arrived, and nobody knows yet from whom */
  kind?: "person" | "parent" | "employer" | "sponsor" | "other" | "unknown" | undefined
  /** Only payers that are this user */
  user_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListPaymentRequestsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: PaymentRequest[]
}

export interface ListPaymentRequestsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListPaymentsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: PaymentRow[]
}

export interface ListPaymentsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range by completed_time, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The method of payment */
  method?: string | undefined
  /** The provider of the charge */
  provider?: string | undefined
  /** The user of an order that it was reported for, or that has its money */
  user_id?: string | undefined
  /** The order that it was reported for, or that has its money */
  order_id?: string | undefined
  /** Only payments of this payer */
  payer_id?: string | undefined
  /** Only payments in this state. */
  state?: "applied" | "unapplied" | "refunded" | "void" | "moved" | undefined
  /** By completed_time */
  sort?: "oldest" | "newest" | undefined
}

export interface ListReceiptsRowsData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The figure: the sum of the rows on all pages. */
  value: number
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: ReceiptsRow[]
}

export interface ListReceiptsRowsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** First day on which money moved, by its value date */
  start_date: string
  /** Last day, inclusive; at most three years in total */
  end_date: string
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
  /** ISO 4217 code */
  currency: Currency
  /** Only this month */
  month?: string | undefined
  /** Only this course */
  course_code?: string | undefined
  /** Only orders without a course */
  unnamed?: boolean | undefined
  /** Only payments, or only refunds. */
  kind?: "payment" | "refund" | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListRecordEventsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: Event[]
}

export interface ListRecordEventsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The id of a person, an order or another record */
  record_id: string
  /** Only events before this `seq` */
  before?: number | undefined
  /** The most events of these records. Other events of the same changes come on top */
  limit?: number | undefined
}

export interface ListRefundsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: RefundRow[]
}

export interface ListRefundsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range by completed_time, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The method of payment */
  method?: string | undefined
  /** The provider of the charge */
  provider?: string | undefined
  /** The user of an order that it was reported for, or that has its money */
  user_id?: string | undefined
  /** The order that it was reported for, or that has its money */
  order_id?: string | undefined
}

export interface ListStatementsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: BankStatement[]
}

export interface ListStatementsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only statements of this account */
  account_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListTagGroupsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The rows of this page. */
  rows: TagGroup[]
}

export interface ListTagGroupsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Category */
  category: string
  /** Number of groups to skip */
  start_index: number
  /** Maximum number of groups to return */
  step: number
}

export interface ListUnallocatedData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: UnallocatedPayment[]
  /** Sums over all pages, one per currency. */
  totals: UnallocatedTotal[]
}

export interface ListUnallocatedInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Only of this payer */
  payer_id?: string | undefined
  /** ISO 4217 code */
  currency?: Currency | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListUnmatchedPaymentsData {
  /** Of all pages */
  totals: UnmatchedTotal[]
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: UnmatchedPayment[]
}

export interface ListUnmatchedPaymentsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ISO 4217 code */
  currency?: Currency | undefined
  /** Only this amount in minor units, incoming or outgoing */
  amount?: Amount | undefined
  /** A part of the name of the user or payer, the charge, or the id or external id of the order */
  search?: string | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListUnmatchedRefundsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: UnmatchedRefund[]
}

export interface ListUnmatchedRefundsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Of the returned amount */
  currency?: Currency | undefined
  /** Only this amount in minor units, incoming or outgoing */
  amount?: Amount | undefined
  /** A part of the name of the user, the charge, or the id or external id of the order */
  search?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListUserHistoryData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: UserChange[]
}

export interface ListUserHistoryInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
}

export interface ListUserTagsData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The rows of this page. */
  rows: UserTag[]
}

export interface ListUserTagsInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** User ID */
  user_id: string
}

export interface ListUsersData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: UserRow[]
}

export interface ListUsersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** By creation time of the users */
  sort?: "oldest" | "newest" | undefined
  /** Words of the name or their beginnings; one character is enough for a Chinese name */
  name?: string | undefined
  /** The number in any notation, or its beginning or end; for staff the whole number or its last four digits */
  mobile?: string | undefined
  /** The e-mail address, or its beginning; for staff the whole address */
  email?: string | undefined
  /** Pool of the users */
  pool?: string | undefined
  /** Owner of the users */
  owner_id?: string | undefined
  /** Status of an order of the users; none: users without orders */
  order_status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | "none" | undefined
  /** Course in a lead of the users */
  course_code?: string | undefined
  /** Import of a lead file that had a lead of the users */
  import_id?: string | undefined
  /** Tag group of a tag of the users */
  tags_group_id?: string | undefined
  /** Value of that tag, as it is assigned */
  tag_value?: string | undefined
  /** The time that the range and the order of rows apply to. modify: when the last change became visible, shortly after mtime */
  time_range_type?: "create" | "modify" | undefined
}

export interface ListWebhookDeliveriesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: WebhookDelivery[]
  /** Send it as `after` for the next page; "" on the last page */
  next_cursor: string
  /** Whether there are older deliveries. */
  has_more: boolean
}

export interface ListWebhookDeliveriesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
  /** Only deliveries in this state */
  state?: "waiting" | "delivered" | "dead" | undefined
  /** The next_cursor of the page before. Absent: the first page */
  after?: string | undefined
  /** Deliveries per page */
  limit?: number | undefined
}

export interface ListWebhookEndpointsData {
  /** The rows of this page, or all rows where there are no pages. */
  list: WebhookEndpoint[]
}

export interface ListWebhookEndpointsInput {
  /** Organization ID */
  corp_id?: string | undefined
}

export interface ListedAllocation {
  /** The order. */
  order_id: string
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** Minor units of the currency */
  price: Minor
}

export interface ListedAuditEntry {
  /** Position in the chain, from 1, without gaps */
  seq: number
  /** The id of the entry in the system that sent it. The same entry is stored once. */
  entry_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  time: string
  /** support: somebody of the operator, whom the school let in */
  actor_kind: "account" | "staff" | "support" | "system"
  /** The account, the member of staff, the access of a support person, or the operating-system user */
  actor_id: string
  /** IP address of the caller */
  address: string | null
  /** The id of the request. */
  request_id: string | null
  /** The operation or command */
  operation: string
  /** Kind of the action. */
  action: "made" | "changed" | "removed" | "revealed" | "exported" | "erased"
  /** The kind of record, such as user or order. */
  record_type: string
  /** The id of the record. */
  record_id: string
  /** Version of the record after the change, if the record has versions. The history of an order has its content before and after */
  version: number | null
  /** Members that differ */
  before: Record<string, unknown>
  /** The members that differ, after the change. */
  after: Record<string, unknown>
  /** Whether the personal part was erased */
  is_erased: boolean
  /** The person that the entry is about; "" for none */
  subject_id: string
  /** Name of that person; "" without a name, or after an erasure */
  subject_name: string
}

export interface ListedClosing {
  /** The organization. */
  corp_id: string
  /** Its place among closings and reversals, from 1 */
  number: number
  /** SHA-256 of the closing or reversal before it, as stored; "" for the first one */
  previous_hash: string
  /** The last day of the previous period; null for the first closing */
  after: string | null
  /** The last day of the period */
  until: string
  /** The IANA time zone of the organization. */
  time_zone: string
  /** The last instant of that day. An export as of this instant shows the same figures. */
  as_of: string
  /** ISO 8601, UTC, with fractional seconds */
  closed_at: string
  /** The head of the hash chain at that instant. */
  chain: ClosingChain
  /** In the currency of the orders */
  currencies: ClosingCurrency[]
  /** The same money by account and currency of receipt, as statements show it. If there are more than 500, one row per pair of currencies */
  accounts: ClosingAccount[]
  /** Absent while the closing is in force */
  reversal?: ClosingReversal
}

export interface ListedLead {
  /** ID of the lead */
  lead_id: string
  /** User of the lead */
  user_id: string
  /** Organization ID */
  corp_id: string
  /** The account that sent the lead */
  app_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** Time of the last change, such as a merge that moved the lead to another user */
  mtime: string
  /** Number of changes, from 1 */
  version: number
  /** Whether the lead asks for corporate training; null if it did not say. */
  is_corporate_training: boolean | null
  /** The advisers, in the order in which they were added. */
  owner_ids: string[]
  /** The import of the lead file that had it; "" if it came otherwise */
  import_id: string
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The name. */
  name: string
  /** The source of the link (utm_source). */
  utm_source: string
  /** The medium of the link (utm_medium). */
  utm_medium: string
  /** The campaign of the link (utm_campaign). */
  utm_campaign: string
  /** The channel of the link (utm_channel). */
  utm_channel: string
  /** The keyword of the link (utm_keyword). */
  utm_keyword: string
  /** The search term of the link (utm_term). */
  utm_term: string
  /** The campaign in the words of the school. */
  campaign: string
  /** The first question of the form. */
  form1_name: string
  /** The second question of the form. */
  form2_name: string
  /** The third question of the form. */
  form3_name: string
  /** The fourth question of the form. */
  form4_name: string
  /** The answer to the first question. */
  form1_value: string
  /** The answer to the second question. */
  form2_value: string
  /** The answer to the third question. */
  form3_value: string
  /** The answer to the fourth question. */
  form4_value: string
  /** The id of the entry in the system that sent it. The same entry is stored once. */
  entry_id: string
  /** The id of the landing page. */
  page_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The click id of Baidu. */
  bd_vid: string
  /** The company. */
  company_name: string
  /** The work experience, in the words of the source. */
  work_exp: string
  /** The job title. */
  job_title: string
  /** The department. */
  department: string
  /** The city. */
  city: string
  /** One more adviser of the person. */
  oid: string
  /** The person of the lead, as they are now. */
  user: {
    /** The name. */
    name: string
    /** The pool that the user is in, such as public or alive. */
    pool: string
    /** The advisers, in the order in which they were added. */
    owner_ids: string[]
    /** The owner that has claimed the user */
    holder_id: string | null
  }
}

export interface MailPaymentRequestData {
  /** The recipient, masked. */
  to: string
  /** The subject of the mail. */
  subject: string
  /** The text of the mail. */
  text: string
  /** none: this was a preview; sent: it was sent before, and is not sent again */
  mail: "none" | "waiting" | "sent"
}

export interface MailPaymentRequestInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment request. */
  payment_request_id: string
  /** The last part of the path that order/payment/request answered */
  token: string
  /** Default: the person of the order */
  payer_id?: string | undefined
  /** Default: that of the country of the school */
  language?: "en" | "zh" | undefined
  /** Preview only */
  dry_run?: boolean | undefined
}

export interface MatchBankLinesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: BankLine[]
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface MatchBankLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Open lines; several are joined */
  line_ids: string[]
  /** Payments without a line */
  payment_ids?: string[] | undefined
  /** Refunds without a line */
  refund_ids?: string[] | undefined
  /** Parts to record; only with a single line, which they split */
  book?: BankLineBooking[] | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface MergeObstacle {
  /** The user that prevents the merge */
  user_id: string
  /** not_yours: has another adviser; unclaimed: is in the public pool, claim the user first; erased: has no data any more */
  reason: "not_yours" | "unclaimed" | "erased"
}

export interface MergeSide {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The name. */
  name: string | null
  /** The given name. */
  first_name: string | null
  /** The family name. */
  last_name: string | null
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string | null
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string | null
  /** The country calling code of the second number. */
  backup_area_code: string | null
  /** The second mobile number, which a merge kept. */
  backup_mobile: string | null
  /** The e-mail address; "" or null if there is none. */
  email: string | null
  /** The WeChat ID. */
  wechat_id: string | null
  /** The id of the record in another system; "" or null if there is none. */
  external_id: string | null
  /** The gender, in the words of the source. */
  gender: string | null
  /** The age in years; null if unknown. */
  age: number | null
  /** The city. */
  city: string | null
  /** The company. */
  company_name: string | null
  /** The job title. */
  job_title: string | null
  /** The department. */
  department: string | null
  /** The industry. */
  industry: string | null
  /** The work experience, in the words of the source. */
  work_exp: string | null
  /** The address of a professional social profile. */
  professional_profile_url: string | null
  /** Whether the contact was verified. */
  is_verified: boolean
  /** The pool that the user is in. */
  pool: string
  /** In order of addition */
  owner_ids: string[]
  /** The owner that has claimed the user */
  holder_id: string | null
  /** One per group, in the order of the ids of the groups */
  tags: Array<{
    /** The tag group. */
    tags_group_id: string
    /** The assigned value. */
    value: string
  }>
  /** Number of leads */
  leads: number
  /** Number of orders */
  orders: number
  /** Number of follow-ups */
  follow_ups: number
  /** Number of payers */
  payers: number
}

export interface MergeUsersData {
  /** The merge to undo with user/unmerge */
  merge_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
}

export interface MergeUsersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The survivor */
  user_id: string
  /** The user to merge into the survivor */
  merged_user_id: string
}

export interface MovePaymentData {
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** The named one, or the first of the allocations */
  sub_order_id: string | null
  /** The amount in minor units of the order’s currency */
  order_price: Minor
  /** Whether the order took the money */
  applied: boolean
  /** The reason why it did not */
  because: string | null
  /** The parts of the amount and the sub-orders that they belong to. */
  allocations: PaymentAllocation[]
  /** Of the order, after this payment */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface MovePaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** The right order, in any currency */
  to_order_id: string
  /** Units of the order’s currency for one of this one, × 10,000 */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The credited amount in the currency of the right order */
  settled_price?: Amount | undefined
  /** Why the payment belongs to the other order */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface OpenStatementData {
  /** The bank statement. */
  statement_id: string
}

export interface OpenStatementInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The bank account */
  account_id: string
  /** Number or period of the statement, unique per account */
  name: string
  /** Minor units of the currency */
  opening_price: Amount
  /** Minor units of the currency */
  closing_price: Amount
}

export interface Order {
  /** Order ID */
  entity_id: string
  /** The organization. */
  corp_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The course. */
  course_id: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The lead that led to the order; "" if there is none. */
  leads_id: string
  /** Where the order came from. */
  source: "open_api" | "console" | "import" | "payment_gateway" | "system"
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The kind of order. */
  type: "course" | "application_fee" | "corporate_training" | "material" | "transfer" | "other"
  /** The user, a person whom the organization knows. */
  user_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  course_end_time: string
  /** The application fee in minor units of its currency; null if there is none. */
  application_fee_price: Minor | null
  /** Minor units of the currency */
  discounted_price: Minor
  /** Minor units of the currency */
  listed_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** Minor units of the currency */
  post_refund_price: Minor
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** The number of instalments. */
  installment_count: number
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** Whether the record is deleted. */
  is_deleted: boolean
  /** Whether the record is locked against changes. */
  is_locked: boolean
  /** Sub-orders of earlier orders on which this one builds. */
  pre_sub_order_ids: string[]
  /** The sub-orders (instalments) in their order. */
  sub_order_ids: string[]
  /** The coupons that reduce the price. */
  coupon_ids: string[]
  /** The sub-orders (instalments) in their order. */
  sub_orders: SubOrder[]
}

export interface OrderChange {
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  time: string
  /** The kind of change. */
  change: "created" | "updated" | "status" | "payment" | "refund" | "void" | "apply" | "unapply" | "transfer" | "write_off" | "move" | "reversal" | "remark" | "expired" | "merged" | "unmerged" | "undone" | "erased"
  /** The status before; null if the status did not change, or for the creation. */
  from_status: string | null
  /** The status after. */
  to_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The account or member of staff who made the record. */
  executor_id: string | null
  /** The reason, in the words of the person who gave it. */
  reason: string | null
  /** The payment, refund, transfer or remark that made it */
  subject_id: string | null
  /** Text of the remark, if the change is a remark; empty once its user was erased */
  remark: string | null
  /** The members that differ, before the change. */
  before: {
    /** Members of the order that differ, before the change. */
    order: Record<string, unknown>
    /** Members of sub-orders that differ, before the change. */
    sub_orders: Record<string, Record<string, unknown>>
  }
  /** The members that differ, after the change. */
  after: {
    /** Members of the order that differ, after the change. */
    order: Record<string, unknown>
    /** Members of sub-orders that differ, after the change. */
    sub_orders: Record<string, Record<string, unknown>>
  }
}

export interface OrderMoneyRow {
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  time: string
  /** Kind of the movement. */
  kind: "price" | "payment" | "void" | "apply" | "unapply" | "transfer" | "move" | "refund" | "credit" | "write_off" | "reversal" | "status"
  /** The payment, refund or transfer of the entry */
  id: string
  /** The payment. */
  payment_id: string
  /** Of the payment */
  receipt_num: number | null
  /** The page with the receipts of its order */
  receipt_url: string
  /** The value date of the payment or refund; "" for other entries */
  completed_time: string
  /** How the entry was recorded. */
  source: string
  /** How the money moved: card, transfer, cash. */
  method: string
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** The order that a transfer came from or went to */
  other_order_id: string
  /** The change of the held amount: money in is above 0, money out below */
  price: Minor
  /** The change of the amount to pay: price less credits and write-offs */
  claim_price: Minor
  /** Held after this row */
  held_price: Minor
  /** Unpaid after this row */
  unpaid_price: Minor
  /** Overpaid after this row */
  over_payment_price: Minor
  /** The reason, in the words of the person who gave it. */
  reason: string
  /** The account or member of staff who made the record. */
  executor_id: string
}

export interface OrderPreview {
  /** The order. */
  order_id: string
  /** The order as it would be. */
  after: PreviewedOrder
  /** Absent for a new order */
  before?: PreviewedOrder
}

export interface OrderRow {
  /** Order ID */
  entity_id: string
  /** The organization. */
  corp_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The course. */
  course_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** The number of the contract; "" if there is none. */
  contract_id: string
  /** The id of the deal in another system; "" if there is none. */
  business_id: string
  /** The id of the product in another system; "" if there is none. */
  product_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  course_start_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  course_end_time: string
  /** Where the order came from. */
  source: "open_api" | "console" | "import" | "payment_gateway" | "system"
  /** The currency of the application fee: an ISO 4217 code. */
  application_fee_currency: string
  /** The status of the application fee, as the school words it; "" if there is none. */
  application_fee_status: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  last_refund_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  expired_time: string
  /** The order from which money was transferred; "" if there is none. */
  transferred_id: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** The address of the receipt; "" if there is none. */
  receipt_url: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The version of the order, as a text. */
  version: string
  /** Minor units of the currency */
  listed_price: Minor
  /** Minor units of the currency */
  foreign_service_charge: Minor
  /** Minor units of the currency */
  service_charge: Minor
  /** Minor units of the currency */
  total_price: Minor
  /** The application fee in minor units of its currency; null if there is none. */
  application_fee_price: Minor | null
  /** Exchange rate × 10,000 */
  application_fee_exchange_rate: number
  /** Minor units of the currency */
  discounted_price: Minor
  /** Exchange rate × 10,000 */
  exchange_rate: number
  /** Minor units of the currency */
  post_refund_price: Minor
  /** Minor units of the currency */
  refund_price: Minor
  /** Minor units of the currency */
  over_payment_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** The number of instalments. */
  installment_count: number
  /** The number of people for whom the order is. */
  user_underling_number: number
  /** Whether the record is locked against changes. */
  is_locked: boolean
  /** Whether money was transferred to or from another order. */
  is_transferred: boolean
  /** Whether a payment was voided or moved. */
  is_payment_changed: boolean
  /** Whether the order builds on an earlier one. */
  have_pre: boolean
  /** Whether a company paid by bank transfer. */
  is_company_transfer: boolean
  /** Numbers of invoices in another system. */
  invoice_ids: string[]
  /** The remarks on the order, the oldest first. */
  remark_list: Remark[]
  /** The sub-orders that are fully paid. */
  paid_sub_order_ids: string[]
  /** The coupons that reduce the price. */
  coupon_ids: string[]
  /** The sub-orders (instalments) in their order. */
  sub_order_ids: string[]
  /** Sub-orders of earlier orders on which this one builds. */
  pre_sub_order_ids: string[]
  /** The refunds of the order. */
  refund_ids: string[]
  /** Owner ID to fraction; they sum to 1 */
  share_proportion: Record<string, number>
  /** The birthday of the user when the order was created; "" if unknown. */
  user_birthday: string
  /** The current work start of the user when the order was created; "" if unknown. */
  user_current_work_start: string
  /** The parent company name of the user when the order was created; "" if unknown. */
  user_parent_company_name: string
  /** The top grades date of the user when the order was created; "" if unknown. */
  user_top_grades_date: string
  /** The age of the user when the order was created; "" if unknown. */
  user_age: string
  /** The address of the user when the order was created; "" if unknown. */
  user_address: string
  /** The nationality of the user when the order was created; "" if unknown. */
  user_nationality: string
  /** The work exp of the user when the order was created; "" if unknown. */
  user_work_exp: string
  /** The department of the user when the order was created; "" if unknown. */
  user_department: string
  /** The job title of the user when the order was created; "" if unknown. */
  user_job_title: string
  /** The company name of the user when the order was created; "" if unknown. */
  user_company_name: string
  /** The company category of the user when the order was created; "" if unknown. */
  user_company_category: string
  /** The company annual revenue of the user when the order was created; "" if unknown. */
  user_company_annual_revenue: string
  /** The company size of the user when the order was created; "" if unknown. */
  user_company_size: string
  /** The industry of the user when the order was created; "" if unknown. */
  user_industry: string
  /** The annual income of the user when the order was created; "" if unknown. */
  user_annual_income: string
  /** The top grades of the user when the order was created; "" if unknown. */
  user_top_grades: string
  /** The top grades institution of the user when the order was created; "" if unknown. */
  user_top_grades_institution: string
  /** The certificate type of the user when the order was created; "" if unknown. */
  user_certificate_type: string
  /** The identification type of the user when the order was created; "" if unknown. */
  user_identification_type: string
  /** The city of the user when the order was created; "" if unknown. */
  user_city: string
  /** The city raw of the user when the order was created; "" if unknown. */
  user_city_raw: string
  /** The city mobile of the user when the order was created; "" if unknown. */
  user_city_mobile: string
  /** The mobile attribution of the user when the order was created; "" if unknown. */
  user_mobile_attribution: string
  /** The name of the user when the order was created; "" if unknown. */
  user_name: string
  /** The first name of the user when the order was created; "" if unknown. */
  user_first_name: string
  /** The last name of the user when the order was created; "" if unknown. */
  user_last_name: string
  /** The gender of the user when the order was created; "" if unknown. */
  user_gender: string
  /** The certificate id of the user when the order was created; "" if unknown. */
  user_certificate_id: string
  /** The identification id of the user when the order was created; "" if unknown. */
  user_identification_id: string
  /** The certificate url of the user when the order was created; "" if unknown. */
  user_certificate_url: string
  /** The resume file url of the user when the order was created; "" if unknown. */
  user_resume_file_url: string
  /** The academic proof url of the user when the order was created; "" if unknown. */
  user_academic_proof_url: string
  /** The manual chat of the user when the order was created; "" if unknown. */
  user_manual_chat: string
  /** The partner uid of the user when the order was created; "" if unknown. */
  user_partner_uid: string
  /** The professional profile url of the user when the order was created; "" if unknown. */
  user_professional_profile_url: string
  /** The lead that led to the order; "" if there is none. */
  leads_id: string
  /** Whether the record is deleted. */
  is_deleted: boolean
  /** The kind of order. */
  type: "course" | "application_fee" | "corporate_training" | "material" | "transfer" | "other"
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
}

export interface OrderSearchRow {
  /** The order. */
  order_id: string
  /** The id of the record in another system; "" or null if there is none. */
  external_id: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The present name of the user */
  user_name: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The name of the course. */
  course_name: string
  /** The batch (intake) of the course. */
  batch_id: string
  /** The name of the batch. */
  batch_name: string
  /** The owners who share the order */
  owner_ids: string[]
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** The held amount: paid less refunded */
  post_refund_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** The number of instalments. */
  installment_count: number
  /** The number of instalments that are fully paid. */
  paid_installments: number
  /** Of the next instalment that is not fully paid */
  next_deadline: string
  /** Whether an unpaid instalment is past its deadline. */
  is_overdue: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface Organization {
  /** The organization. */
  corp_id: string
  /** The name. */
  name: string
  /** IANA zone of the timestamps and days of its records */
  time_zone: string
  /** ISO 4217 code of prices without a currency */
  currency: string
  /** ISO 3166 code of mobile numbers without a calling code */
  country: string
  /** The pools that its users can be in, in order */
  pools: string[]
}

export interface OrganizationUsage {
  /** The organization. */
  corp_id: string
  /** Current usage. */
  used: {
    /** Calls of programs today (UTC) */
    calls_per_day: number
    /** Stored rows at the last measure; null before the first */
    rows: number | null
    /** Estimated bytes of these rows and their indexes; null where unknown */
    bytes: number | null
    /** Imports of files that began today (UTC) */
    imports_per_day: number
  }
  /** The most that may be used; null: no limit. */
  quotas: {
    /** Calls of programs per day; null: no quota */
    calls_per_day: number | null
    /** Stored rows; null: no quota */
    rows: number | null
    /** Stored bytes; null: no quota */
    bytes: number | null
    /** Imports of files per day; null: no quota */
    imports_per_day: number | null
  }
  /** The quotas that are used up */
  used_up: string[]
  /** The time of the last measure of rows and bytes */
  measured_at: string | null
  /** Rows at the last measure */
  rows_by_table: Record<string, number>
  /** Calls of the last days (UTC), the newest first */
  days: Array<{
    /** The day, YYYY-MM-DD. */
    day: string
    /** Calls of programs on the day. */
    program_calls: number
    /** Calls of staff on the day. */
    staff_calls: number
  }>
}

export interface PaidOrder {
  /** The order. */
  order_id: string
  /** Current name of its user */
  user_name: string
}

export interface Payer {
  /** The payer, a record of who pays. */
  payer_id: string
  /** person: pays for themselves; unknown: money arrived, and nobody knows yet from whom */
  kind: "person" | "parent" | "employer" | "sponsor" | "other" | "unknown"
  /** "" for an erased payer */
  name: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The person to ask for at a company. */
  contact_name: string
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The e-mail address; "" or null if there is none. */
  email: string
  /** The postal address. */
  address: string
  /** The tax number. */
  tax_number: string
  /** The number of the payer in your accounts. */
  reference: string
  /** Remarks for colleagues. */
  remarks: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
}

export interface PayerBalance {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The money of the payer before the first day */
  opening_price: Minor
  /** Minor units of the currency */
  received_price: Minor
  /** Minor units of the currency */
  voided_price: Minor
  /** Moved to orders in another currency */
  moved_price: Minor
  /** Minor units of the currency */
  refunded_price: Minor
  /** The money of the payer after the last day */
  closing_price: Minor
  /** The part of it that is on orders now */
  allocated_price: Minor
  /** The part that no order has now */
  unallocated_price: Minor
}

export interface PayerDebts {
  /** "" where the person of the order pays */
  payer_id: string
  /** The name of the payer. */
  payer_name: string
  /** The person, where there is no payer */
  user_id: string
  /** The present name of the user. */
  user_name: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Orders with an unpaid amount */
  orders: number
  /** Minor units of the currency */
  outstanding: Minor
  /** With a future deadline, or none */
  not_due: number
  /** Overdue for at most 30 days */
  days_0_30: number
  /** Minor units of the currency */
  days_31_60: Minor
  /** Minor units of the currency */
  days_61_90: Minor
  /** Minor units of the currency */
  days_over_90: Minor
}

export interface Payment {
  /** The payment. */
  payment_id: string
  /** The state of the payment. */
  status: string
  /** How the payment was recorded. */
  source: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  price: Minor
  /** Exchange rate × 10,000 */
  exchange_rate: number
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** The number of the receipt; null if it has none. */
  receipt_num: number | null
  /** Comments on the payment. */
  comments: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
}

export interface PaymentAllocation {
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** Minor units of the currency */
  price: Minor
}

export interface PaymentMessages {
  /** The message in English. */
  en: string
  /** The message in Chinese. */
  zh: string
}

export interface PaymentRequest {
  /** The payment request. */
  payment_request_id: string
  /** The order. */
  order_id: string
  /** paid: the requested amount arrived since the request, or the order owes nothing */
  state: "open" | "part_paid" | "paid" | "expired" | "revoked"
  /** The requested amount */
  price: Minor
  /** The rest of it */
  due_price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Reference for the transfer of the payer; statement lines that name it find the order */
  reference: string
  /** The note that the payer sees. */
  note: string
  /** When a person first had the page before them; previews by messengers do not count */
  opened: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  expires: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  revoked: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
}

export interface PaymentRow {
  /** The payment. */
  payment_id: string
  /** The order that it was reported for, or the account of its payer */
  order_id: string
  /** The sub-order that the caller named */
  sub_order_id: string
  /** Of the order; "" for the account of a payer */
  user_id: string
  /** Current name of that user */
  user_name: string
  /** Payer, if not the user of the order */
  payer_id: string
  /** The name of the payer. */
  payer_name: string
  /** applied: an order has it; unapplied: no order could take it; void: it counts as never received. */
  state: "applied" | "unapplied" | "refunded" | "void" | "moved"
  /** Minor units of its own currency */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The rate × 10,000 */
  exchange_rate: number
  /** The exact rate as a decimal */
  rate: string
  /** The amount in the currency of the order */
  order_price: Minor
  /** The currency of the order: an ISO 4217 code. */
  order_currency: string
  /** The part of it that is neither allocated nor refunded */
  unapplied_price: Minor
  /** The refunded part of it */
  refund_price: Minor
  /** How the payment was recorded. */
  source: "open_api" | "console" | "import" | "payment_gateway" | "system"
  /** The payment provider of the charge_id. */
  provider: string
  /** How the money moved: card, transfer, cash. */
  method: string
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** The number of the receipt; null if it has none. */
  receipt_num: number | null
  /** Comments on the payment. */
  comments: string
  /** Why no order could take it when it arrived */
  unapplied_reason: string
  /** Why it is void */
  void_reason: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** The reported time of the payment */
  completed_time: string
  /** The time of the ledger entry */
  ctime: string
  /** The last day of the closed period that it belongs to, if it was posted later */
  closed_period: string
  /** When a bank statement confirmed it; "" if none does */
  matched_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  void_time: string
  /** The last day of the closed period that the voided payment belongs to, if it was voided later */
  void_closed_period: string
  /** The parts of the orders that have the money now */
  allocations: ListedAllocation[]
  /** These orders */
  orders: PaidOrder[]
}

export interface PingWebhookEndpointInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
}

export interface PlanLeadFileData {
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** The state of the file after the call. */
  state: string
}

export interface PlanLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
  /** Text encoding; default: detected */
  encoding?: string | undefined
  /** Sheet of a workbook; default: the first visible sheet with content */
  sheet?: string | undefined
  /** Row of the headers, the lower one of two; 0: the file has no headers; default: detected */
  header_row?: number | undefined
  /** Headers and their columns: user_id, area_code, mobile, backup_mobile, email, name, first_name, last_name, wechat_id, birthday, lead_time, note, tags, external_id, utm_source, utm_medium, utm_campaign, utm_channel, utm_keyword, utm_term, campaign, is_corporate_training, question, form1_name, form2_name, form3_name, form4_name, form1_value, form2_value, form3_value, form4_value, entry_id, page_id, course_code, bd_vid, company_name, work_exp, job_title, department, city, owner_ids, oid; ignore: not imported */
  mapping?: Array<{
    /** The header of the column in the file. */
    header: string
    /** The field that the column fills; "" leaves it out. */
    column: string
  }> | undefined
  /** Meanings of values of the file; default: as given before, or as remembered */
  values?: Array<{
    /** The field of the value. */
    column: "utm_source" | "utm_medium" | "utm_channel" | "utm_campaign" | "campaign" | "course_code" | "owner_ids" | "oid" | "is_corporate_training" | "tags" | "mobile" | "backup_mobile" | "lead_time" | "birthday"
    /** The value in the file. */
    value: string
    /** "" is no value */
    stands_for: string
  }> | undefined
  /** Corrected cells of rows, added to those given before; another sheet or header row removes them */
  fixes?: Array<{
    /** Number of the row, as in a spreadsheet */
    row: number
    /** Index of the cell, from 0 */
    cell: number
    /** The corrected value of the cell. */
    value: string
  }> | undefined
}

export interface PlannedSubOrder {
  /** Of an existing sub-order */
  sub_order_id?: string | undefined
  /** The kind of instalment. */
  type?: "deposit" | "installment" | "balance" | "application_fee" | "full" | undefined
  /** Minor units of the currency */
  total_price: Amount
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
  payment_deadline?: string | undefined
}

export interface PreviewLeadFileData {
  /** The sheet that is read; "" for other files */
  sheet: string
  /** The row of the headers; 0 if the file has none */
  header_row: number
  /** The first rows of the file. */
  first_rows: LeadFileFirstRow[]
}

export interface PreviewLeadFileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the file, from leads/import/file/create */
  import_id: string
}

export interface PreviewMergeData {
  /** The person who remains. */
  survivor: MergeSide
  /** The person who becomes part of the other. */
  merged: MergeSide
  /** The survivor after the merge */
  after: MergeSide
  /** Why the caller cannot merge the two users; empty if the caller can */
  obstacles: MergeObstacle[]
}

export interface PreviewMergeInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The survivor */
  user_id: string
  /** The user to merge into the survivor */
  merged_user_id: string
}

export interface PreviewedInstalment {
  /** The sub-order, which is one instalment of the order. */
  sub_order_id: string
  /** The position among the instalments, from 1. */
  seq: number
  /** The kind of instalment. */
  type: "deposit" | "installment" | "balance" | "application_fee" | "full"
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  payment_deadline: string
}

export interface PreviewedOrder {
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  listed_price: Minor
  /** Minor units of the currency */
  discounted_price: Minor
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** Minor units of the currency */
  refund_price: Minor
  /** Received and not refunded */
  held_price: Minor
  /** The part of total_price that credit notes cancel */
  credited_price: Minor
  /** Minor units of the currency */
  written_off_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** Minor units of the currency */
  over_payment_price: Minor
  /** The sub-orders (instalments) as they would be. */
  sub_orders: PreviewedInstalment[]
}

export interface PrintDocumentData {
  /** Path of the file on this server */
  download: string
  /** The name of the file. */
  file_name: string
}

export interface PrintDocumentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The receipt, invoice or credit note. */
  document_id: string
  /** English, Chinese, or both */
  language?: "en" | "zh" | "both" | undefined
}

export interface ReadBankLine {
  /** Line of the file */
  line: number
  /** YYYY-MM-DD; "" where there is none */
  value_date: string
  /** Minor units of the currency */
  price: Minor
  /** Minor units of the currency */
  fee_price: Minor
  /** The id of the charge at the payment provider. */
  charge_id: string | null
  /** The reference that the other party gave. */
  reference: string | null
  /** The other party, as the bank names it. */
  payer: string | null
  /** A description for people. */
  description: string | null
  /** The payout of the payment provider that includes the line. */
  payout_id: string | null
}

export interface ReadFunnelNumbersData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** Grouping of the rows. */
  by: "day" | "week" | "month" | "channel" | "campaign" | "course" | "owner"
  /** The figures of all rows together. */
  total: FunnelCounts
  /** The same for the year before. */
  total_last_year: FunnelCounts
  /** The rows of this page, or all rows where there are no pages. */
  list: FunnelRow[]
}

export interface ReadFunnelNumbersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** First day on which leads arrived */
  start_date: string
  /** Last day, inclusive; at most 366 days in total */
  end_date: string
  /** Groups leads by arrival time or by a field of the lead */
  by?: "day" | "week" | "month" | "channel" | "campaign" | "course" | "owner" | undefined
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
}

export interface ReadReceiptsNumbersData {
  /** ISO 8601, UTC, with fractional seconds */
  as_of: string
  /** The rows of this page, or all rows where there are no pages. */
  list: ReceiptsGroup[]
}

export interface ReadReceiptsNumbersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** First day on which money moved, by its value date */
  start_date: string
  /** Last day, inclusive; at most three years in total */
  end_date: string
  /** An instant (ISO 8601; without an offset in the time zone of the organization), or a day, meaning its end; default: now */
  as_of?: string | undefined
}

export interface ReceiptAllocation {
  /** The order. */
  order_id: string
  /** The sub-order to pay first */
  sub_order_id?: string | undefined
  /** In minor units of the currency of the orders */
  price: Amount
}

export interface ReceiptsGroup {
  /** YYYY-MM, on the calendar of the organization */
  month: string
  /** Currency of the payment or refund */
  currency: string
  /** Course of the order that has the money */
  course_code: string
  /** Payments that are not void; one that is on several orders counts for each of them */
  payments: number
  /** Minor units of the currency */
  received: Minor
  /** The number of refunds. */
  refunds: number
  /** Minor units of the currency */
  refunded: Minor
  /** Minor units of the currency */
  net: Minor
}

export interface ReceiptsRow {
  /** Whether it is a payment or a refund. */
  kind: "payment" | "refund"
  /** Id of the payment or refund */
  id: string
  /** The order. */
  order_id: string
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The code of the course, unique in the organization. */
  course_code: string
  /** The month of the receipt, YYYY-MM. */
  month: string
  /** The part of the payment that the order has, in minor units; negative for a refund */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
}

export interface RecordReceiptByPayerId {
  /** Organization ID */
  corp_id?: string | undefined
  /** The paid amount, in minor units of its currency */
  price: Amount
  /** Default: that of the orders, or of the organization */
  currency?: Currency | undefined
  /** Required (or rate, or settled_price) if the currency is not the order’s */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The credited amount in the order’s currency; it takes precedence over a rate */
  settled_price?: Amount | undefined
  /** How the payment is recorded. */
  source?: "open_api" | "console" | "import" | "payment_gateway" | "system" | undefined
  /** The provider of the charge_id. Two providers may use the same id */
  provider?: string | undefined
  /** How it was paid: card, transfer, cash */
  method?: string | undefined
  /** The provider’s id: a charge is one payment, even if it is reported several times */
  charge_id?: string | undefined
  /** Record a charge again whose payment was voided, on any order; requires the permission finance. Default false */
  reinstate?: boolean | undefined
  /** The number of the receipt. It is chosen by you. */
  receipt_num?: number | undefined
  /** Comments on the payment. */
  comments?: string | undefined
  /** Payer */
  payer_id: string
  /** The time of the payment; default: now */
  completed_time?: string | undefined
  /** Each order once. The rest stays unallocated */
  allocations?: ReceiptAllocation[] | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface RecordReceiptByPayerName {
  /** Organization ID */
  corp_id?: string | undefined
  /** The paid amount, in minor units of its currency */
  price: Amount
  /** Default: that of the orders, or of the organization */
  currency?: Currency | undefined
  /** Required (or rate, or settled_price) if the currency is not the order’s */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The credited amount in the order’s currency; it takes precedence over a rate */
  settled_price?: Amount | undefined
  /** How the payment is recorded. */
  source?: "open_api" | "console" | "import" | "payment_gateway" | "system" | undefined
  /** The provider of the charge_id. Two providers may use the same id */
  provider?: string | undefined
  /** How it was paid: card, transfer, cash */
  method?: string | undefined
  /** The provider’s id: a charge is one payment, even if it is reported several times */
  charge_id?: string | undefined
  /** Record a charge again whose payment was voided, on any order; requires the permission finance. Default false */
  reinstate?: boolean | undefined
  /** The number of the receipt. It is chosen by you. */
  receipt_num?: number | undefined
  /** Comments on the payment. */
  comments?: string | undefined
  /** The time of the payment; default: now */
  completed_time?: string | undefined
  /** The name on the statement, if nobody knows the payer: a payer of the kind unknown is made */
  payer_name: string
  /** Each order once. The rest stays unallocated */
  allocations?: ReceiptAllocation[] | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface RecordReceiptByPayerUserId {
  /** Organization ID */
  corp_id?: string | undefined
  /** The paid amount, in minor units of its currency */
  price: Amount
  /** Default: that of the orders, or of the organization */
  currency?: Currency | undefined
  /** Required (or rate, or settled_price) if the currency is not the order’s */
  exchange_rate?: number | undefined
  /** The same as a decimal of any length, above 0 */
  rate?: string | undefined
  /** The credited amount in the order’s currency; it takes precedence over a rate */
  settled_price?: Amount | undefined
  /** How the payment is recorded. */
  source?: "open_api" | "console" | "import" | "payment_gateway" | "system" | undefined
  /** The provider of the charge_id. Two providers may use the same id */
  provider?: string | undefined
  /** How it was paid: card, transfer, cash */
  method?: string | undefined
  /** The provider’s id: a charge is one payment, even if it is reported several times */
  charge_id?: string | undefined
  /** Record a charge again whose payment was voided, on any order; requires the permission finance. Default false */
  reinstate?: boolean | undefined
  /** The number of the receipt. It is chosen by you. */
  receipt_num?: number | undefined
  /** Comments on the payment. */
  comments?: string | undefined
  /** The time of the payment; default: now */
  completed_time?: string | undefined
  /** The person who paid, instead of payer_id */
  payer_user_id: string
  /** Each order once. The rest stays unallocated */
  allocations?: ReceiptAllocation[] | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface RecordReceiptData {
  /** The payment. */
  payment_id: string
  /** The payer, a record of who pays. */
  payer_id: string
  /** The account of the payer, which the payment was recorded for */
  order_id: string
  /** The received amount in order_currency */
  order_price: Minor
  /** The currency of the orders */
  order_currency: string
  /** Minor units of the currency */
  allocated_price: Minor
  /** The part that no order has yet */
  unallocated_price: Minor
  /** The parts of the amount and the orders that they belong to. */
  allocations: AllocatedOrder[]
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export type RecordReceiptInput = RecordReceiptByPayerId | RecordReceiptByPayerUserId | RecordReceiptByPayerName

export interface RefundAllocation {
  /** The payment. */
  payment_id: string
  /** "" for money that was unapplied */
  sub_order_id: string
  /** Minor units of the currency */
  price: Minor
  /** The part that was overpaid */
  surplus_price: Minor
  /** The part that a credit note takes off the price */
  credited_price: Minor
}

export interface RefundRow {
  /** The refund. */
  refund_id: string
  /** The order. */
  order_id: string
  /** The one that the caller named */
  sub_order_id: string
  /** The one that the caller named */
  payment_id: string
  /** Of the order; "" for the account of a payer */
  user_id: string
  /** credit: the refund takes the amount off the price; return: it only gives money back. */
  as: "credit" | "return"
  /** Minor units of the order’s currency */
  price: Minor
  /** The price if the refund was reversed, otherwise 0 */
  reversed_price: Minor
  /** The currency of the order: an ISO 4217 code. */
  order_currency: string
  /** The returned amount, in minor units of its currency */
  returned_price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The rate × 10,000 */
  exchange_rate: number
  /** The exact rate as a decimal */
  rate: string
  /** The payment provider of the charge_id. */
  provider: string
  /** How the money moved: card, transfer, cash. */
  method: string
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** The reason, in the words of the person who gave it. */
  reason: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** The reported time of the refund */
  completed_time: string
  /** The time of the ledger entry */
  ctime: string
  /** The last day of the closed period that it belongs to, if it was posted later */
  closed_period: string
  /** When a bank statement confirmed it; "" if none does */
  matched_time: string
  /** The parts of the amount and the sub-orders that they belong to. */
  allocations: RefundAllocation[]
}

export interface ReleaseUserData {
  /** Global user ID */
  user_id: string
  /** Current pool of the user */
  pool: string
}

export interface ReleaseUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** The owner that releases the user */
  owner_id: string
}

export interface Remark {
  /** The remark. */
  id: string
  /** The text. */
  content: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
}

export interface RemoveWebhookEndpointData {

}

export interface RemoveWebhookEndpointInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
}

export interface ReplayWebhookDeliveriesData {
  /** Deliveries that are attempted again */
  replayed: number
  /** Whether dead deliveries are left */
  has_more: boolean
}

export interface ReplayWebhookDeliveriesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
  /** One delivery */
  delivery_id?: string | undefined
  /** Number of the first event */
  from_seq?: number | undefined
  /** Number of the last event */
  until_seq?: number | undefined
  /** true: all dead deliveries */
  all_dead?: boolean | undefined
}

export interface RequestPaymentData {
  /** The payment request. */
  payment_request_id: string
  /** The order. */
  order_id: string
  /** paid: the requested amount arrived since the request, or the order owes nothing */
  state: "open" | "part_paid" | "paid" | "expired" | "revoked"
  /** The requested amount */
  price: Minor
  /** The rest of it */
  due_price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Reference for the transfer of the payer; statement lines that name it find the order */
  reference: string
  /** The note that the payer sees. */
  note: string
  /** When a person first had the page before them; previews by messengers do not count */
  opened: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  expires: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  revoked: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** Path of the page on this server; "" if the call is repeated with its Idempotency-Key */
  path: string
  /** The whole address of the page; "" if the public address is not configured */
  url: string
  /** A message for the payer that has the link, ready to send. */
  messages: PaymentMessages
}

export interface RequestPaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** At most the unpaid amount; default: everything overdue, otherwise the next instalment */
  price?: Amount | undefined
  /** Days until the link expires */
  days?: number | undefined
  /** A text for the payer */
  note?: string | undefined
}

export interface ReverseClosingData {
  /** Of the closing */
  number: number
  /** YYYY-MM-DD; "" where there is none */
  until: string
  /** It always waits for a second approver */
  state: "waiting"
  /** The id for approval/approve */
  request_id: string
}

export interface ReverseClosingInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The last day of the latest closing */
  until: string
  /** Why it is reversed */
  reason: string
}

export interface ReverseRefundData {
  /** The refund. */
  refund_id: string
  /** The order. */
  order_id: string
  /** The amount that the order holds again */
  price: Minor
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ReverseRefundInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The refund. */
  refund_id: string
  /** Why the refund does not count */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface ReverseTransferData {
  /** The transfer of money between orders. */
  transfer_id: string
  /** Minor units of the currency */
  price: Minor
  /** The order that had given the money, and has it again. */
  from: {
    /** The order. */
    order_id: string
    /** Minor units of the currency */
    paid_price: Minor
    /** The status of the order after the call. */
    order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
    /** The version of the order after the call. */
    order_version: number
  }
  /** The order that gives the money back. */
  to: {
    /** The order. */
    order_id: string
    /** Minor units of the currency */
    paid_price: Minor
    /** The status of the order after the call. */
    order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
    /** The version of the order after the call. */
    order_version: number
  }
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ReverseTransferInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The transfer of money between orders. */
  transfer_id: string
  /** Why the money moves back */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface ReverseVoidData {
  /** The payment. */
  payment_id: string
  /** The order that the payment was reported for */
  order_id: string
  /** The amount that counts again */
  price: Minor
  /** Whether the order took the money; otherwise it is unapplied */
  applied: boolean
  /** The reason why it did not */
  because: string | null
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ReverseVoidInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** Why the payment counts after all */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface ReverseWriteOffData {
  /** The order. */
  order_id: string
  /** The reinstated amount */
  price: Minor
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface ReverseWriteOffInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The amount to reinstate; default: all that is written off */
  price?: Amount | undefined
  /** Why it is owed again */
  reason: string
  /** The version this call builds on */
  version?: number | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface RevokePaymentRequestData {
  /** The payment request. */
  payment_request_id: string
}

export interface RevokePaymentRequestInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment request. */
  payment_request_id: string
}

export interface RotateWebhookSecretInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
}

export interface SearchMatch {
  /** The member of the user that matched */
  member: string
  /** The first character of the match, counted from 0 in UTF-16 units */
  start: number
  /** The character after the match */
  end: number
}

export interface SearchOrdersData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: OrderSearchRow[]
}

export interface SearchOrdersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The time that the days apply to */
  time_range_type?: "create" | "modify" | undefined
  /** By the time of creation */
  sort?: "newest" | "oldest" | undefined
  /** The beginning of the order’s id or external_id, the last eight characters of the id (at least six of them), or a name or number of its user, as in user/search */
  q?: string | undefined
  /** The status. The moves between statuses are explained at /docs/orders. */
  status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | undefined
  /** Only orders that owe something, or whose deadline has passed */
  owing?: "unpaid" | "overdue" | undefined
  /** Only orders of this user */
  user_id?: string | undefined
  /** Only orders of this course */
  course_code?: string | undefined
  /** Only orders of this batch */
  batch_id?: string | undefined
  /** Only orders that this owner shares */
  owner_id?: string | undefined
}

export interface SearchUsersData {
  /** The number of rows on all pages at the time of the call. */
  total: number
  /** The number of this page, from 0. */
  page: number
  /** The maximum number of rows per page. */
  page_size: number
  /** The rows of this page, or all rows where there are no pages. */
  list: FoundUser[]
}

export interface SearchUsersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Page number, from 0 */
  page?: number | undefined
  /** Rows per page */
  page_size?: number | undefined
  /** First day of the range, in the zone of the organization */
  start_date?: string | undefined
  /** Last day of the range, included whole */
  end_date?: string | undefined
  /** The best match first, or by creation time of the users */
  sort?: "best" | "newest" | "oldest" | undefined
  /** Words of the name or their beginnings; one character is enough for a Chinese name */
  name?: string | undefined
  /** The number in any notation, or its beginning or end; for staff the whole number or its last four digits */
  mobile?: string | undefined
  /** The e-mail address, or its beginning; for staff the whole address */
  email?: string | undefined
  /** Pool of the users */
  pool?: string | undefined
  /** Owner of the users */
  owner_id?: string | undefined
  /** Status of an order of the users; none: users without orders */
  order_status?: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd" | "none" | undefined
  /** Course in a lead of the users */
  course_code?: string | undefined
  /** Import of a lead file that had a lead of the users */
  import_id?: string | undefined
  /** Tag group of a tag of the users */
  tags_group_id?: string | undefined
  /** Value of that tag, as it is assigned */
  tag_value?: string | undefined
  /** Search text */
  q: string
}

export type ShareProportion = Record<string, number>

export interface StatementEntry {
  /** When it was posted */
  at: string
  /** Kind of the movement. */
  kind: "received" | "voided" | "void_reversed" | "moved" | "refunded" | "refund_reversed"
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Positive: the school received it; negative: it left */
  price: Minor
  /** The money of the payer after this entry */
  balance: number
  /** The payment. */
  payment_id: string
  /** The refund. */
  refund_id: string
  /** The number of the receipt; null if it has none. */
  receipt_num: number | null
  /** How the money moved: card, transfer, cash. */
  method: string
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** Comments on the payment. */
  comments: string
  /** The reported time of the payment */
  completed_time: string
  /** The orders that have the money now */
  order_ids: string[]
}

export interface StatementInFile {
  /** Null before the import, or if no line is new */
  statement_id: string | null
  /** The name of the statement. */
  name: string
  /** Minor units of the currency */
  opening_price: Minor
  /** Minor units of the currency */
  closing_price: Minor
  /** Whether the balances are stated in the file */
  has_balances: boolean
  /** New lines */
  lines: number
  /** Lines that other statements of the account have. They are left out */
  repeated_lines: number
  /** Names of the statements that have these lines */
  repeats: string[]
  /** YYYY-MM-DD; null where there is none */
  from_date: string | null
  /** YYYY-MM-DD; null where there is none */
  until_date: string | null
}

export interface StatementLine {
  /** The day of the line */
  value_date: string
  /** Minor units of the currency, not 0; outgoing amounts are negative */
  price: Amount
  /** Default: that of the account or the organization */
  currency?: Currency | undefined
  /** The bank or gateway of the statement */
  provider?: string | undefined
  /** The charge id of the provider */
  charge_id?: string | undefined
  /** Text that names a charge, or the id or external id of an order */
  reference?: string | undefined
  /** The other party, as the bank names it */
  payer?: string | undefined
  /** A description for people. */
  description?: string | undefined
  /** The fee that the gateway deducted: price + fee_price is the gross amount; default: 0 */
  fee_price?: Amount | undefined
  /** The payout of the gateway that includes the line */
  payout_id?: string | undefined
}

export type StatementMapping = Record<string, string>

export interface SubOrder {
  /** The id of this record. */
  entity_id: string
  /** The order. */
  order_id: string
  /** The position among the instalments, from 1. */
  seq: number
  /** The kind of instalment. */
  type: "deposit" | "installment" | "balance" | "application_fee" | "full"
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** Minor units of the currency */
  total_price: Minor
  /** Minor units of the currency */
  paid_price: Minor
  /** Minor units of the currency */
  unpaid_price: Minor
  /** Minor units of the currency */
  refund_price: Minor
  /** Exchange rate × 10,000 */
  exchange_rate: number
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  payment_deadline: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** The payments, in the order of completion. */
  payments: Payment[]
}

export interface TagGroup {
  /** ID of the tag group */
  entity_id: string
  /** Kind of value: define (true or false), number or string */
  attribute: "define" | "number" | "string"
  /** Calculation rules */
  calculation_rules: {

  }
  /** The category under which people find the group. */
  category: string
  /** Organization ID */
  corp_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** A description for people. */
  description: string
  /** Whether it can be used for new records. */
  is_active: boolean
  /** Whether the value is computed. */
  is_auto: boolean
  /** Whether the record is deleted. */
  is_deleted: boolean
  /** Whether the record is locked against changes. */
  is_locked: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** Tag group name */
  name: string
  /** system, or custom for a group made through this interface */
  type: string
  /** The name for programs, unique among the live groups of the organization. */
  variable_name: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface TakeLeadData {
  /** ID of the lead */
  lead_id: string
  /** User of the lead */
  user_id: string
  /** Whether the user existed before this call */
  is_user_exists: boolean
  /** Whether the adviser is an owner of the user now */
  is_owner_set: boolean
  /** The follow-up with the note; "" if there is none */
  follow_up_id: string
}

export interface TakeLeadInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Country calling code, digits without a leading plus */
  area_code: string
  /** National number, digits only; at most 15 digits together with area_code */
  mobile: string
  /** Name of the user; fills a blank */
  name?: string | undefined
  /** Source */
  utm_source?: string | undefined
  /** Course code */
  course_code?: string | undefined
  /** Note about the conversation */
  note?: string | undefined
  /** Time of the next call; requires note */
  next_time?: string | undefined
  /** The adviser; by default the calling member of staff */
  owner_id?: string | undefined
}

export interface Taking {
  /** "" for payments without a method */
  method: string
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The number of payments. */
  payments: number
  /** Payments that the clerk took on the day, less voids */
  taken_price: Minor
  /** Refunds that the clerk recorded on the day */
  returned_price: Minor
  /** taken_price − returned_price */
  expected_price: Minor
}

export interface TransferBankLinesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: BankLine[]
  /** Amount that did not arrive, in the currency of both; 0 for two currencies */
  difference_price: Minor
  /** Units of the receiving currency for one unit of the other; null for one currency */
  rate: string | null
}

export interface TransferBankLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The open outgoing line */
  line_id: string
  /** The open incoming line of another account */
  other_line_id: string
}

export interface TransferMoneyData {
  /** The transfer of money between orders. */
  transfer_id: string
  /** Minor units of the currency */
  price: Minor
  /** The order that gave the money. */
  from: {
    /** The order. */
    order_id: string
    /** Minor units of the currency */
    paid_price: Minor
    /** The status of the order after the call. */
    order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
    /** The version of the order after the call. */
    order_version: number
  }
  /** The order that received the money. */
  to: {
    /** The order. */
    order_id: string
    /** Minor units of the currency */
    paid_price: Minor
    /** The status of the order after the call. */
    order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
    /** The version of the order after the call. */
    order_version: number
  }
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface TransferMoneyInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order that gives the money. */
  from_order_id: string
  /** An order in the same currency */
  to_order_id: string
  /** The moved amount, in minor units of their currency */
  price: Amount
  /** The reason for the transfer */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface UnallocatedPayment {
  /** The payment. */
  payment_id: string
  /** The account of the payer, or the order that it was reported for: a refund names it */
  order_id: string
  /** The payer, a record of who pays. */
  payer_id: string
  /** The name of the payer. */
  payer_name: string
  /** The user that the payer is, or of the order; "" if nobody is known */
  user_id: string
  /** The present name of the user. */
  user_name: string
  /** The received amount */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The part that no order has, in order_currency */
  unallocated_price: Minor
  /** The currency of the order: an ISO 4217 code. */
  order_currency: string
  /** Why no order could take the money. */
  unapplied_reason: string
  /** How the money moved: card, transfer, cash. */
  method: string
  /** The id of the charge at the payment provider. */
  charge_id: string
  /** Comments on the payment. */
  comments: string
  /** The number of the receipt; null if it has none. */
  receipt_num: number | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
}

export interface UnallocatedTotal {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The number of payments. */
  payments: number
  /** Minor units of the currency */
  unallocated_price: Minor
}

export interface UnapplyPaymentData {
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** The amount taken off the order */
  price: Minor
  /** Of the payment: it is applied if another order has a part of it */
  state: "applied" | "unapplied" | "refunded" | "void" | "moved"
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface UnapplyPaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** Why, for the history */
  reason?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface UndoChangesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** ID of the batch */
  batch_id: string
}

export interface UnmatchBankLinesData {
  /** The rows of this page, or all rows where there are no pages. */
  list: BankLine[]
}

export interface UnmatchBankLinesInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The lines of bank statements. */
  line_ids: string[]
}

export interface UnmatchedPayment {
  /** The payment. */
  payment_id: string
  /** The order. */
  order_id: string
  /** Of the order; "" for the account of a payer */
  user_id: string
  /** Current name of the user, or of the payer */
  user_name: string
  /** Minor units of the currency */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The payment provider of the charge_id. */
  provider: string
  /** The id of the charge at the payment provider. */
  charge_id: string | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
  /** Days since the payment */
  age: number
}

export interface UnmatchedRefund {
  /** The refund. */
  refund_id: string
  /** The order. */
  order_id: string
  /** Of the order; "" for the account of a payer */
  user_id: string
  /** Current name of the user */
  user_name: string
  /** The returned amount, in minor units of its currency */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The id of the charge at the payment provider. */
  charge_id: string | null
  /** The reason for the refund. */
  reason: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  completed_time: string
}

export interface UnmatchedTotal {
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** The number of payments. */
  payments: number
  /** Minor units of the currency */
  price: Minor
}

export interface UnmergeUsersData {
  /** The undo */
  batch_id: string
  /** Records that others have changed since */
  left_alone: number
}

export interface UnmergeUsersInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The `merge_id` of user/merge */
  merge_id: string
}

export interface UpdateEmailData {
  /** Global user ID */
  user_id: string
  /** The batch to undo with changes/undo; "" if nothing was changed */
  batch_id: string
}

export interface UpdateEmailInput {
  /** Global user ID */
  user_id: string
  /** E-mail address */
  email: string
  /** Organization ID */
  corp_id?: string | undefined
}

export interface UpdateMobileData {
  /** Global user ID */
  user_id: string
  /** The batch to undo with changes/undo; "" if nothing was changed */
  batch_id: string
}

export interface UpdateMobileInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** Country calling code, digits without a leading plus */
  area_code: string
  /** National number, digits only; at most 15 digits together with area_code */
  mobile: string
}

export interface UpdateOrderData {
  /** The order. */
  order_id: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** The sub-orders (instalments) in their order. */
  sub_order_ids: string[]
  /** waiting: for a second approver of the discount; the order is unchanged */
  state: "done" | "waiting"
  /** The id for approval/approve, if it waits */
  request_id: string | null
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface UpdateOrderInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The version this call builds on */
  version: number
  /** Why, for the history */
  reason?: string | undefined
  /** Minor units of the currency */
  listed_price?: Amount | undefined
  /** After all discounts; determines the manual discount */
  discounted_price?: Amount | undefined
  /** Instead of discounted_price: a discount in addition to the coupons */
  manual_discount?: number | undefined
  /** Minor units of the currency */
  service_charge?: Amount | undefined
  /** Minor units of the currency */
  foreign_service_charge?: Amount | undefined
  /** The coupons that reduce the price. */
  coupon_ids?: string[] | undefined
  /** The instalments in order; they sum to the total price */
  sub_orders?: PlannedSubOrder[] | undefined
  /** Owner ID to fraction of the order, of at most four decimals; they sum to 1 */
  share_proportion?: ShareProportion | undefined
  /** Numbers of invoices in another system. */
  invoice_ids?: string[] | undefined
  /** The number of the contract; "" if there is none. */
  contract_id?: string | undefined
  /** The id of the deal in another system; "" if there is none. */
  business_id?: string | undefined
  /** The id of the product in another system; "" if there is none. */
  product_id?: string | undefined
  /** The address of the receipt; "" if there is none. */
  receipt_url?: string | undefined
  /** The status of the application fee, as the school words it; "" if there is none. */
  application_fee_status?: string | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
  course_start_time?: string | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
  course_end_time?: string | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface UpdateOwnerData {
  /** Global user ID */
  user_id: string
  /** Current owners of the user, in order of addition */
  owner_id: string[]
}

export interface UpdateOwnerInput {
  /** Global user ID */
  user_id: string
  /** Owner to add or remove */
  owner_id: string
  /** Whether to add or remove the owner */
  event_type: "add" | "remove"
  /** Organization ID */
  corp_id?: string | undefined
}

export interface UpdatePayerData {
  /** The payer, a record of who pays. */
  payer_id: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface UpdatePayerInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payer, a record of who pays. */
  payer_id: string
  /** The version this call builds on */
  version?: number | undefined
  /** The name. */
  name?: string | undefined
  /** person: pays for themselves; unknown: money arrived, and nobody knows yet from whom */
  kind?: "person" | "parent" | "employer" | "sponsor" | "other" | "unknown" | undefined
  /** The user that the payer is, where the school knows them */
  user_id?: string | undefined
  /** The person to talk to, for an employer or sponsor */
  contact_name?: string | undefined
  /** Country calling code, digits without a leading plus */
  area_code?: string | undefined
  /** National number, digits only; at most 15 digits together with area_code */
  mobile?: string | undefined
  /** The e-mail address; "" or null if there is none. */
  email?: string | undefined
  /** The postal address for invoices */
  address?: string | undefined
  /** The tax number for invoices */
  tax_number?: string | undefined
  /** The number of the payer in the books of the school; unique */
  reference?: string | undefined
  /** Remarks for colleagues. */
  remarks?: string | undefined
}

export interface UpdatePoolData {
  /** Global user ID */
  user_id: string
}

export interface UpdatePoolInput {
  /** Global user ID */
  user_id: string
  /** Organization ID */
  corp_id?: string | undefined
  /** A pool of the organization */
  pool: string
}

export interface UpdateStatusData {
  /** The order. */
  order_id: string
  /** The status. The moves between statuses are explained at /docs/orders. */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** waiting: for a second approver; the order is unchanged */
  state: "done" | "waiting"
  /** The id for approval/approve, if it waits */
  request_id: string | null
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface UpdateStatusInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The status to move to */
  status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** Why, for the history */
  reason?: string | undefined
  /** Retain the money of a canceled order; requires a reason and the permission finance. Otherwise the money must be refunded or transferred first */
  retain?: boolean | undefined
  /** The version this call builds on */
  version?: number | undefined
  /** For an expired order that is reopened: the new deadline of the first unpaid sub-order; the others move by as much */
  payment_deadline?: string | undefined
  /** For an expired order that is reopened: the new deadlines of single unpaid sub-orders */
  payment_deadlines?: Array<{
    /** The sub-order, which is one instalment of the order. */
    sub_order_id: string
    /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization */
    payment_deadline: string
  }> | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface UpdateTagGroupInput {
  /** ID of the tag group */
  entity_id: string
  /** Organization ID */
  corp_id?: string | undefined
  /** Tag name */
  name: string
  /** Tag variable name */
  variable_name: string
  /** Description */
  description: string
  /** Kind of value: define (true or false), number or string */
  attribute: "define" | "number" | "string"
  /** Category */
  category: string
}

export interface UpdateUserData {
  /** Global user ID */
  user_id: string
  /** Version of the user after the call */
  version: number
}

export interface UpdateUserInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Global user ID */
  user_id: string
  /** The version that the call is based on, from user/list */
  version?: number | undefined
  /** The name. */
  name?: string | undefined
  /** The given name. */
  first_name?: string | undefined
  /** The family name. */
  last_name?: string | undefined
  /** The gender, in the words of the source. */
  gender?: string | undefined
  /** The city. */
  city?: string | undefined
  /** The company. */
  company_name?: string | undefined
  /** The job title. */
  job_title?: string | undefined
  /** The department. */
  department?: string | undefined
  /** The industry. */
  industry?: string | undefined
  /** The work experience, in the words of the source. */
  work_exp?: string | undefined
  /** The address of a professional social profile. */
  professional_profile_url?: string | undefined
  /** The WeChat ID. */
  wechat_id?: string | undefined
  /** The id of the person in another system. */
  external_id?: string | undefined
}

export interface UpdateWebhookEndpointInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The endpoint; webhook/endpoint/list has it */
  endpoint_id: string
  /** https address that receives POST requests, on port 443 */
  url?: string | undefined
  /** Types to receive, such as order.created, order.* or *. event/type/list names them */
  types?: string[] | undefined
  /** For administrators */
  description?: string | undefined
  /** false pauses the endpoint, true enables it again */
  is_enabled?: boolean | undefined
}

export interface UpsertBatchData {
  /** The batch (intake) of the course. */
  batch_id: string
  /** Of the record as it is now */
  version: number
  /** Whether this call made it */
  is_created: boolean
}

export interface UpsertBatchInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Of a batch that exists; without it, course and name find or make one */
  batch_id?: string | undefined
  /** The course it is a batch of, which never changes */
  course_id?: string | undefined
  /** The version this call builds on */
  version?: number | undefined
  /** One batch each within a course */
  name?: string | undefined
  /** YYYY-MM-DD; empty takes it away */
  start_date?: string | undefined
  /** YYYY-MM-DD; empty takes it away */
  end_date?: string | undefined
  /** Whether new orders can name the batch. */
  is_active?: boolean | undefined
}

export interface UpsertCouponData {
  /** The coupon. */
  coupon_id: string
  /** Of the record as it is now */
  version: number
  /** Whether this call made it */
  is_created: boolean
}

export interface UpsertCouponInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The code that a customer types */
  coupon_id: string
  /** The version this call builds on */
  version?: number | undefined
  /** A description for people. */
  description?: string | undefined
  /** The discount, in minor units of its currency */
  amount?: Amount | undefined
  /** ISO 4217 code; with amount */
  currency?: Currency | undefined
  /** Instead of amount: hundredths of a percent of the listed price */
  basis_points?: number | undefined
  /** The most orders with it; 0: no limit */
  max_uses?: number | undefined
  /** The largest sum of its discounts; 0: no limit */
  budget_price?: Amount | undefined
  /** Of budget_price; default: that of the amount, otherwise of the organization */
  budget_currency?: Currency | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization; empty takes it away */
  valid_from?: string | undefined
  /** A date without a time includes the whole day; an empty text removes it */
  valid_until?: string | undefined
  /** An inactive coupon is refused on new orders */
  is_active?: boolean | undefined
}

export interface UpsertCourseData {
  /** The course. */
  course_id: string
  /** Of the record as it is now */
  version: number
  /** Whether this call made it */
  is_created: boolean
}

export interface UpsertCourseInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** Of a course that exists; without it, course_code finds or makes one */
  course_id?: string | undefined
  /** The school’s own code, one course each */
  course_code?: string | undefined
  /** The version this call builds on */
  version?: number | undefined
  /** The name. */
  name?: string | undefined
  /** The name of the school that gives the course. */
  school_name?: string | undefined
  /** The code of the program. */
  program_code?: string | undefined
  /** The product family or line of business. */
  product_family_or_lob_category?: string | undefined
  /** The name of the online application for the course. */
  online_application_name?: string | undefined
  /** ISO 4217 code; of a new course by default the organization’s */
  currency?: Currency | undefined
  /** Minor units of the currency */
  listed_price?: Amount | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization; empty takes it away */
  start_time?: string | undefined
  /** YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization; empty takes it away */
  end_time?: string | undefined
  /** An inactive course takes no new orders */
  is_active?: boolean | undefined
}

export interface UserChange {
  /** Version of the user after the change */
  version: number
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  time: string
  /** The kind of change. */
  event: "filled" | "owner_added" | "owner_removed" | "pool_changed" | "email_changed" | "mobile_changed" | "profile_changed" | "claimed" | "released" | "returned" | "edited" | "merged" | "undone"
  /** The owner that the change is about */
  owner_id: string | null
  /** The account that made the change; null for automatic changes */
  executor_id: string | null
  /** The members that differ, before the change. */
  before: Record<string, unknown>
  /** The members that differ, after the change. */
  after: Record<string, unknown>
}

export interface UserProfile {
  /** User ID */
  user_id: string
  /** Organization ID */
  corp_id: string
  /** Full name; composed of first and last name if only they are known */
  name: string
  /** Last name; "" if unknown */
  last_name: string
  /** First name; "" if unknown */
  first_name: string
  /** Country calling code; "" if the user has no mobile number */
  area_code: string
  /** Mobile number; "" if the user has none */
  mobile: string
  /** The gender, in the words of the source. */
  gender: string | null
  /** The city. */
  city: string | null
  /** The city as the person wrote it. */
  city_raw: string | null
  /** The city of the mobile number. */
  city_mobile: string | null
  /** The company. */
  company_name: string | null
  /** The job title. */
  job_title: string | null
  /** The department. */
  department: string | null
  /** The industry. */
  industry: string | null
  /** The age in years; null if unknown. */
  age: number | null
  /** Professional social profile */
  professional_profile_url: string | null
  /** The first or last lead of the user; null without leads */
  first_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
  /** The first or last lead of the user; null without leads */
  last_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
}

export interface UserRow {
  /** The user, a person whom the organization knows. */
  user_id: string
  /** The organization. */
  corp_id: string
  /** Full name; composed of first and last name if only they are known */
  name: string
  /** The family name. */
  last_name: string
  /** The given name. */
  first_name: string
  /** The country calling code, digits only; "" or null if there is no mobile number. */
  area_code: string
  /** The national mobile number, digits only; "" or null if there is none. */
  mobile: string
  /** The e-mail address; "" or null if there is none. */
  email: string
  /** The WeChat ID. */
  wechat_id: string | null
  /** ID of the person in another system */
  external_id: string | null
  /** YYYY-MM-DD; null where there is none */
  birthday: string | null
  /** The city. */
  city: string | null
  /** The company. */
  company_name: string | null
  /** The job title. */
  job_title: string | null
  /** The department. */
  department: string | null
  /** The pool that the user is in, such as public or alive. */
  pool: string
  /** In order of addition */
  owner_ids: string[]
  /** The owner that has claimed the user */
  holder_id: string | null
  /** The statuses of the orders of the user */
  order_statuses: string[]
  /** Time of the last follow-up; "" if there is none */
  last_follow_up: string
  /** Whether the contact was verified. */
  is_verified: boolean
  /** The first or last lead of the user; null without leads */
  first_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
  /** The first or last lead of the user; null without leads */
  last_touch: {
    /** The lead. */
    lead_id: string
    /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
    time: string
    /** The source of the link (utm_source). */
    utm_source: string
    /** The medium of the link (utm_medium). */
    utm_medium: string
    /** The campaign of the link (utm_campaign). */
    utm_campaign: string
    /** The channel of the link (utm_channel). */
    utm_channel: string
    /** The keyword of the link (utm_keyword). */
    utm_keyword: string
    /** The search term of the link (utm_term). */
    utm_term: string
    /** The campaign in the words of the school. */
    campaign: string
    /** The click id of Baidu. */
    bd_vid: string
    /** The id of the landing page. */
    page_id: string
    /** The code of the course, unique in the organization. */
    course_code: string
  } | null
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** The version of the record. It rises by 1 with each change. */
  version: number
}

export interface UserTag {
  /** ID of the assigned tag */
  entity_id: string
  /** Kind of value: define (true or false), number or string */
  attribute: "define" | "number" | "string"
  /** Organization ID */
  corp_id: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  ctime: string
  /** The value under attribute define, else null */
  define_value: boolean | null
  /** Account that assigned the tag last */
  executor_id: string
  /** Whether the record is deleted. */
  is_deleted: boolean
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  mtime: string
  /** Source of the assignment */
  source: string
  /** ID of the tag group */
  tags_group_id: string
  /** User ID */
  user_id: string
  /** Number of assignments of the tag */
  version: number
  /** The value under attribute number, else null */
  number_value: number | null
  /** The value under attribute string, else null */
  string_value: string | null
}

export interface VerifyTokenData {
  /** The account that obtained the token. */
  app_id: string
  /** Always "valid". Any other token is refused. */
  result: string
  /** ISO 8601, UTC, with fractional seconds */
  time: string
}

export interface VoidPaymentData {
  /** The payment. */
  payment_id: string
  /** The order that the payment was reported for */
  order_id: string
  /** The voided amount: the payment less its refunds */
  price: Minor
  /** waiting: for a second approver; nothing is voided yet */
  state: "void" | "waiting"
  /** The id for approval/approve, if it waits */
  request_id: string | null
  /** Of that order, as it is now */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface VoidPaymentInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The payment. */
  payment_id: string
  /** Why the payment is void */
  reason: string
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}

export interface WebhookAttempt {
  /** The number of the attempt, from 1. */
  attempt: number
  /** Also the header webhook-timestamp, in seconds */
  at: string
  /** The duration in milliseconds. */
  duration_ms: number
  /** null: delivered */
  error: "not_https" | "private_network" | "unknown_host" | "refused" | "no_answer" | "no_tls" | "bad_certificate" | "too_large" | "address" | "timeout" | "redirect" | "refusal" | "event_deleted" | null
  /** null: no response */
  status: number | null
  /** The first kilobyte of the response */
  response: string
}

export interface WebhookDelivery {
  /** The delivery of an event to an endpoint. */
  delivery_id: string
  /** The webhook endpoint. */
  endpoint_id: string
  /** Also the header webhook-id of every attempt */
  event_id: string
  /** The type of the event. */
  type: "user.created" | "user.updated" | "user.merged" | "user.unmerged" | "user.erased" | "user.deleted" | "user_tag.assigned" | "user_tag.removed" | "lead.created" | "lead.updated" | "lead.moved" | "lead.deleted" | "tag_group.created" | "tag_group.updated" | "tag_group.activated" | "tag_group.deactivated" | "order.created" | "order.updated" | "order.status_changed" | "order.deleted" | "order.redacted" | "payment.recorded" | "payment.updated" | "payment.voided" | "payment.reinstated" | "payment.applied" | "payment.unapplied" | "instalment.due" | "instalment.overdue" | "refund.requested" | "refund.decided" | "approval.requested" | "approval.decided" | "refund.recorded" | "refund.reversed" | "transfer.recorded" | "write_off.recorded" | "follow_up.created" | "follow_up.updated" | "follow_up.deleted" | "follow_up.due" | "payer.created" | "payer.updated" | "payer.erased" | "payment_request.created" | "payment_request.updated" | "document.issued" | "course.upserted" | "batch.upserted" | "coupon.upserted" | "period.closed" | "period.reopened" | "import.finished" | "export.ready" | "webhook.disabled" | "ping"
  /** The number of the event in the feed */
  seq: number
  /** waiting: for an attempt or its result; dead: given up */
  state: "waiting" | "delivered" | "dead"
  /** Attempts so far */
  attempts: number
  /** Failures since the first attempt or the latest replay */
  failures: number
  /** The next attempt, or the end of the current one, of a waiting delivery: ISO 8601, UTC */
  next_at: string | null
  /** The problem of the latest failure */
  error: "not_https" | "private_network" | "unknown_host" | "refused" | "no_answer" | "no_tls" | "bad_certificate" | "too_large" | "address" | "timeout" | "redirect" | "refusal" | "event_deleted" | null
  /** The HTTP status of the latest response */
  status: number | null
  /** ISO 8601, UTC, with fractional seconds */
  ctime: string
  /** ISO 8601, UTC, with fractional seconds */
  mtime: string
}

export interface WebhookDeliveryWithAttempts {
  /** The delivery of an event to an endpoint. */
  delivery_id: string
  /** The webhook endpoint. */
  endpoint_id: string
  /** Also the header webhook-id of every attempt */
  event_id: string
  /** The type of the event. */
  type: "user.created" | "user.updated" | "user.merged" | "user.unmerged" | "user.erased" | "user.deleted" | "user_tag.assigned" | "user_tag.removed" | "lead.created" | "lead.updated" | "lead.moved" | "lead.deleted" | "tag_group.created" | "tag_group.updated" | "tag_group.activated" | "tag_group.deactivated" | "order.created" | "order.updated" | "order.status_changed" | "order.deleted" | "order.redacted" | "payment.recorded" | "payment.updated" | "payment.voided" | "payment.reinstated" | "payment.applied" | "payment.unapplied" | "instalment.due" | "instalment.overdue" | "refund.requested" | "refund.decided" | "approval.requested" | "approval.decided" | "refund.recorded" | "refund.reversed" | "transfer.recorded" | "write_off.recorded" | "follow_up.created" | "follow_up.updated" | "follow_up.deleted" | "follow_up.due" | "payer.created" | "payer.updated" | "payer.erased" | "payment_request.created" | "payment_request.updated" | "document.issued" | "course.upserted" | "batch.upserted" | "coupon.upserted" | "period.closed" | "period.reopened" | "import.finished" | "export.ready" | "webhook.disabled" | "ping"
  /** The number of the event in the feed */
  seq: number
  /** waiting: for an attempt or its result; dead: given up */
  state: "waiting" | "delivered" | "dead"
  /** Attempts so far */
  attempts: number
  /** Failures since the first attempt or the latest replay */
  failures: number
  /** The next attempt, or the end of the current one, of a waiting delivery: ISO 8601, UTC */
  next_at: string | null
  /** The problem of the latest failure */
  error: "not_https" | "private_network" | "unknown_host" | "refused" | "no_answer" | "no_tls" | "bad_certificate" | "too_large" | "address" | "timeout" | "redirect" | "refusal" | "event_deleted" | null
  /** The HTTP status of the latest response */
  status: number | null
  /** ISO 8601, UTC, with fractional seconds */
  ctime: string
  /** ISO 8601, UTC, with fractional seconds */
  mtime: string
  /** The present address of the endpoint */
  url: string
  /** The body of every attempt; null if the event was deleted for its age */
  body: string | null
  /** The latest 50 attempts, the newest first */
  attempt_list: WebhookAttempt[]
}

export interface WebhookEndpoint {
  /** The webhook endpoint. */
  endpoint_id: string
  /** The address that receives the events. */
  url: string
  /** The types of events. */
  types: string[]
  /** A description for people. */
  description: string
  /** Whether it is in use. */
  is_enabled: boolean
  /** failing: five days of failures only; gone: the receiver answered 410; paused: by an administrator; null: enabled */
  disabled_reason: "failing" | "gone" | "paused" | null
  /** When it was disabled: ISO 8601, UTC */
  disabled_at: string | null
  /** new: nothing was sent yet; failing: the last attempt failed */
  health: "new" | "healthy" | "failing" | "disabled"
  /** The first failure after the last success: ISO 8601, UTC */
  failing_since: string | null
  /** The last success: ISO 8601, UTC */
  delivered_at: string | null
  /** The last failure: ISO 8601, UTC */
  failed_at: string | null
  /** The problem of the last failure */
  error: "not_https" | "private_network" | "unknown_host" | "refused" | "no_answer" | "no_tls" | "bad_certificate" | "too_large" | "address" | "timeout" | "redirect" | "refusal" | "event_deleted" | null
  /** The HTTP status of the last failure */
  status: number | null
  /** The receiver asked by Retry-After to wait: ISO 8601, UTC */
  paused_until: string | null
  /** Deliveries that wait for an attempt or its result; at most 10000 are counted */
  waiting: number
  /** Deliveries that were given up; at most 10000 are counted */
  dead: number
  /** Events of the feed that it has not come to yet */
  lag: number
  /** The replaced secret signs too, until then: ISO 8601, UTC */
  old_secret_until: string | null
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** ISO 8601, UTC, with fractional seconds */
  ctime: string
  /** ISO 8601, UTC, with fractional seconds */
  mtime: string
}

export interface WebhookEndpointWithSecret {
  /** The webhook endpoint. */
  endpoint_id: string
  /** The address that receives the events. */
  url: string
  /** The types of events. */
  types: string[]
  /** A description for people. */
  description: string
  /** Whether it is in use. */
  is_enabled: boolean
  /** failing: five days of failures only; gone: the receiver answered 410; paused: by an administrator; null: enabled */
  disabled_reason: "failing" | "gone" | "paused" | null
  /** When it was disabled: ISO 8601, UTC */
  disabled_at: string | null
  /** new: nothing was sent yet; failing: the last attempt failed */
  health: "new" | "healthy" | "failing" | "disabled"
  /** The first failure after the last success: ISO 8601, UTC */
  failing_since: string | null
  /** The last success: ISO 8601, UTC */
  delivered_at: string | null
  /** The last failure: ISO 8601, UTC */
  failed_at: string | null
  /** The problem of the last failure */
  error: "not_https" | "private_network" | "unknown_host" | "refused" | "no_answer" | "no_tls" | "bad_certificate" | "too_large" | "address" | "timeout" | "redirect" | "refusal" | "event_deleted" | null
  /** The HTTP status of the last failure */
  status: number | null
  /** The receiver asked by Retry-After to wait: ISO 8601, UTC */
  paused_until: string | null
  /** Deliveries that wait for an attempt or its result; at most 10000 are counted */
  waiting: number
  /** Deliveries that were given up; at most 10000 are counted */
  dead: number
  /** Events of the feed that it has not come to yet */
  lag: number
  /** The replaced secret signs too, until then: ISO 8601, UTC */
  old_secret_until: string | null
  /** The version of the record. It rises by 1 with each change. */
  version: number
  /** ISO 8601, UTC, with fractional seconds */
  ctime: string
  /** ISO 8601, UTC, with fractional seconds */
  mtime: string
  /** Verifies signatures (Standard Webhooks). Shown only once */
  secret: string
}

export interface WholeDocument {
  /** The receipt, invoice or credit note. */
  document_id: string
  /** The kind of document. */
  kind: "receipt" | "invoice" | "credit_note"
  /** As printed: without gaps in the series of its kind and year */
  number: string
  /** In the time zone of the organization */
  year: number
  /** The payment of a receipt, the order of an invoice, the refund of a credit note */
  subject_id: string
  /** The order, or the account of the payer; "" for money without an order */
  order_id: string
  /** The orders that it is about; for a receipt, those that took its payment */
  order_ids: string[]
  /** Above 1 if the invoice replaces one with another price */
  revision: number
  /** Received, invoiced or credited */
  price: Minor
  /** The currency of the amounts: an ISO 4217 code. */
  currency: string
  /** "" where the person of the order pays */
  payer_id: string
  /** "" after an erasure */
  payer: string
  /** YYYY-MM-DD HH:MM:SS in the time zone of the organization */
  issued: string
  /** The account or member of staff who made the record. */
  executor_id: string
  /** The organization as it was when the document was issued. */
  issuer: DocumentIssuer
  /** The person of the order, unless that is the payer */
  student: string
  /** The reason of a credit note; "" otherwise. */
  reason: string
  /** Items of the document. */
  lines: DocumentLine[]
  /** The sums at the end. */
  sums: DocumentSum[]
  /** The instalments of an invoice; `due` is a day, or "" without a deadline */
  plan: DocumentInstalment[]
  /** Further facts, such as the method of a payment. */
  facts: DocumentFact[]
}

export interface WriteOffOrderData {
  /** The order. */
  order_id: string
  /** The written-off amount */
  price: Minor
  /** waiting: for a second approver; nothing is written off yet */
  state: "done" | "waiting"
  /** The id for approval/approve, if it waits */
  request_id: string | null
  /** The status of the order after the call. */
  order_status: "created" | "locked" | "pending" | "success" | "canceled" | "expired" | "unconfirmed" | "tbd"
  /** The version of the order after the call. */
  order_version: number
  /** Only of a dry run: the orders that would change, before and after */
  orders?: OrderPreview[]
}

export interface WriteOffOrderInput {
  /** Organization ID */
  corp_id?: string | undefined
  /** The order. */
  order_id: string
  /** The amount to write off; default: all that is unpaid */
  price?: Amount | undefined
  /** Why it will not be paid */
  reason: string
  /** The version this call builds on */
  version?: number | undefined
  /** Only return the outcome, and change nothing; default false */
  dry_run?: boolean | undefined
}
