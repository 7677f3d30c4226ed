// Generated from the OpenAPI document by `npm run generate`. Changes here are overwritten.

import type { CallOptions, Rows } from '../call-options.ts'
import type {
  ActivateTagGroupInput,
  AgeDebtsData,
  AgeDebtsInput,
  AgePayersData,
  AgePayersInput,
  AppendLeadFileData,
  AppendLeadFileInput,
  AppendStatementFileData,
  AppendStatementFileInput,
  AppendStatementLinesData,
  AppendStatementLinesInput,
  ApplyPaymentData,
  ApplyPaymentInput,
  ApprovalRequest,
  ApproveRequestData,
  ApproveRequestInput,
  AssignPayerData,
  AssignPayerInput,
  AssignUserTagInput,
  BulkUpdateUsersData,
  BulkUpdateUsersInput,
  CashUp,
  ChangeBatch,
  ClaimUserData,
  ClaimUserInput,
  ClosePeriodInput,
  Closing,
  CommitLeadFileData,
  CommitLeadFileInput,
  ConfirmCertainMatchesData,
  ConfirmCertainMatchesInput,
  CreateBankAccountData,
  CreateBankAccountInput,
  CreateCashUpInput,
  CreateExportData,
  CreateExportInput,
  CreateFollowUpData,
  CreateFollowUpInput,
  CreateLeadFileData,
  CreateLeadFileInput,
  CreateOrderData,
  CreateOrderInput,
  CreatePayerData,
  CreatePayerInput,
  CreatePaymentData,
  CreatePaymentInput,
  CreateRefundData,
  CreateRefundInput,
  CreateRemarkData,
  CreateRemarkInput,
  CreateStatementFileData,
  CreateStatementFileInput,
  CreateTagGroupData,
  CreateTagGroupInput,
  CreateUserData,
  CreateUserInput,
  CreateWebhookEndpointInput,
  DeactivateTagGroupInput,
  DeclineRequestInput,
  DescribeOrganizationInput,
  DiscardLeadFileData,
  DiscardLeadFileInput,
  EnableWebhookEndpointInput,
  ErasePayerData,
  ErasePayerInput,
  EraseUserData,
  EraseUserInput,
  Event,
  ExplainFigureData,
  ExplainFigureInput,
  ExplainOrderData,
  ExplainOrderInput,
  ExportPayerStatementData,
  ExportPayerStatementInput,
  ExportUserData,
  ExportUserInput,
  FetchChangesInput,
  FetchContactData,
  FetchContactInput,
  FetchDocumentInput,
  FetchEventInput,
  FetchExportInput,
  FetchLeadFileInput,
  FetchLeadInput,
  FetchOrderInput,
  FetchPayerContactData,
  FetchPayerContactInput,
  FetchPayerInput,
  FetchPayerStatementData,
  FetchPayerStatementInput,
  FetchProfileInput,
  FetchTakingsData,
  FetchTakingsInput,
  FetchUsageInput,
  FetchUserInput,
  FetchWebhookDeliveryInput,
  FinanceExport,
  IgnoreBankLinesData,
  IgnoreBankLinesInput,
  ImportLeadData,
  ImportLeadInput,
  ImportLeadsData,
  ImportLeadsInput,
  ImportStatementFileData,
  ImportStatementFileInput,
  IssueDocumentData,
  IssueDocumentInput,
  IssueTokenData,
  IssueTokenInput,
  Lead,
  LeadFile,
  LiftErasureData,
  LiftErasureInput,
  ListApprovalsData,
  ListApprovalsInput,
  ListAuditData,
  ListAuditInput,
  ListBankAccountsData,
  ListBankAccountsInput,
  ListBankLinesData,
  ListBankLinesInput,
  ListBatchesData,
  ListBatchesInput,
  ListCashUpsData,
  ListCashUpsInput,
  ListClosingsData,
  ListClosingsInput,
  ListCouponsData,
  ListCouponsInput,
  ListCoursesData,
  ListCoursesInput,
  ListDebtsData,
  ListDebtsInput,
  ListDocumentsData,
  ListDocumentsInput,
  ListDuplicatesData,
  ListDuplicatesInput,
  ListErasuresData,
  ListErasuresInput,
  ListEventTypesData,
  ListEventTypesInput,
  ListEventsData,
  ListEventsInput,
  ListExportsData,
  ListExportsInput,
  ListFinancialRowsData,
  ListFinancialRowsInput,
  ListFollowUpsData,
  ListFollowUpsInput,
  ListFunnelLeadsData,
  ListFunnelLeadsInput,
  ListHistoryData,
  ListHistoryInput,
  ListLeadFileRowsData,
  ListLeadFileRowsInput,
  ListLeadFileValuesData,
  ListLeadFileValuesInput,
  ListLeadFilesData,
  ListLeadFilesInput,
  ListLeadsData,
  ListLeadsInput,
  ListLeftAloneRecordsData,
  ListLeftAloneRecordsInput,
  ListOrderMoneyData,
  ListOrderMoneyInput,
  ListOrdersData,
  ListOrdersInput,
  ListPayersData,
  ListPayersInput,
  ListPaymentRequestsData,
  ListPaymentRequestsInput,
  ListPaymentsData,
  ListPaymentsInput,
  ListReceiptsRowsData,
  ListReceiptsRowsInput,
  ListRecordEventsData,
  ListRecordEventsInput,
  ListRefundsData,
  ListRefundsInput,
  ListStatementsData,
  ListStatementsInput,
  ListTagGroupsData,
  ListTagGroupsInput,
  ListUnallocatedData,
  ListUnallocatedInput,
  ListUnmatchedPaymentsData,
  ListUnmatchedPaymentsInput,
  ListUnmatchedRefundsData,
  ListUnmatchedRefundsInput,
  ListUserHistoryData,
  ListUserHistoryInput,
  ListUserTagsData,
  ListUserTagsInput,
  ListUsersData,
  ListUsersInput,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesInput,
  ListWebhookEndpointsData,
  ListWebhookEndpointsInput,
  MailPaymentRequestData,
  MailPaymentRequestInput,
  MatchBankLinesData,
  MatchBankLinesInput,
  MergeUsersData,
  MergeUsersInput,
  MovePaymentData,
  MovePaymentInput,
  OpenStatementData,
  OpenStatementInput,
  Order,
  Organization,
  OrganizationUsage,
  Payer,
  PingWebhookEndpointInput,
  PlanLeadFileData,
  PlanLeadFileInput,
  PreviewLeadFileData,
  PreviewLeadFileInput,
  PreviewMergeData,
  PreviewMergeInput,
  PrintDocumentData,
  PrintDocumentInput,
  ReadFunnelNumbersData,
  ReadFunnelNumbersInput,
  ReadReceiptsNumbersData,
  ReadReceiptsNumbersInput,
  RecordReceiptData,
  RecordReceiptInput,
  ReleaseUserData,
  ReleaseUserInput,
  RemoveWebhookEndpointData,
  RemoveWebhookEndpointInput,
  ReplayWebhookDeliveriesData,
  ReplayWebhookDeliveriesInput,
  RequestPaymentData,
  RequestPaymentInput,
  ReverseClosingData,
  ReverseClosingInput,
  ReverseRefundData,
  ReverseRefundInput,
  ReverseTransferData,
  ReverseTransferInput,
  ReverseVoidData,
  ReverseVoidInput,
  ReverseWriteOffData,
  ReverseWriteOffInput,
  RevokePaymentRequestData,
  RevokePaymentRequestInput,
  RotateWebhookSecretInput,
  SearchOrdersData,
  SearchOrdersInput,
  SearchUsersData,
  SearchUsersInput,
  TakeLeadData,
  TakeLeadInput,
  TransferBankLinesData,
  TransferBankLinesInput,
  TransferMoneyData,
  TransferMoneyInput,
  UnapplyPaymentData,
  UnapplyPaymentInput,
  UndoChangesInput,
  UnmatchBankLinesData,
  UnmatchBankLinesInput,
  UnmergeUsersData,
  UnmergeUsersInput,
  UpdateEmailData,
  UpdateEmailInput,
  UpdateMobileData,
  UpdateMobileInput,
  UpdateOrderData,
  UpdateOrderInput,
  UpdateOwnerData,
  UpdateOwnerInput,
  UpdatePayerData,
  UpdatePayerInput,
  UpdatePoolData,
  UpdatePoolInput,
  UpdateStatusData,
  UpdateStatusInput,
  UpdateTagGroupInput,
  UpdateUserData,
  UpdateUserInput,
  UpdateWebhookEndpointInput,
  UpsertBatchData,
  UpsertBatchInput,
  UpsertCouponData,
  UpsertCouponInput,
  UpsertCourseData,
  UpsertCourseInput,
  UserProfile,
  UserRow,
  VerifyTokenData,
  VoidPaymentData,
  VoidPaymentInput,
  WebhookDeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WholeDocument,
  WriteOffOrderData,
  WriteOffOrderInput,
} from './types.ts'

export interface TokensMethods {
  /**
   * Obtain an access token.
   *
   * Send the account as `app_id` or `user_id`; both, if they agree. `signature` is the hexadecimal SHA-256 of app_id + time_stamp + secret. The secret itself need not travel; where it does, it must match.
   *
   * Since Ver5.2023-11-01. Needs no token.
   */
  issue(input: IssueTokenInput, options?: CallOptions): Promise<IssueTokenData>
  /**
   * Check that a token is valid.
   *
   * Since Ver5.2023-11-01. Needs a token.
   */
  verify(input?: Record<string, never>, options?: CallOptions): Promise<VerifyTokenData>
}

export interface TagGroupsMethods {
  /**
   * Create a tag group.
   *
   * The new group is active. `variable_name` is unique in the organization.
   *
   * Since Ver5.2023-11-22. Needs the permission `write`.
   */
  create(input: CreateTagGroupInput, options?: CallOptions): Promise<CreateTagGroupData>
  /**
   * List the tag groups of a category.
   *
   * Oldest first. `total` counts the whole category.
   *
   * Since Ver5.2023-11-22. Needs the permission `read`.
   */
  list(input: ListTagGroupsInput, options?: CallOptions): Promise<ListTagGroupsData>
  /** List the tag groups of a category: every row, page after page. */
  iterate(input: Rows<ListTagGroupsInput, 'start_index'>, options?: CallOptions): AsyncGenerator<ListTagGroupsData['rows'][number], void, undefined>
  /**
   * Update a tag group.
   *
   * Replaces every field that is sent. The attribute can only change while no user has a tag of the group.
   *
   * Since Ver5.2023-11-01. Needs the permission `write`.
   */
  update(input: UpdateTagGroupInput, options?: CallOptions): Promise<string>
  /**
   * Deactivate a tag group.
   *
   * The group accepts no more assignments. Existing assignments stay. An inactive group stays inactive.
   *
   * Since Ver5.2023-11-01. Needs the permission `write`.
   */
  deactivate(input: DeactivateTagGroupInput, options?: CallOptions): Promise<string>
  /**
   * Activate a tag group.
   *
   * The group accepts assignments again. An active group stays active.
   *
   * Since Ver5.2023-11-01. Needs the permission `write`.
   */
  activate(input: ActivateTagGroupInput, options?: CallOptions): Promise<string>
}

export interface UserTagsMethods {
  /**
   * Assign a tag to a user.
   *
   * A user has one tag per group: assigning again replaces its value and keeps its ID. The value must fit the attribute of the group: true or false for define, a decimal number for number, any text for string.
   *
   * Since Ver5.2023-11-01. Needs the permission `write`.
   */
  assign(input: AssignUserTagInput, options?: CallOptions): Promise<string>
  /**
   * List the tags of a user.
   *
   * All of them, oldest first.
   *
   * Since Ver5.2023-11-01. Needs the permission `read`.
   */
  list(input: ListUserTagsInput, options?: CallOptions): Promise<ListUserTagsData>
}

export interface UsersMethods {
  /**
   * Create a user by mobile number or by e-mail.
   *
   * Send either `area_code` and `mobile`, or `email`. If the organization already has that user, the response has its ID and `is_user_exists` is true. A new user is unverified.
   *
   * Since Ver5.2023-11-22. Needs the permission `write`.
   */
  create(input?: CreateUserInput, options?: CallOptions): Promise<CreateUserData>
  /**
   * Fetch the profile of a user.
   *
   * Since Ver5.2023-11-01. Needs the permission `read`.
   */
  fetchProfile(input: FetchProfileInput, options?: CallOptions): Promise<UserProfile>
  /**
   * Add an owner to a user, or remove one.
   *
   * Adding an existing owner, or removing one that is not an owner, succeeds without a change.
   *
   * Since Ver5.2024-04-01. Needs the permission `write`.
   */
  updateOwner(input: UpdateOwnerInput, options?: CallOptions): Promise<UpdateOwnerData>
  /**
   * Move a user to a pool.
   *
   * The pools are those of the organization: by default alive, dead and public.
   *
   * Since Ver5.2024-04-01. Needs the permission `write`.
   */
  updatePool(input: UpdatePoolInput, options?: CallOptions): Promise<UpdatePoolData>
  /**
   * Set the e-mail address of a user.
   *
   * An address belongs to one user of the organization. Letter case is ignored. If another user has the address, the call is refused with 40901; `data.user_id` names that user to a caller who may see the user. changes/undo undoes the batch.
   *
   * Since Ver5.2024-07-25. Needs the permission `write`.
   */
  updateEmail(input: UpdateEmailInput, options?: CallOptions): Promise<UpdateEmailData>
  /**
   * Fetch one contact of a user.
   *
   * Since Ver5.2025-04-16. Needs the permission `read`.
   */
  fetchContact(input: FetchContactInput, options?: CallOptions): Promise<FetchContactData>
  /**
   * Change owners, pool or tags of many users.
   *
   * Send `user_ids` or `filter`. Up to 1,000 users are changed in one transaction, or none of them. If a filter matches more, the batch continues in the background: `is_complete` is false, changes/fetch shows the progress, and `changed` and `unchanged` are null. A counsellor changes own users only; with a filter, only they match. With `dry_run` the call only reports the changes; of more than 1,000 users it lists the first 100. changes/undo undoes the batch, also while it runs. An unknown ID is skipped and named in `missing_ids`; the other users are changed. The ID of a merged user means its survivor, who is changed and listed once. Removing the owner who holds a user, or moving a user to another pool, ends the claim.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  bulkUpdate(input?: BulkUpdateUsersInput, options?: CallOptions): Promise<BulkUpdateUsersData>
  /**
   * Compare two users before a merge.
   *
   * Shows both users, and the survivor as user/merge would leave it. `obstacles` says why the caller cannot merge them. The ID of a merged user means its survivor.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  previewMerge(input: PreviewMergeInput, options?: CallOptions): Promise<PreviewMergeData>
  /**
   * Merge a user into another one.
   *
   * Moves leads, orders, tags, follow-ups, owners and history of the merged user to the survivor, and fills empty members of the survivor. From then on, the old ID, number and address find the survivor; in this call, too, the ID of a merged user means its survivor. No amount of an order changes. An erased user cannot be merged. user/merge/preview shows the result before the call; user/unmerge undoes the merge.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  merge(input: MergeUsersInput, options?: CallOptions): Promise<MergeUsersData>
  /**
   * Undo a merge of users.
   *
   * Restores both users in new versions. Records that were added since stay with their present user; changes/left-alone/list shows records that others changed since. If the survivor was merged since, that merge must be undone first: the call is refused with 40904, and `data.merge_id` names it. changes/undo can undo the undo.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  unmerge(input: UnmergeUsersInput, options?: CallOptions): Promise<UnmergeUsersData>
  /**
   * List users.
   *
   * Ascending by creation time, then by ID. A user must match every filter that is sent. With `time_range_type` modify: ascending by the time of the last change, without other filters. Changed users appear at the end, so a caller who requests each next page within five minutes misses none.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListUsersInput, options?: CallOptions): Promise<ListUsersData>
  /** List users: every row, page after page. */
  iterate(input?: Rows<ListUsersInput, 'page'>, options?: CallOptions): AsyncGenerator<ListUsersData['list'][number], void, undefined>
  /**
   * Search users by name, mobile or e-mail.
   *
   * `q` has one or more words. A user is found if every word matches: any part of a Chinese name, in simplified or traditional characters; its pinyin or the initials of its pinyin (`chenxiaoming`, `chen xiao ming`, `cxm`), with every reading of a character; a word of a Latin name or at least three letters of it, in any order; a mobile number in any notation, its first three digits, or at least four digits from its middle or end; at least three characters of an e-mail address, a WeChat id or an external id. Names and contacts of merged users find the survivor. Width, letter case and accents are ignored. If nothing matches, a word of at least five letters may have one typing error. The best match comes first: the whole word, its beginning, a part of it, pinyin, a typing error; then the newest user. `matches` says where a user matches. A text that begins the names of more than 1,000 users with one Chinese character or two letters finds these, newest first. With more than 4,000 candidates, `total` may include users that have all pieces of a word in another order. The filters of `user/list` apply in addition. Staff see masked contacts: they find a number only by the whole number or its last four digits, and an address or a WeChat id only by the whole.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  search(input: SearchUsersInput, options?: CallOptions): Promise<SearchUsersData>
  /** Search users by name, mobile or e-mail: every row, page after page. */
  iterateSearch(input: Rows<SearchUsersInput, 'page'>, options?: CallOptions): AsyncGenerator<SearchUsersData['list'][number], void, undefined>
  /**
   * Fetch a user as lists show it.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetch(input: FetchUserInput, options?: CallOptions): Promise<UserRow>
  /**
   * Change the profile of a user.
   *
   * Changes only the members that are sent; an empty text clears a member. Orders keep their copy of the profile. With `version`, the call is refused if the user has changed since that version. Members that the operation cannot change are refused: user/mobile/update and user/email/update change contacts.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  update(input: UpdateUserInput, options?: CallOptions): Promise<UpdateUserData>
  /**
   * Set the mobile number of a user.
   *
   * A number belongs to one user of the organization. It must be a mobile number of its country. If another user has the number, the call is refused with 40901; `data.user_id` names that user to a caller who may see the user, and user/merge merges both. changes/undo undoes the batch.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  updateMobile(input: UpdateMobileInput, options?: CallOptions): Promise<UpdateMobileData>
  /**
   * List users that are likely the same person.
   *
   * Pairs of users, the most likely first; with `user_id`, the pairs of one user. Reasons are: the same mobile number in different notations; the same mailbox; the same name and company; the same name and the same last four digits of a mobile number. A user has at most ten pairs per reason.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listDuplicates(input?: ListDuplicatesInput, options?: CallOptions): Promise<ListDuplicatesData>
  /** List users that are likely the same person: every row, page after page. */
  iterateDuplicates(input?: Rows<ListDuplicatesInput, 'page'>, options?: CallOptions): AsyncGenerator<ListDuplicatesData['list'][number], void, undefined>
  /**
   * Claim a user for an owner.
   *
   * The user must be in the pool `public`. It moves to `alive`, and the owner is added. One of several simultaneous claims succeeds; the others get 40901, and `data.owner_id` is the holder. Claiming a user that the owner already holds succeeds without a change. The claim rules limit how many users an owner holds, claims per day, and how soon an owner can claim a released user again.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  claim(input: ClaimUserInput, options?: CallOptions): Promise<ClaimUserData>
  /**
   * Release a user to the public pool.
   *
   * The owner is removed and the user returns to `public`. If nobody holds the user and the owner does not own it, the call succeeds without a change. If another owner holds the user, the call gets 40904, and `data.owner_id` is the holder.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  release(input: ReleaseUserInput, options?: CallOptions): Promise<ReleaseUserData>
  /**
   * List every change of a user.
   *
   * Oldest first, without the creation. `before` and `after` hold the changed members, and `holder_id` if the change ended a claim.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listHistory(input: ListUserHistoryInput, options?: CallOptions): Promise<ListUserHistoryData>
  /** List every change of a user: every row, page after page. */
  iterateHistory(input: Rows<ListUserHistoryInput, 'page'>, options?: CallOptions): AsyncGenerator<ListUserHistoryData['list'][number], void, undefined>
  /**
   * Erase a user.
   *
   * Cannot be undone. Removes the user with its leads, tags, follow-ups and history, every copy in orders, batches of changes, the audit and stored responses, and all texts on its orders: remarks, comments and reasons. Orders and money stay without a name; each order gets a new version and time. Uploaded lead files that hold the person have to be uploaded again. Files then reject all contacts of the person, until `user/erasure/lift`. An operation that creates a user or a lead with the same contact creates a new user.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  erase(input: EraseUserInput, options?: CallOptions): Promise<EraseUserData>
  /**
   * Export all data about a user.
   *
   * All data as stored, by kind, at most 10,000 records of each. The audit records the export.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  export(input: ExportUserInput, options?: CallOptions): Promise<ExportUserData>
}

export interface OrdersMethods {
  /**
   * Fetch one order.
   *
   * Prices are sums over the ledger of payments and refunds. They are stored in the transaction of every change.
   *
   * Since Ver5.2023-11-01. Needs the permission `read`.
   */
  fetch(input: FetchOrderInput, options?: CallOptions): Promise<Order>
  /**
   * List orders with the copied attributes of their users.
   *
   * Ascending by the time that `time_range_type` names, then by id. New and modified orders appear at the end, so a caller who requests each next page within five minutes misses none.
   *
   * Since Ver5.2023-11-01. Needs the permission `read`.
   */
  list(input?: ListOrdersInput, options?: CallOptions): Promise<ListOrdersData>
  /** List orders with the copied attributes of their users: every row, page after page. */
  iterate(input?: Rows<ListOrdersInput, 'page'>, options?: CallOptions): AsyncGenerator<ListOrdersData['list'][number], void, undefined>
  /**
   * List sub-orders with their payments in columns.
   *
   * One row per sub-order; its payments fill payment1_… to payment15_… in order of completion, unused slots are null. Amounts are in major units. `status` is the status of the sub-order. Order of rows as in the order list.
   *
   * Since Ver5.2023-11-01. Needs the permission `finance`.
   */
  listFinancialRows(input?: ListFinancialRowsInput, options?: CallOptions): Promise<ListFinancialRowsData>
  /** List sub-orders with their payments in columns: every row, page after page. */
  iterateFinancialRows(input?: Rows<ListFinancialRowsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListFinancialRowsData['list'][number], void, undefined>
  /**
   * Create an order.
   *
   * listed_price − coupons − manual discount = discounted_price; discounted_price + charges = total_price, the sum of the instalments. With external_id, a repeated creation returns the same order; other content with the same id is 40901. If the manual discount is beyond the organization’s limit, the order is created without it, and the discount waits for a second approver.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  create(input: CreateOrderInput, options?: CallOptions): Promise<CreateOrderData>
  /**
   * Change an order.
   *
   * Prices, coupons and instalments can change while the order is tbd, unconfirmed, created, pending. Sub-orders with a sub_order_id are kept, those without are new, and omitted ones are removed unless they received money. Coupons of the order keep their terms. If a new total comes without sub_orders, the difference is distributed over the sub-orders in proportion to their unpaid amounts.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  update(input: UpdateOrderInput, options?: CallOptions): Promise<UpdateOrderData>
  /**
   * Move an order to another status.
   *
   * The table of moves is at /docs/orders. Between created, pending and success only money moves an order; a locked order moves to the one that its money implies. An order expires only if it has received nothing. It is canceled if it holds no money, or if the money is retained. When an expired order is reopened, all unpaid deadlines move by the same distance: to payment_deadline, or by whole days until none has passed.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  updateStatus(input: UpdateStatusInput, options?: CallOptions): Promise<UpdateStatusData>
  /**
   * Move received money to another order.
   *
   * The money counts as received by the other order: nothing is refunded or paid, and the gross is counted once. The surplus moves first, then the money of the last sub-orders. Both orders are is_transferred, and the transferred_id of each names the other.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  transferMoney(input: TransferMoneyInput, options?: CallOptions): Promise<TransferMoneyData>
  /**
   * Reverse a transfer between orders.
   *
   * The money of the same payments moves back, as a separate transfer. It is refused if the order does not hold this money any more.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  reverseTransfer(input: ReverseTransferInput, options?: CallOptions): Promise<ReverseTransferData>
  /**
   * Write off an unpaid amount of an order.
   *
   * The amount is not owed any more; if nothing else is unpaid, the order is a success. A partial amount is taken from the last sub-orders first. A later payment is a surplus, until order/write-off/reverse reinstates the debt.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  writeOff(input: WriteOffOrderInput, options?: CallOptions): Promise<WriteOffOrderData>
  /**
   * Reverse a write-off of an order.
   *
   * The amount is owed again, the last sub-orders first. A surplus of the order pays it at once. The status moves back if something is unpaid.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  reverseWriteOff(input: ReverseWriteOffInput, options?: CallOptions): Promise<ReverseWriteOffData>
  /**
   * List every money entry of an order.
   *
   * Payments, voids, transfers, refunds, credits, write-offs, reversals and changes of the price, in the currency of the order. The sum of `price` is held_price. The sum of `claim_price` less held_price is unpaid_price less over_payment_price; an order that cannot be paid owes nothing. Money that the order could not take is a row with the price 0.
   *
   * Since Ver5.2026-11-18. Needs the permission `read`.
   */
  listMoney(input: ListOrderMoneyInput, options?: CallOptions): Promise<ListOrderMoneyData>
  /** List every money entry of an order: every row, page after page. */
  iterateMoney(input: Rows<ListOrderMoneyInput, 'page'>, options?: CallOptions): AsyncGenerator<ListOrderMoneyData['list'][number], void, undefined>
  /**
   * Add a remark to an order.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  createRemark(input: CreateRemarkInput, options?: CallOptions): Promise<CreateRemarkData>
  /**
   * List every change of an order.
   *
   * `before` and `after` hold the members that the change touched, of the order and by sub-order.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listHistory(input: ListHistoryInput, options?: CallOptions): Promise<ListHistoryData>
  /** List every change of an order: every row, page after page. */
  iterateHistory(input: Rows<ListHistoryInput, 'page'>, options?: CallOptions): AsyncGenerator<ListHistoryData['list'][number], void, undefined>
  /**
   * Explain the prices and the possible moves of an order.
   *
   * Lists the possible actions and, for the others, the reason: `because` in words, `code` for programs (`possible` where nothing prevents it). An operation may still refuse a particular input.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  explain(input: ExplainOrderInput, options?: CallOptions): Promise<ExplainOrderData>
  /**
   * Search orders.
   *
   * Every filter must match. `total` is exact. The first page is as fast as the last; a combination of filters costs as much as the rarest of them. Staff see masked contacts, and find the orders of a person by the whole number or its last four digits only.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  search(input?: SearchOrdersInput, options?: CallOptions): Promise<SearchOrdersData>
  /** Search orders: every row, page after page. */
  iterateSearch(input?: Rows<SearchOrdersInput, 'page'>, options?: CallOptions): AsyncGenerator<SearchOrdersData['list'][number], void, undefined>
}

export interface LeadsMethods {
  /**
   * Import a lead.
   *
   * The user is the one with `user_id` or with this mobile number; a missing user is created. The details of the lead fill blanks of the user and overwrite nothing. Its owners are added. The same `entry_id` with the same content returns the same lead again; without `entry_id` every import creates a lead. An empty text or list in an optional member counts as omitted.
   *
   * Since Ver5.2023-11-01. Needs the permission `write`.
   */
  import(input?: ImportLeadInput, options?: CallOptions): Promise<ImportLeadData>
  /**
   * Import up to a thousand leads.
   *
   * Each lead has the fields of `leads/import` without `corp_id`, and an outcome of its own, in the same order. An invalid lead does not affect the others. A number must be a mobile number of its country. Leads are processed one after the other, as if each had been sent alone, and stored in one transaction. A lead with a stored `entry_id`, from this call or another, returns the same lead again.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  importMany(input: ImportLeadsInput, options?: CallOptions): Promise<ImportLeadsData>
  /**
   * Record a lead taken by phone.
   *
   * Stores one lead, its user and the note in one transaction. The user is the one with this mobile number; a missing user is created, with an adviser in the pool of claimed users. The adviser becomes an owner, and the note a follow-up. If the user is not the caller’s, both the owners and the follow-ups stay as they are, and the note is kept in the lead.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  take(input: TakeLeadInput, options?: CallOptions): Promise<TakeLeadData>
  /**
   * Fetch a lead.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetch(input: FetchLeadInput, options?: CallOptions): Promise<Lead>
  /**
   * List leads.
   *
   * Ascending by creation time, then by ID. A lead must match every filter. Filters compare the original values. The fields of a lead are the original ones; `user` is the current user. With `time_range_type` modify: ascending by the time of the last change, without other filters. Changed leads appear at the end, so a caller who requests each next page within five minutes misses none.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListLeadsInput, options?: CallOptions): Promise<ListLeadsData>
  /** List leads: every row, page after page. */
  iterate(input?: Rows<ListLeadsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListLeadsData['list'][number], void, undefined>
}

export interface PaymentsMethods {
  /**
   * Record a payment.
   *
   * The money is allocated to the sub-orders in their order, starting at the named one; a surplus goes to the last. The first payment moves an order from created to pending, the last one to success. Money that has arrived is never refused: if the order cannot take it (it is canceled, locked or not confirmed, it expired before the payment, or the sub-order has 15 payments), it stays unapplied, and `because` gives the reason. A payment before the deadline reopens an expired order. A repeated charge_id of a provider with the same content returns the first response; with other content it is 40901. So is a receipt_num of another payment that is not void.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  create(input: CreatePaymentInput, options?: CallOptions): Promise<CreatePaymentData>
  /**
   * Void a payment.
   *
   * The payment bounced, or was recorded by mistake. The paid price decreases, and the order moves back from success to pending or created. Both entries stay in the history. Money that was returned by agreement is a refund. A partly refunded payment is void for the rest, as after a chargeback.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  void(input: VoidPaymentInput, options?: CallOptions): Promise<VoidPaymentData>
  /**
   * Take a payment off an order.
   *
   * The money of the payment on the order becomes unapplied. The paid price decreases, and the status moves back as with a void. Refunded money stays with the order.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  unapply(input: UnapplyPaymentInput, options?: CallOptions): Promise<UnapplyPaymentData>
  /**
   * Apply an unapplied payment to an order.
   *
   * The order may be another than the one that the payment was reported for, in the same currency. The unapplied part of the payment is allocated to its sub-orders as an arriving payment is.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  apply(input: ApplyPaymentInput, options?: CallOptions): Promise<ApplyPaymentData>
  /**
   * Move a payment to an order in another currency.
   *
   * The charge is recorded for the other order as a new payment, with its own conversion. The first payment has the state moved. A refunded payment cannot move: reverse the refund first. Within one currency, use order/transfer or payment/apply.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  move(input: MovePaymentInput, options?: CallOptions): Promise<MovePaymentData>
  /**
   * Reverse the void of a payment.
   *
   * The payment counts again, and is allocated to the order that it was reported for. If the order cannot take it, it is unapplied. A charge that was recorded again in the meantime has another payment: void that one first.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  reverseVoid(input: ReverseVoidInput, options?: CallOptions): Promise<ReverseVoidData>
  /**
   * List payments.
   *
   * Sorted by completed_time, the oldest first by default. A payment that waits to be applied or refunded has the state unapplied; a fully refunded one, refunded.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input?: ListPaymentsInput, options?: CallOptions): Promise<ListPaymentsData>
  /** List payments: every row, page after page. */
  iterate(input?: Rows<ListPaymentsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListPaymentsData['list'][number], void, undefined>
  /**
   * Record one receipt over several orders.
   *
   * One payment of a payer, with one charge and one receipt. Each order takes its part as an arriving payment, or nothing is recorded. A part that an order cannot take, and the rest, stay unallocated on the account of the payer: payment/apply allocates it, payment/move moves it, order/refund/create with the id of the account refunds it. A repeated charge with the same content returns the first response; with other content it is 40901.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  recordReceipt(input: RecordReceiptInput, options?: CallOptions): Promise<RecordReceiptData>
  /**
   * List unallocated money.
   *
   * Payments with money that no order has, the oldest first: of payers, of persons, and of nobody. `totals` cover all pages. payment/apply allocates the money, payment/payer/update names its payer.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  listUnallocated(input?: ListUnallocatedInput, options?: CallOptions): Promise<ListUnallocatedData>
  /** List unallocated money: every row, page after page. */
  iterateUnallocated(input?: Rows<ListUnallocatedInput, 'page'>, options?: CallOptions): AsyncGenerator<ListUnallocatedData['list'][number], void, undefined>
  /**
   * List payments without a statement line, oldest first.
   *
   * Without dates, payments of the last 90 days.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  listUnmatched(input?: ListUnmatchedPaymentsInput, options?: CallOptions): Promise<ListUnmatchedPaymentsData>
  /** List payments without a statement line, oldest first: every row, page after page. */
  iterateUnmatched(input?: Rows<ListUnmatchedPaymentsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListUnmatchedPaymentsData['list'][number], void, undefined>
}

export interface RefundsMethods {
  /**
   * Record a refund.
   *
   * The refund takes the surplus first, then the named sub-order (or the last paid one) and those before it. Beyond the surplus it is a credit, which reduces the price, or a return (`as`), after which the debt is open again. At most the held money can be refunded. Without payment_id, the refund is allocated to the payments of these sub-orders, the oldest first, as `allocations` shows. A repeated charge_id of a provider returns the first response. Refunds of an order beyond the organization’s limit wait for a second approver: then state is waiting, and nothing is refunded yet.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  create(input: CreateRefundInput, options?: CallOptions): Promise<CreateRefundData>
  /**
   * Reverse a refund.
   *
   * The money did not leave, for example because the bank returned it. The payments hold it again, and a credit is cancelled. The refund stays in the history, and the reversal is a separate entry.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  reverse(input: ReverseRefundInput, options?: CallOptions): Promise<ReverseRefundData>
  /**
   * List refunds.
   *
   * Sorted by completed_time.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input?: ListRefundsInput, options?: CallOptions): Promise<ListRefundsData>
  /** List refunds: every row, page after page. */
  iterate(input?: Rows<ListRefundsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListRefundsData['list'][number], void, undefined>
  /**
   * List refunds without a statement line, oldest first.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  listUnmatched(input?: ListUnmatchedRefundsInput, options?: CallOptions): Promise<ListUnmatchedRefundsData>
  /** List refunds without a statement line, oldest first: every row, page after page. */
  iterateUnmatched(input?: Rows<ListUnmatchedRefundsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListUnmatchedRefundsData['list'][number], void, undefined>
}

export interface PaymentRequestsMethods {
  /**
   * Request a payment by a link.
   *
   * The link leads to a page for the payer, in English or Chinese: the purpose, the amount due now and in total, the bank details of the school with a reference, and a QR code. It shows the first name of the person and nothing else of them. The path is in this response only, because the service stores a hash of its token. `messages` are texts for the payer; replace {link} with the address of the service and the path. An order has at most 20 open requests.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  create(input: RequestPaymentInput, options?: CallOptions): Promise<RequestPaymentData>
  /**
   * Send a payment request by mail.
   *
   * To the e-mail address of the person of the order, or of the payer that `payer_id` names (takes the permission finance). With `dry_run`, nothing is sent: the answer is a preview. A request is sent to each recipient once; a mail that failed can be sent again. The service stores a hash of the token only, so the call sends it.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  mail(input: MailPaymentRequestInput, options?: CallOptions): Promise<MailPaymentRequestData>
  /**
   * List payment requests, the newest first.
   *
   * Since Ver5.2026-11-18. Needs the permission `read`.
   */
  list(input?: ListPaymentRequestsInput, options?: CallOptions): Promise<ListPaymentRequestsData>
  /** List payment requests, the newest first: every row, page after page. */
  iterate(input?: Rows<ListPaymentRequestsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListPaymentRequestsData['list'][number], void, undefined>
  /**
   * Revoke a payment request.
   *
   * The page is no longer found. A second call changes nothing.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  revoke(input: RevokePaymentRequestInput, options?: CallOptions): Promise<RevokePaymentRequestData>
}

export interface PayersMethods {
  /**
   * Create a payer.
   *
   * Somebody who pays for orders: a parent, an employer, a sponsor, or the person. A payment names its payer with payer_id. Two payers may have the same name; a reference belongs to one payer.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  create(input: CreatePayerInput, options?: CallOptions): Promise<CreatePayerData>
  /**
   * Change a payer.
   *
   * Omitted members keep their value. An empty text removes the value. Repeating a call changes nothing.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  update(input: UpdatePayerInput, options?: CallOptions): Promise<UpdatePayerData>
  /**
   * List payers.
   *
   * By name. A search covers name, contact name, reference and tax number.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  list(input?: ListPayersInput, options?: CallOptions): Promise<ListPayersData>
  /** List payers: every row, page after page. */
  iterate(input?: Rows<ListPayersInput, 'page'>, options?: CallOptions): AsyncGenerator<ListPayersData['list'][number], void, undefined>
  /**
   * Fetch a payer.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  fetch(input: FetchPayerInput, options?: CallOptions): Promise<Payer>
  /**
   * Fetch one contact of a payer.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  fetchContact(input: FetchPayerContactInput, options?: CallOptions): Promise<FetchPayerContactData>
  /**
   * Set the payer of a payment.
   *
   * The money does not move, and the ledger does not change: only the statement of account that shows the payment does. Without payer_id, the payment has no payer. The audit has both payers.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  assign(input: AssignPayerInput, options?: CallOptions): Promise<AssignPayerData>
  /**
   * Fetch the statement of account of a payer.
   *
   * By day of posting, on the calendar of the organization. For each currency: opening balance + received − voided − moved − refunded = closing balance. Amounts are in the currency of the orders. Without days, it covers everything.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  fetchStatement(input: FetchPayerStatementInput, options?: CallOptions): Promise<FetchPayerStatementData>
  /** Fetch the statement of account of a payer: every row, page after page. */
  iterateFetchStatement(input: Rows<FetchPayerStatementInput, 'page'>, options?: CallOptions): AsyncGenerator<FetchPayerStatementData['list'][number], void, undefined>
  /**
   * Export the statement of account of a payer as CSV.
   *
   * The text of a CSV file with amounts in major units. It has at most 10000 entries.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  exportStatement(input: ExportPayerStatementInput, options?: CallOptions): Promise<ExportPayerStatementData>
  /**
   * List outstanding amounts by payer and age.
   *
   * An order belongs to the payer of the last payment for it that names one, and otherwise to its person. The largest debt comes first. The sums of a currency equal those of finance/ageing.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  age(input?: AgePayersInput, options?: CallOptions): Promise<AgePayersData>
  /** List outstanding amounts by payer and age: every row, page after page. */
  iterateAge(input?: Rows<AgePayersInput, 'page'>, options?: CallOptions): AsyncGenerator<AgePayersData['list'][number], void, undefined>
  /**
   * Erase a payer.
   *
   * Cannot be undone. Removes name, contacts, address and all texts of the payer, the comments of its payments, and its name on documents. Payments, receipts and sums stay without a name. A payer that is a user is erased with the user. Files then reject the contacts of the payer, unless a user has them, until `user/erasure/lift`.
   *
   * Since Ver5.2026-11-18. Needs the permission `admin`.
   */
  erase(input: ErasePayerInput, options?: CallOptions): Promise<ErasePayerData>
}

export interface CoursesMethods {
  /**
   * Create or change a course.
   *
   * Members that are left out stay as they are; a new course needs course_code, name and listed_price. Repeating a call changes nothing. Orders show the course as it was when they were made.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`, of staff `finance`.
   */
  upsert(input?: UpsertCourseInput, options?: CallOptions): Promise<UpsertCourseData>
  /**
   * List courses.
   *
   * Oldest first.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListCoursesInput, options?: CallOptions): Promise<ListCoursesData>
  /** List courses: every row, page after page. */
  iterate(input?: Rows<ListCoursesInput, 'page'>, options?: CallOptions): AsyncGenerator<ListCoursesData['list'][number], void, undefined>
}

export interface BatchesMethods {
  /**
   * Create or change a batch of a course.
   *
   * Members that are left out stay as they are; a new batch needs course_id and name. Repeating a call changes nothing.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  upsert(input?: UpsertBatchInput, options?: CallOptions): Promise<UpsertBatchData>
  /**
   * List batches.
   *
   * Oldest first.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListBatchesInput, options?: CallOptions): Promise<ListBatchesData>
  /** List batches: every row, page after page. */
  iterate(input?: Rows<ListBatchesInput, 'page'>, options?: CallOptions): AsyncGenerator<ListBatchesData['list'][number], void, undefined>
}

export interface CouponsMethods {
  /**
   * Create or change a coupon.
   *
   * The discount is an amount in one currency, or basis points of the listed price. Omitted members stay unchanged. With `version`, the coupon must exist. A repeated call changes nothing. Orders that are canceled or expired use no coupon. Its limits are at least what orders have used.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`, of staff `finance`.
   */
  upsert(input: UpsertCouponInput, options?: CallOptions): Promise<UpsertCouponData>
  /**
   * List coupons.
   *
   * Oldest first.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListCouponsInput, options?: CallOptions): Promise<ListCouponsData>
  /** List coupons: every row, page after page. */
  iterate(input?: Rows<ListCouponsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListCouponsData['list'][number], void, undefined>
}

export interface LeadFilesMethods {
  /**
   * Start the upload of a lead file.
   *
   * The steps of an import: create, append the pieces, plan, commit. Each step can be repeated. Files that are not committed are deleted after a week, or at once by leads/import/file/discard.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  create(input: CreateLeadFileInput, options?: CallOptions): Promise<CreateLeadFileData>
  /**
   * Upload a piece of a lead file.
   *
   * Send the pieces in order, each at the byte `received`. A piece that was received already changes nothing, so that a client can send it again after a broken connection.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  append(input: AppendLeadFileInput, options?: CallOptions): Promise<AppendLeadFileData>
  /**
   * Plan the import of a lead file.
   *
   * Reads the file and plans the outcome of every row, without changing users or leads. The plan runs in the background on any server; leads/import/file/fetch shows its progress. `mapping` maps headers to columns, `values` maps values to their meanings. Columns without a mapping are found by the source of the file, by their headers, and by their values. Rows with an unknown course, owner or tag, or with a number that looks like that of another country, are rejected until `values` has its meaning. A commit remembers both for files with the same headers in any order. `sheet`, `header_row` and `encoding` are found, or as given before; leads/import/file/preview shows the first rows. `fixes` corrects cells of rejected rows. A file can be planned again.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  plan(input: PlanLeadFileInput, options?: CallOptions): Promise<PlanLeadFileData>
  /**
   * Commit the import of a lead file.
   *
   * Imports each row of a planned file once, also after a crash of browser or server. The import runs in the background; leads/import/file/fetch shows its progress. changes/undo undoes the batch.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  commit(input: CommitLeadFileInput, options?: CallOptions): Promise<CommitLeadFileData>
  /**
   * Discard a lead file.
   *
   * Deletes an uncommitted file with its content and its plan. A file that is being planned can be discarded after the plan. changes/undo undoes a committed file.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  discard(input: DiscardLeadFileInput, options?: CallOptions): Promise<DiscardLeadFileData>
  /**
   * Fetch the progress, plan and result of a lead file.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetch(input: FetchLeadFileInput, options?: CallOptions): Promise<LeadFile>
  /**
   * List lead files.
   *
   * Newest first. Uncommitted files are deleted after a week.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input?: ListLeadFilesInput, options?: CallOptions): Promise<ListLeadFilesData>
  /** List lead files: every row, page after page. */
  iterate(input?: Rows<ListLeadFilesInput, 'page'>, options?: CallOptions): AsyncGenerator<ListLeadFilesData['list'][number], void, undefined>
  /**
   * Preview the first rows of a lead file.
   *
   * The first 15 rows with content, as read by the last plan, also those above the headers: the header row or the sheet can be chosen by them. Cells are cut after 80 characters. Empty before the first plan and after the commit.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  preview(input: PreviewLeadFileInput, options?: CallOptions): Promise<PreviewLeadFileData>
  /**
   * List the outcomes of the rows of a lead file.
   *
   * Shows the planned outcome of every row or, after the commit, its outcome. Rejected rows have their cells, in the order of the columns of leads/import/file/fetch, so that they can be corrected and imported as another file. Rows of erased people (`erased`) have no cells; the reason has the ID and the day.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listRows(input: ListLeadFileRowsInput, options?: CallOptions): Promise<ListLeadFileRowsData>
  /** List the outcomes of the rows of a lead file: every row, page after page. */
  iterateRows(input: Rows<ListLeadFileRowsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListLeadFileRowsData['list'][number], void, undefined>
  /**
   * List the values of a lead file and their meanings.
   *
   * The values of channel, campaign, course, owner, tag and yes/no columns. Of a column of numbers, the calling codes that numbers without one seem to have. Most frequent first, at most 50 per column. leads/import/file/plan accepts their meanings: rows with an unknown value are rejected until it has one.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listValues(input: ListLeadFileValuesInput, options?: CallOptions): Promise<ListLeadFileValuesData>
}

export interface ChangesMethods {
  /**
   * Undo a batch of changes.
   *
   * Restores every record of the batch that nothing else has changed since. Of the other records, it restores the members that nobody else has changed; changes/left-alone/list shows the rest. A small batch is undone when the response arrives; a large one continues in the background, and changes/fetch shows its progress. An undo is a batch as well, and can be undone. Each restored record gets a new version and time, and its history continues. A merge is undone whole, or refused with 40904: `data.merge_id` names a later merge that must be undone first.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  undo(input: UndoChangesInput, options?: CallOptions): Promise<ChangeBatch>
  /**
   * Fetch a batch of changes.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetch(input: FetchChangesInput, options?: CallOptions): Promise<ChangeBatch>
  /**
   * List the records that an undo left alone.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listLeftAloneRecords(input: ListLeftAloneRecordsInput, options?: CallOptions): Promise<ListLeftAloneRecordsData>
  /** List the records that an undo left alone: every row, page after page. */
  iterateLeftAloneRecords(input: Rows<ListLeftAloneRecordsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListLeftAloneRecordsData['list'][number], void, undefined>
}

export interface DebtsMethods {
  /**
   * List outstanding amounts by age, course, owner and currency.
   *
   * As of any instant. Days are counted on the calendar of the organization. Debts of several owners are split by their shares, to the minor unit. Without shares, the owners copied to the order form one name. `totals` cover all pages and equal the sum of unpaid_price in the lists.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  age(input?: AgeDebtsInput, options?: CallOptions): Promise<AgeDebtsData>
  /** List outstanding amounts by age, course, owner and currency: every row, page after page. */
  iterateAge(input?: Rows<AgeDebtsInput, 'page'>, options?: CallOptions): AsyncGenerator<AgeDebtsData['list'][number], void, undefined>
  /**
   * List the debts of a figure of the ageing.
   *
   * Takes the query of finance/ageing, for one currency and optionally a course, an owner and an age. `value` is the sum over all pages. At most 50000 debts.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input: ListDebtsInput, options?: CallOptions): Promise<ListDebtsData>
  /** List the debts of a figure of the ageing: every row, page after page. */
  iterate(input: Rows<ListDebtsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListDebtsData['list'][number], void, undefined>
}

export interface FinanceMethods {
  /**
   * Explain a figure by the facts that sum to it.
   *
   * The figure belongs to an order, to a sub-order (a financial row), or to all sub-orders in a currency, as on control sheets. For such a sum, status, start_date, end_date and time_range_type select rows as in the financial list. With `until`, the figure belongs to a closing in a currency. Figures that start with accounts are in the currency of receipt.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  explainFigure(input: ExplainFigureInput, options?: CallOptions): Promise<ExplainFigureData>
  /** Explain a figure by the facts that sum to it: every row, page after page. */
  iterateExplainFigure(input: Rows<ExplainFigureInput, 'page'>, options?: CallOptions): AsyncGenerator<ExplainFigureData['list'][number], void, undefined>
  /**
   * Close the books up to a day.
   *
   * A closing uses the posting date and never changes: a second call for the same day returns the same closing. Facts that arrive later for a closed period are posted in the open period, and reported there as of earlier periods. accounts has the money by provider or method and currency of receipt, which statements show. finance/closing/reverse reverses the latest closing.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  closePeriod(input: ClosePeriodInput, options?: CallOptions): Promise<Closing>
  /**
   * Fetch the takings of a clerk on a day.
   *
   * The expected amounts by method and currency, and the cash-up of the day if there is one. Payments and refunds that were booked from a bank statement are left out.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  fetchTakings(input?: FetchTakingsInput, options?: CallOptions): Promise<FetchTakingsData>
  /**
   * Confirm all certain matches of a statement.
   *
   * Certain matches have the same charge, or the same reference and sum. A payout of a gateway is matched to the line of the bank that names it. Lines that a person unmatched stay open. A call matches about 5000 lines at most: repeat it while `remaining` is not 0.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  confirmCertainMatches(input?: ConfirmCertainMatchesInput, options?: CallOptions): Promise<ConfirmCertainMatchesData>
}

export interface FollowUpsMethods {
  /**
   * Record a follow-up of a user.
   *
   * A follow-up extends the claim on the user: the idle days after which the user returns to `public` count from the last follow-up.
   *
   * Since Ver5.2026-11-15. Needs the permission `write`.
   */
  create(input: CreateFollowUpInput, options?: CallOptions): Promise<CreateFollowUpData>
  /**
   * List the follow-ups of a user.
   *
   * Oldest first.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  list(input: ListFollowUpsInput, options?: CallOptions): Promise<ListFollowUpsData>
  /** List the follow-ups of a user: every row, page after page. */
  iterate(input: Rows<ListFollowUpsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListFollowUpsData['list'][number], void, undefined>
}

export interface ApprovalsMethods {
  /**
   * List requests that need a second approver.
   *
   * Refunds, voids, write-offs, retained money, discounts and reversals of closings, in the order of the requests.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input?: ListApprovalsInput, options?: CallOptions): Promise<ListApprovalsData>
  /** List requests that need a second approver: every row, page after page. */
  iterate(input?: Rows<ListApprovalsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListApprovalsData['list'][number], void, undefined>
  /**
   * Approve a request of somebody else, and carry it out.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  approve(input: ApproveRequestInput, options?: CallOptions): Promise<ApproveRequestData>
  /**
   * Decline a request of somebody else.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  decline(input: DeclineRequestInput, options?: CallOptions): Promise<ApprovalRequest>
}

export interface ClosingsMethods {
  /**
   * List closings, the newest first.
   *
   * A reversed closing stays in the list, with its reversal.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input?: ListClosingsInput, options?: CallOptions): Promise<ListClosingsData>
  /** List closings, the newest first: every row, page after page. */
  iterate(input?: Rows<ListClosingsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListClosingsData['list'][number], void, undefined>
  /**
   * Request the reversal of the latest closing.
   *
   * The reversal waits until a second person approves it with approval/approve. Then the period is open again: entries that are dated into it belong to the open period, and any day after the previous closing can be closed. The reversed closing and its reversal stay in the list.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  reverse(input: ReverseClosingInput, options?: CallOptions): Promise<ReverseClosingData>
}

export interface CashUpsMethods {
  /**
   * Cash up.
   *
   * Compares the counted amounts with the takings of the day. A difference needs a reason. A cash-up is stored once and never changes: a correction is another entry, which names the one before it. Repeating a call returns the stored one.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  create(input: CreateCashUpInput, options?: CallOptions): Promise<CashUp>
  /**
   * List cash-ups.
   *
   * The newest day first, with all corrections. A caller without the permission finance sees own cash-ups only.
   *
   * Since Ver5.2026-11-18. Needs the permission `write`.
   */
  list(input?: ListCashUpsInput, options?: CallOptions): Promise<ListCashUpsData>
  /** List cash-ups: every row, page after page. */
  iterate(input?: Rows<ListCashUpsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListCashUpsData['list'][number], void, undefined>
}

export interface BankAccountsMethods {
  /**
   * Create a bank account for reconciliation.
   *
   * An account at a bank or a gateway. Its statements and their lines are kept.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  create(input: CreateBankAccountInput, options?: CallOptions): Promise<CreateBankAccountData>
  /**
   * List bank accounts with balances and open lines.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  list(input?: ListBankAccountsInput, options?: CallOptions): Promise<ListBankAccountsData>
}

export interface BankStatementsMethods {
  /**
   * Open a bank statement.
   *
   * Then send its lines with finance/bank/statement/append, or import a file. The same name and balances again return the same statement.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  open(input: OpenStatementInput, options?: CallOptions): Promise<OpenStatementData>
  /**
   * Add lines to a bank statement.
   *
   * At most 1000 lines per call. Each line has one number in the statement, so identical lines stay separate in any calls. Sending a line again under its number changes nothing; another line under a known number is 40901.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  appendLines(input: AppendStatementLinesInput, options?: CallOptions): Promise<AppendStatementLinesData>
  /**
   * List bank statements with their progress, newest first.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  list(input?: ListStatementsInput, options?: CallOptions): Promise<ListStatementsData>
  /** List bank statements with their progress, newest first: every row, page after page. */
  iterate(input?: Rows<ListStatementsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListStatementsData['list'][number], void, undefined>
}

export interface StatementFilesMethods {
  /**
   * Start the upload of a statement file.
   *
   * A small file is uploaded at once, as `content`. Otherwise append its pieces. Then import it with finance/bank/file/import. Files that are not imported are deleted after a day.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  create(input: CreateStatementFileInput, options?: CallOptions): Promise<CreateStatementFileData>
  /**
   * Upload a piece of a statement file.
   *
   * Send the pieces in order, each at the byte `received`. A piece that was received already changes nothing, so that a client can send it again after a broken connection.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  append(input: AppendStatementFileInput, options?: CallOptions): Promise<AppendStatementFileData>
  /**
   * Import an uploaded statement file.
   *
   * CSV and XLSX with one or two amount columns, CAMT.053, MT940, the balance report of Stripe, bills of Alipay and WeChat Pay. A file with a fault is refused with its line, and nothing changes. Repeat the call while `remaining` is not 0. The same file again changes nothing. Lines that another statement of the account has in the same period are left out: `repeated_lines` states their number, also in a dry run.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  import(input: ImportStatementFileInput, options?: CallOptions): Promise<ImportStatementFileData>
}

export interface BankLinesMethods {
  /**
   * List statement lines, oldest first.
   *
   * With state open, this is the worklist. `price` is the sum over all pages.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  list(input?: ListBankLinesInput, options?: CallOptions): Promise<ListBankLinesData>
  /** List statement lines, oldest first: every row, page after page. */
  iterate(input?: Rows<ListBankLinesInput, 'page'>, options?: CallOptions): AsyncGenerator<ListBankLinesData['list'][number], void, undefined>
  /**
   * Match statement lines by hand, or book them.
   *
   * Lines sum to payments less refunds plus bookings. Several lines are joined to one match; several counterparts split a line. The fee of a gateway is added to the match of its line. A payment in another currency counts with its amount in the currency of the order: book the rest as a difference. A booked payment, refund or chargeback is recorded in the ledger. A refund above the limit needs its second approver first: record it with order/refund/create, and match it afterwards.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  match(input: MatchBankLinesInput, options?: CallOptions): Promise<MatchBankLinesData>
  /**
   * Match lines of two accounts as a transfer or payout.
   *
   * An outgoing line of one account and an incoming line of another. If less arrived in the same currency, the difference is a fee of the receiving line. In another currency, the answer states the rate.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  transfer(input: TransferBankLinesInput, options?: CallOptions): Promise<TransferBankLinesData>
  /**
   * Ignore statement lines, with a reason.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  ignore(input: IgnoreBankLinesInput, options?: CallOptions): Promise<IgnoreBankLinesData>
  /**
   * Unmatch statement lines.
   *
   * Undoes matches, bookings and ignored lines, for all lines of the same match. A payment or refund that was booked stays in the ledger; void it there. An undone match is not repeated automatically.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  unmatch(input: UnmatchBankLinesInput, options?: CallOptions): Promise<UnmatchBankLinesData>
}

export interface DocumentsMethods {
  /**
   * Issue a receipt, invoice or credit note.
   *
   * A receipt of a payment, an invoice of an order, or the credit note of a refund that cancels a part of the price. A document never changes. A second call returns the same document; the invoice of an order whose price changed is a new one that replaces it. Invoices and credit notes have numbers without gaps per kind and year. A receipt has the number of its payment.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  issue(input: IssueDocumentInput, options?: CallOptions): Promise<IssueDocumentData>
  /**
   * List receipts, invoices and credit notes, the newest first.
   *
   * A series is a kind and a year. The documents of an order include a receipt over several orders that it took a part of.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  list(input?: ListDocumentsInput, options?: CallOptions): Promise<ListDocumentsData>
  /** List receipts, invoices and credit notes, the newest first: every row, page after page. */
  iterate(input?: Rows<ListDocumentsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListDocumentsData['list'][number], void, undefined>
  /**
   * Fetch a receipt, invoice or credit note as issued.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  fetch(input: FetchDocumentInput, options?: CallOptions): Promise<WholeDocument>
  /**
   * Fetch the address of a document as PDF.
   *
   * A page of A4 with the document as issued, and its state when printed: refunds, a void, the amount due. The address is secret and permanent, and opens the file without a token.
   *
   * Since Ver5.2026-11-18. Needs the permission `finance`.
   */
  print(input: PrintDocumentInput, options?: CallOptions): Promise<PrintDocumentData>
}

export interface ExportsMethods {
  /**
   * Export financial rows, payments or refunds.
   *
   * A worker writes the file in the background, as of one instant, and keeps it for a day. finance/export/fetch returns the progress and the address. After a restart the work continues. At most 20 exports run at a time; the newest 50 files are kept, each of at most 256 MiB.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  create(input: CreateExportInput, options?: CallOptions): Promise<CreateExportData>
  /**
   * Fetch an export, with the address of its file.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  fetch(input: FetchExportInput, options?: CallOptions): Promise<FinanceExport>
  /**
   * List exports, the newest first.
   *
   * For staff, `download` is empty here. finance/export/fetch returns it, and requires a confirmation.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  list(input?: ListExportsInput, options?: CallOptions): Promise<ListExportsData>
}

export interface OrganizationMethods {
  /**
   * Fetch the organization.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetch(input?: DescribeOrganizationInput, options?: CallOptions): Promise<Organization>
  /**
   * Fetch the usage and the quotas of the organization.
   *
   * Calls are counted with a delay of seconds, rows and bytes about once an hour. The operator of the service sets quotas.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  fetchUsage(input?: FetchUsageInput, options?: CallOptions): Promise<OrganizationUsage>
}

export interface EventsMethods {
  /**
   * Read the event feed.
   *
   * Every change of the organization once, in the order of the commits. Events hold ids and names of changed members, nothing personal: fetch the record for its values. Events about money need the permission finance. To keep a copy: take `newest_cursor`, read the lists, then follow the feed from that cursor, and store `next_cursor` after each page.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`, of staff `admin`.
   */
  list(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsData>
  /** Read the event feed: every row, page after page. */
  iterate(input?: Rows<ListEventsInput, 'wait_seconds'>, options?: CallOptions): AsyncGenerator<ListEventsData['list'][number], void, undefined>
  /**
   * Fetch an event.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`, of staff `admin`.
   */
  fetch(input: FetchEventInput, options?: CallOptions): Promise<Event>
  /**
   * List the events of a record.
   *
   * The newest first, as far as the feed keeps them. With each event, the events of the same change: those of the money of an order, for example. A person has the events of their leads, follow-ups, tags and orders, too. `version` is the version that user/history and order/history name.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listOfRecord(input: ListRecordEventsInput, options?: CallOptions): Promise<ListRecordEventsData>
  /**
   * List the event types.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`, of staff `admin`.
   */
  listTypes(input?: ListEventTypesInput, options?: CallOptions): Promise<ListEventTypesData>
}

export interface NumbersMethods {
  /**
   * Count leads by stage.
   *
   * A follow-up or order counts for the last lead before it; an order that names a lead counts for that lead. Nothing is counted twice. A lead with several owners is in the row of each, and once in the total. last_year has the same days one year earlier, as of one year before as_of. numbers/funnel/rows lists the leads of every figure.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  readFunnel(input: ReadFunnelNumbersInput, options?: CallOptions): Promise<ReadFunnelNumbersData>
  /**
   * List the leads of a figure of the funnel.
   *
   * Takes the query of numbers/funnel, for one stage and one key; without a key, for the total. `value` is the figure: the number of leads on all pages.
   *
   * Since Ver5.2026-11-15. Needs the permission `read`.
   */
  listFunnelLeads(input: ListFunnelLeadsInput, options?: CallOptions): Promise<ListFunnelLeadsData>
  /** List the leads of a figure of the funnel: every row, page after page. */
  iterateFunnelLeads(input: Rows<ListFunnelLeadsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListFunnelLeadsData['list'][number], void, undefined>
  /**
   * Sum receipts and refunds by month, currency and course.
   *
   * By value date, each sum in its own currency. The figures follow the money: a payment that was moved counts for the course of its new order, and one that is on several orders is divided. Money that no order has counts for the order that it was recorded for. Void parts of payments are left out. numbers/receipts/rows lists the payments and refunds of every figure.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  readReceipts(input: ReadReceiptsNumbersInput, options?: CallOptions): Promise<ReadReceiptsNumbersData>
  /**
   * List the payments and refunds of a figure of receipts.
   *
   * Takes the query of numbers/receipts, for one currency and optionally a month, a course and a kind. `value` is the sum over all pages: received less refunded.
   *
   * Since Ver5.2026-11-15. Needs the permission `finance`.
   */
  listReceiptsRows(input: ListReceiptsRowsInput, options?: CallOptions): Promise<ListReceiptsRowsData>
  /** List the payments and refunds of a figure of receipts: every row, page after page. */
  iterateReceiptsRows(input: Rows<ListReceiptsRowsInput, 'page'>, options?: CallOptions): AsyncGenerator<ListReceiptsRowsData['list'][number], void, undefined>
}

export interface AuditMethods {
  /**
   * List the audit.
   *
   * Changes and disclosures of records, in the order of the chain. The order never changes: unless the newest come first, a page always holds the same entries. An entry appears seconds after its change. The history of an order has its content by version.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  list(input?: ListAuditInput, options?: CallOptions): Promise<ListAuditData>
  /** List the audit: every row, page after page. */
  iterate(input?: Rows<ListAuditInput, 'page'>, options?: CallOptions): AsyncGenerator<ListAuditData['list'][number], void, undefined>
}

export interface ErasuresMethods {
  /**
   * Lift the erasure of a person.
   *
   * Files may import the person again, by any of their former contacts. Erased data stays erased. Give the complete number or address: the service knows contacts of erased people only as keyed hashes.
   *
   * Since Ver5.2026-11-17. Needs the permission `admin`.
   */
  lift(input?: LiftErasureInput, options?: CallOptions): Promise<LiftErasureData>
  /**
   * List erasures.
   *
   * Newest first. The list does not identify the people.
   *
   * Since Ver5.2026-11-17. Needs the permission `admin`.
   */
  list(input?: ListErasuresInput, options?: CallOptions): Promise<ListErasuresData>
  /** List erasures: every row, page after page. */
  iterate(input?: Rows<ListErasuresInput, 'page'>, options?: CallOptions): AsyncGenerator<ListErasuresData['list'][number], void, undefined>
}

export interface WebhooksMethods {
  /**
   * Create a webhook endpoint.
   *
   * The endpoint receives the events after its creation, signed as Standard Webhooks describes. Verify signatures with `secret`, which is shown only here. Events hold ids and names of changed members, nothing personal.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  create(input: CreateWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  /**
   * List webhook endpoints with their health.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  list(input?: ListWebhookEndpointsInput, options?: CallOptions): Promise<ListWebhookEndpointsData>
  /**
   * Change or pause a webhook endpoint.
   *
   * Omitted members stay. With `is_enabled` false, the endpoint is paused: it receives nothing until it is enabled, and then continues where it stopped. New types apply to events that it has not come to yet.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  update(input: UpdateWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Create a new secret for a webhook endpoint, shown once.
   *
   * For 24 hours, deliveries carry two signatures, of the new secret and of the one before it, so that the receiver can switch. Another rotation within this time ends the oldest secret at once.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  rotateSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  /**
   * Send a test event to a webhook endpoint.
   *
   * Adds an event of type ping to the feed. This endpoint receives it, whichever types it has, and no other does. webhook/delivery/list shows the result.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  ping(input: PingWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Enable a webhook endpoint again.
   *
   * It continues where it stopped, so it receives the events of the meantime that the feed still has. With `skip_missed`, it continues with new events; waiting deliveries are still attempted.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  enable(input: EnableWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Remove a webhook endpoint with its deliveries.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  remove(input: RemoveWebhookEndpointInput, options?: CallOptions): Promise<RemoveWebhookEndpointData>
}

export interface WebhookDeliveriesMethods {
  /**
   * List deliveries of a webhook endpoint.
   *
   * The newest event first. Deliveries are kept for 14 days after their end, dead ones for 90 days.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  list(input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesData>
  /** List deliveries of a webhook endpoint: every row, page after page. */
  iterate(input: Rows<ListWebhookDeliveriesInput, 'wait_seconds'>, options?: CallOptions): AsyncGenerator<ListWebhookDeliveriesData['list'][number], void, undefined>
  /**
   * Fetch a delivery with its attempts.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  fetch(input: FetchWebhookDeliveryInput, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>
  /**
   * Deliver events again.
   *
   * One delivery by `delivery_id`; the events of a range of the feed by `from_seq` and `until_seq`; or all dead deliveries of the endpoint by `all_dead`. A range includes events that the endpoint never received, as far as the feed still has them. One call replays at most 10000 events; repeat it while `has_more` is true. The header webhook-id stays the same.
   *
   * Since Ver5.2026-11-15. Needs the permission `admin`.
   */
  replay(input: ReplayWebhookDeliveriesInput, options?: CallOptions): Promise<ReplayWebhookDeliveriesData>
}

/** The operations by group. */
export interface Groups {
  readonly tokens: TokensMethods
  readonly tagGroups: TagGroupsMethods
  readonly userTags: UserTagsMethods
  readonly users: UsersMethods
  readonly orders: OrdersMethods
  readonly leads: LeadsMethods
  readonly payments: PaymentsMethods
  readonly refunds: RefundsMethods
  readonly paymentRequests: PaymentRequestsMethods
  readonly payers: PayersMethods
  readonly courses: CoursesMethods
  readonly batches: BatchesMethods
  readonly coupons: CouponsMethods
  readonly leadFiles: LeadFilesMethods
  readonly changes: ChangesMethods
  readonly debts: DebtsMethods
  readonly finance: FinanceMethods
  readonly followUps: FollowUpsMethods
  readonly approvals: ApprovalsMethods
  readonly closings: ClosingsMethods
  readonly cashUps: CashUpsMethods
  readonly bankAccounts: BankAccountsMethods
  readonly bankStatements: BankStatementsMethods
  readonly statementFiles: StatementFilesMethods
  readonly bankLines: BankLinesMethods
  readonly documents: DocumentsMethods
  readonly exports: ExportsMethods
  readonly organization: OrganizationMethods
  readonly events: EventsMethods
  readonly numbers: NumbersMethods
  readonly audit: AuditMethods
  readonly erasures: ErasuresMethods
  readonly webhooks: WebhooksMethods
  readonly webhookDeliveries: WebhookDeliveriesMethods
}

/** Method and path below /api/v5/ of each operation. `!` marks a call that is signed, the last word how a list is read. */
export const operations = {
  tokens: {
    issue: 'POST authentication/token',
    verify: 'GET authentication/verify',
  },
  tagGroups: {
    create: 'POST entity/tags/group/create',
    list: 'GET entity/tags/group/list step',
    update: 'POST entity/tags/group/update',
    deactivate: 'POST entity/tags/group/deactivate',
    activate: 'POST entity/tags/group/activate',
  },
  userTags: {
    assign: 'POST entity/user/tags/assign',
    list: 'GET entity/user/tags/list',
  },
  users: {
    create: 'POST entity/user/create',
    fetchProfile: 'GET entity/profile/fetch',
    updateOwner: 'POST entity/user/owner/update',
    updatePool: 'POST entity/user/pool/update',
    updateEmail: 'POST entity/user/email/update',
    fetchContact: 'GET entity/user/contact/fetch',
    bulkUpdate: 'POST entity/user/bulk/update',
    previewMerge: 'GET entity/user/merge/preview',
    merge: 'POST entity/user/merge',
    unmerge: 'POST entity/user/unmerge',
    list: 'GET entity/user/list page',
    search: 'GET entity/user/search page',
    fetch: 'GET entity/user/fetch',
    update: 'POST entity/user/update',
    updateMobile: 'POST entity/user/mobile/update',
    listDuplicates: 'GET entity/user/duplicates page',
    claim: 'POST entity/user/claim',
    release: 'POST entity/user/release',
    listHistory: 'GET entity/user/history page',
    erase: 'POST entity/user/erase',
    export: 'GET entity/user/export',
  },
  orders: {
    fetch: 'GET entity/order/fetch',
    list: 'GET entity/order/list page',
    listFinancialRows: 'GET entity/order/financial/list page',
    create: 'POST entity/order/create',
    update: 'POST entity/order/update',
    updateStatus: 'POST! entity/order/status/update',
    transferMoney: 'POST! entity/order/transfer',
    reverseTransfer: 'POST! entity/order/transfer/reverse',
    writeOff: 'POST! entity/order/write-off',
    reverseWriteOff: 'POST! entity/order/write-off/reverse',
    listMoney: 'GET entity/order/money/list page',
    createRemark: 'POST entity/order/remark/create',
    listHistory: 'GET entity/order/history page',
    explain: 'GET entity/order/explain',
    search: 'GET entity/order/search page',
  },
  leads: {
    import: 'POST entity/leads/import',
    importMany: 'POST entity/leads/import/batch',
    take: 'POST entity/leads/take',
    fetch: 'GET entity/leads/fetch',
    list: 'GET entity/leads/list page',
  },
  payments: {
    create: 'POST! entity/order/payment/create',
    void: 'POST! entity/order/payment/void',
    unapply: 'POST! entity/payment/unapply',
    apply: 'POST! entity/payment/apply',
    move: 'POST! entity/payment/move',
    reverseVoid: 'POST! entity/order/payment/void/reverse',
    list: 'GET entity/payment/list page',
    recordReceipt: 'POST! entity/payment/receipt/create',
    listUnallocated: 'GET entity/payment/unallocated/list page',
    listUnmatched: 'GET entity/finance/bank/payment/list page',
  },
  refunds: {
    create: 'POST! entity/order/refund/create',
    reverse: 'POST! entity/order/refund/reverse',
    list: 'GET entity/refund/list page',
    listUnmatched: 'GET entity/finance/bank/refund/list page',
  },
  paymentRequests: {
    create: 'POST entity/order/payment/request',
    mail: 'POST entity/order/payment/request/mail',
    list: 'GET entity/order/payment/request/list page',
    revoke: 'POST entity/order/payment/request/revoke',
  },
  payers: {
    create: 'POST entity/payer/create',
    update: 'POST entity/payer/update',
    list: 'GET entity/payer/list page',
    fetch: 'GET entity/payer/fetch',
    fetchContact: 'GET entity/payer/contact/fetch',
    assign: 'POST entity/payment/payer/update',
    fetchStatement: 'GET entity/payer/statement/fetch page',
    exportStatement: 'GET entity/payer/statement/export',
    age: 'GET entity/finance/ageing/payers page',
    erase: 'POST entity/payer/erase',
  },
  courses: {
    upsert: 'POST entity/course/upsert',
    list: 'GET entity/course/list page',
  },
  batches: {
    upsert: 'POST entity/batch/upsert',
    list: 'GET entity/batch/list page',
  },
  coupons: {
    upsert: 'POST entity/coupon/upsert',
    list: 'GET entity/coupon/list page',
  },
  leadFiles: {
    create: 'POST entity/leads/import/file/create',
    append: 'POST entity/leads/import/file/append',
    plan: 'POST entity/leads/import/file/plan',
    commit: 'POST entity/leads/import/file/commit',
    discard: 'POST entity/leads/import/file/discard',
    fetch: 'GET entity/leads/import/file/fetch',
    list: 'GET entity/leads/import/file/list page',
    preview: 'GET entity/leads/import/file/preview',
    listRows: 'GET entity/leads/import/file/rows page',
    listValues: 'GET entity/leads/import/file/values',
  },
  changes: {
    undo: 'POST entity/changes/undo',
    fetch: 'GET entity/changes/fetch',
    listLeftAloneRecords: 'GET entity/changes/left-alone/list page',
  },
  debts: {
    age: 'GET entity/finance/ageing page',
    list: 'GET entity/finance/ageing/rows page',
  },
  finance: {
    explainFigure: 'GET entity/finance/explain page',
    closePeriod: 'POST entity/finance/close',
    fetchTakings: 'GET entity/finance/cash-up/fetch',
    confirmCertainMatches: 'POST entity/finance/bank/statement/confirm',
  },
  followUps: {
    create: 'POST entity/user/follow-up/create',
    list: 'GET entity/user/follow-up/list page',
  },
  approvals: {
    list: 'GET entity/approval/list page',
    approve: 'POST! entity/approval/approve',
    decline: 'POST entity/approval/decline',
  },
  closings: {
    list: 'GET entity/finance/closing/list page',
    reverse: 'POST entity/finance/closing/reverse',
  },
  cashUps: {
    create: 'POST entity/finance/cash-up/create',
    list: 'GET entity/finance/cash-up/list page',
  },
  bankAccounts: {
    create: 'POST entity/finance/bank/account/create',
    list: 'GET entity/finance/bank/account/list',
  },
  bankStatements: {
    open: 'POST entity/finance/bank/statement/open',
    appendLines: 'POST entity/finance/bank/statement/append',
    list: 'GET entity/finance/bank/statement/list page',
  },
  statementFiles: {
    create: 'POST entity/finance/bank/file/create',
    append: 'POST entity/finance/bank/file/append',
    import: 'POST entity/finance/bank/file/import',
  },
  bankLines: {
    list: 'GET entity/finance/bank/line/list page',
    match: 'POST! entity/finance/bank/line/match',
    transfer: 'POST entity/finance/bank/line/transfer',
    ignore: 'POST entity/finance/bank/line/ignore',
    unmatch: 'POST entity/finance/bank/line/unmatch',
  },
  documents: {
    issue: 'POST entity/document/issue',
    list: 'GET entity/document/list page',
    fetch: 'GET entity/document/fetch',
    print: 'GET entity/document/pdf',
  },
  exports: {
    create: 'POST entity/finance/export/create',
    fetch: 'GET entity/finance/export/fetch',
    list: 'GET entity/finance/export/list',
  },
  organization: {
    fetch: 'GET entity/organization/fetch',
    fetchUsage: 'GET entity/organization/usage',
  },
  events: {
    list: 'GET entity/event/list cursor',
    fetch: 'GET entity/event/fetch',
    listOfRecord: 'GET entity/event/record/list',
    listTypes: 'GET entity/event/type/list',
  },
  numbers: {
    readFunnel: 'GET entity/numbers/funnel',
    listFunnelLeads: 'GET entity/numbers/funnel/rows page',
    readReceipts: 'GET entity/numbers/receipts',
    listReceiptsRows: 'GET entity/numbers/receipts/rows page',
  },
  audit: {
    list: 'GET audit/list page',
  },
  erasures: {
    lift: 'POST entity/user/erasure/lift',
    list: 'GET entity/user/erasure/list page',
  },
  webhooks: {
    create: 'POST entity/webhook/endpoint/create',
    list: 'GET entity/webhook/endpoint/list',
    update: 'POST entity/webhook/endpoint/update',
    rotateSecret: 'POST entity/webhook/endpoint/rotate',
    ping: 'POST entity/webhook/endpoint/ping',
    enable: 'POST entity/webhook/endpoint/enable',
    remove: 'POST entity/webhook/endpoint/remove',
  },
  webhookDeliveries: {
    list: 'GET entity/webhook/delivery/list cursor',
    fetch: 'GET entity/webhook/delivery/fetch',
    replay: 'POST entity/webhook/delivery/replay',
  },
} as const
