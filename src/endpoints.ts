import { exportAudit, listAudit } from './access/audit/list-audit.ts'
import { listMails } from './access/mail/list-mails.ts'
import { describeOrganization } from './access/organizations/describe-organization.ts'
import { fetchUsage } from './access/organizations/fetch-usage.ts'
import { inviteColleague, listStaff, resetColleague, updateRole } from './access/staff/colleagues.ts'
import { confirmColleague } from './access/staff/confirm-colleague.ts'
import { confirmSession } from './access/staff/confirm-session.ts'
import { createSession, endSession, fetchSession } from './access/staff/create-session.ts'
import {
  addSignInDomain,
  listSignInDomains,
  removeSignInDomain,
  verifySignInDomain,
} from './access/staff/domains/domains.ts'
import { changePassword, choosePassword, enterByLink } from './access/staff/enter-by-link.ts'
import {
  beginPasskey,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  createPasskey,
  listPasskeys,
  removePasskey,
  signInByPasskey,
} from './access/staff/passkeys/passkeys.ts'
import { checkSignInProvider } from './access/staff/provider/check-provider.ts'
import {
  fetchSignInProvider,
  removeSignInProvider,
  updateSignInProvider,
} from './access/staff/provider/manage-provider.ts'
import { beginProviderSignIn, signInByProvider } from './access/staff/provider/sign-in-by-provider.ts'
import { grantSupport, listSupportGrants, revokeSupport } from './access/staff/support/manage-support.ts'
import { issueToken, verifyToken } from './access/tokens/issue-token.ts'
import { approveRequest, declineRequest } from './backoffice/approvals/decide-request.ts'
import { listApprovals } from './backoffice/approvals/list-approvals.ts'
import { fetchToday } from './backoffice/console/fetch-today.ts'
import { deleteView, listViews, saveView } from './backoffice/console/views.ts'
import { issueDocument } from './backoffice/documents/issue-document.ts'
import { fetchDocument, listDocuments } from './backoffice/documents/list-documents.ts'
import { printDocument } from './backoffice/documents/print-document.ts'
import { ageDebts } from './backoffice/finance/age-debts.ts'
import { createCashUp, fetchTakings, listCashUps } from './backoffice/finance/cash-up/cash-ups.ts'
import { closePeriod } from './backoffice/finance/close-period.ts'
import { explainFigure } from './backoffice/finance/explain-figure.ts'
import { createExport } from './backoffice/finance/exports/create-export.ts'
import { fetchExport, listExports } from './backoffice/finance/exports/fetch-export.ts'
import { listClosings } from './backoffice/finance/list-closings.ts'
import { listDebts } from './backoffice/finance/list-debts.ts'
import { agePayers } from './backoffice/finance/payers/age-payers.ts'
import { exportPayerStatement, fetchPayerStatement } from './backoffice/finance/payers/fetch-statement.ts'
import { appendStatementLines } from './backoffice/finance/reconciliation/append-statement-lines.ts'
import { createBankAccount, listBankAccounts } from './backoffice/finance/reconciliation/bank-accounts.ts'
import { listStatements, openStatement } from './backoffice/finance/reconciliation/bank-statements.ts'
import { importStatementFile } from './backoffice/finance/reconciliation/import-statement-file.ts'
import { listBankLines } from './backoffice/finance/reconciliation/list-bank-lines.ts'
import { listUnmatchedPayments } from './backoffice/finance/reconciliation/list-unmatched-payments.ts'
import { listUnmatchedRefunds } from './backoffice/finance/reconciliation/list-unmatched-refunds.ts'
import { matchBankLines } from './backoffice/finance/reconciliation/match-bank-lines.ts'
import {
  confirmCertainMatches,
  ignoreBankLines,
  unmatchBankLines,
} from './backoffice/finance/reconciliation/settle-bank-lines.ts'
import { transferBankLines } from './backoffice/finance/reconciliation/transfer-bank-lines.ts'
import {
  appendStatementFile,
  createStatementFile,
} from './backoffice/finance/reconciliation/upload-statement-file.ts'
import { reverseClosing } from './backoffice/finance/reverse-closing.ts'
import { readFunnelNumbers } from './backoffice/reports/funnel.ts'
import { listFunnelLeads } from './backoffice/reports/funnel-rows.ts'
import { listReceiptsRows, readReceiptsNumbers } from './backoffice/reports/receipts.ts'
import { endOldApiSecret, rotateApiAccount } from './backoffice/settings/api-account-secrets.ts'
import {
  createApiAccount,
  disableApiAccount,
  enableApiAccount,
  listApiAccounts,
  updateApiAccount,
} from './backoffice/settings/api-accounts.ts'
import { fetchIssuer, rotateCheckoutSecret, updateIssuer } from './backoffice/settings/issuer-settings.ts'
import { fetchOrganization, updateOrganization } from './backoffice/settings/organization-settings.ts'
import { bulkUpdateUsers } from './changes/bulk-edits/bulk-update.ts'
import { updateEmail, updateMobile } from './changes/contacts/update-contact.ts'
import { erasePayer } from './changes/erasure/erase-payer.ts'
import { eraseUser } from './changes/erasure/erase-user.ts'
import { exportUser, liftErasure } from './changes/erasure/lift-erasure.ts'
import { listErasures } from './changes/erasure/list-erasures.ts'
import { exportRejectedRows, listLeadFileValues } from './changes/lead-import/list-lead-file-values.ts'
import { fetchLeadFile, listLeadFileRows, listLeadFiles } from './changes/lead-import/list-lead-files.ts'
import { commitLeadFile, planLeadFile } from './changes/lead-import/plan-lead-file.ts'
import { previewLeadFile } from './changes/lead-import/preview-lead-file.ts'
import { appendLeadFile, createLeadFile, discardLeadFile } from './changes/lead-import/upload-lead-file.ts'
import { mergeUsers, unmergeUsers } from './changes/merging/merge-users.ts'
import { previewMerge } from './changes/merging/preview-merge.ts'
import { fetchChanges, listLeftAloneRecords, undoChanges } from './changes/undo/undo-changes.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { fetchEvent, listEventTypes } from './events/fetch-event.ts'
import { listEvents } from './events/list-events.ts'
import { listRecordEvents } from './events/list-record-events.ts'
import { createWebhookEndpoint } from './events/webhooks/create-endpoint.ts'
import { fetchWebhookDelivery, listWebhookDeliveries } from './events/webhooks/list-deliveries.ts'
import { listWebhookEndpoints } from './events/webhooks/list-endpoints.ts'
import { replayWebhookDeliveries } from './events/webhooks/replay-deliveries.ts'
import { rotateWebhookSecret } from './events/webhooks/rotate-secret.ts'
import {
  enableWebhookEndpoint,
  pingWebhookEndpoint,
  removeWebhookEndpoint,
  updateWebhookEndpoint,
} from './events/webhooks/update-endpoint.ts'
import { createOrder } from './orders/create-order.ts'
import { createRemark } from './orders/create-remark.ts'
import { explainOrder } from './orders/ledger/explain-order.ts'
import { listHistory } from './orders/ledger/list-history.ts'
import { approveRefundLimits, declineRefundLimits } from './orders/limits/decide-limits.ts'
import { fetchRefundLimits, updateRefundLimits } from './orders/limits/manage-refund-limits.ts'
import { fetchOrder } from './orders/listing/fetch-order.ts'
import { listFinancialRows } from './orders/listing/list-financial-rows.ts'
import { listOrders } from './orders/listing/list-orders.ts'
import { searchOrders } from './orders/listing/search-orders.ts'
import { listBatches } from './orders/offerings/list-batches.ts'
import { listCoupons } from './orders/offerings/list-coupons.ts'
import { listCourses } from './orders/offerings/list-courses.ts'
import { upsertBatch } from './orders/offerings/upsert-batch.ts'
import { upsertCoupon } from './orders/offerings/upsert-coupon.ts'
import { upsertCourse } from './orders/offerings/upsert-course.ts'
import { assignPayer } from './orders/payers/assign-payer.ts'
import { createPayer } from './orders/payers/create-payer.ts'
import { fetchPayerContact } from './orders/payers/fetch-payer-contact.ts'
import { fetchPayer, listPayers } from './orders/payers/list-payers.ts'
import { updatePayer } from './orders/payers/update-payer.ts'
import { mailPaymentRequest } from './orders/payment-requests/mail-payment-request.ts'
import {
  listPaymentRequests,
  requestPayment,
  revokePaymentRequest,
} from './orders/payment-requests/payment-requests.ts'
import { applyPayment } from './orders/payments/apply-payment.ts'
import { createPayment } from './orders/payments/create-payment.ts'
import { createRefund } from './orders/payments/create-refund.ts'
import { listOrderMoney } from './orders/payments/list-order-money.ts'
import { listPayments } from './orders/payments/list-payments.ts'
import { listRefunds } from './orders/payments/list-refunds.ts'
import { listUnallocated } from './orders/payments/list-unallocated.ts'
import { movePayment } from './orders/payments/move-payment.ts'
import { recordReceipt } from './orders/payments/record-receipt.ts'
import { reverseRefund } from './orders/payments/reverse-refund.ts'
import { reverseTransfer } from './orders/payments/reverse-transfer.ts'
import { reverseVoid } from './orders/payments/reverse-void.ts'
import { reverseWriteOff } from './orders/payments/reverse-write-off.ts'
import { transferMoney } from './orders/payments/transfer-money.ts'
import { unapplyPayment } from './orders/payments/unapply-payment.ts'
import { voidPayment } from './orders/payments/void-payment.ts'
import { updateOrder } from './orders/update-order.ts'
import { updateStatus } from './orders/update-status.ts'
import { writeOffOrder } from './orders/write-off-order.ts'
import { fetchLead } from './people/leads/fetch-lead.ts'
import { importLead, importLeads } from './people/leads/import-leads.ts'
import { listLeads } from './people/leads/list-leads.ts'
import { takeLead } from './people/leads/take-lead.ts'
import {
  activateTagGroup,
  createTagGroup,
  deactivateTagGroup,
  updateTagGroup,
} from './people/tag-groups/change-tag-groups.ts'
import { listAllTagGroups, listTagGroups } from './people/tag-groups/list-tag-groups.ts'
import { assignUserTag, listUserTags } from './people/user-tags/assign-user-tag.ts'
import { claimUser, releaseUser } from './people/users/claims/claim-user.ts'
import { createUser } from './people/users/create-user.ts'
import { fetchContact } from './people/users/fetch-contact.ts'
import { fetchProfile, fetchUser, listUserHistory } from './people/users/fetch-profile.ts'
import { createFollowUp, listFollowUps } from './people/users/follow-ups/follow-ups.ts'
import { listDuplicates } from './people/users/list-duplicates.ts'
import { listUsers } from './people/users/list-users.ts'
import { searchUsers } from './people/users/search-users.ts'
import { updateOwner } from './people/users/update-owner.ts'
import { updatePool } from './people/users/update-pool.ts'
import { updateUser } from './people/users/update-user.ts'

/** The operations of the interface in its own order. */
const ofInterface = {
  issueToken,
  verifyToken,
  createTagGroup,
  listTagGroups,
  updateTagGroup,
  deactivateTagGroup,
  activateTagGroup,
  assignUserTag,
  listUserTags,
  createUser,
  fetchProfile,
  updateOwner,
  updatePool,
  updateEmail,
  fetchContact,
  fetchOrder,
  listOrders,
  listFinancialRows,
  importLead,
}

/** Additions to the interface, marked with the version that introduced them. */
const beside = {
  createOrder,
  updateOrder,
  updateStatus,
  createPayment,
  createRefund,
  voidPayment,
  unapplyPayment,
  applyPayment,
  transferMoney,
  movePayment,
  reverseRefund,
  reverseVoid,
  reverseTransfer,
  writeOffOrder,
  reverseWriteOff,
  listOrderMoney,
  requestPayment,
  mailPaymentRequest,
  listPaymentRequests,
  revokePaymentRequest,
  listPayments,
  listRefunds,
  createPayer,
  updatePayer,
  listPayers,
  fetchPayer,
  fetchPayerContact,
  assignPayer,
  recordReceipt,
  listUnallocated,
  fetchPayerStatement,
  exportPayerStatement,
  createRemark,
  listHistory,
  explainOrder,
  searchOrders,
  upsertCourse,
  listCourses,
  upsertBatch,
  listBatches,
  upsertCoupon,
  listCoupons,
  createLeadFile,
  appendLeadFile,
  planLeadFile,
  commitLeadFile,
  discardLeadFile,
  fetchLeadFile,
  listLeadFiles,
  previewLeadFile,
  listLeadFileRows,
  listLeadFileValues,
  bulkUpdateUsers,
  previewMerge,
  mergeUsers,
  unmergeUsers,
  undoChanges,
  fetchChanges,
  listLeftAloneRecords,
  ageDebts,
  listDebts,
  agePayers,
  explainFigure,
  importLeads,
  takeLead,
  fetchLead,
  listLeads,
  listUsers,
  searchUsers,
  fetchUser,
  updateUser,
  updateMobile,
  listDuplicates,
  claimUser,
  releaseUser,
  createFollowUp,
  listFollowUps,
  listUserHistory,
  listApprovals,
  closePeriod,
  listClosings,
  reverseClosing,
  approveRequest,
  declineRequest,
  fetchTakings,
  createCashUp,
  listCashUps,
  createBankAccount,
  listBankAccounts,
  openStatement,
  appendStatementLines,
  listStatements,
  createStatementFile,
  appendStatementFile,
  importStatementFile,
  confirmCertainMatches,
  listBankLines,
  listUnmatchedPayments,
  listUnmatchedRefunds,
  matchBankLines,
  transferBankLines,
  ignoreBankLines,
  unmatchBankLines,
  issueDocument,
  listDocuments,
  fetchDocument,
  printDocument,
  createExport,
  fetchExport,
  listExports,
  describeOrganization,
  fetchUsage,
  listEvents,
  fetchEvent,
  listRecordEvents,
  listEventTypes,
  readFunnelNumbers,
  listFunnelLeads,
  readReceiptsNumbers,
  listReceiptsRows,
}

/** For staff who manage their organization, and for accounts with that permission. */
const ofAdministration = {
  listAudit,
  eraseUser,
  erasePayer,
  exportUser,
  liftErasure,
  listErasures,
  createWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
  rotateWebhookSecret,
  pingWebhookEndpoint,
  enableWebhookEndpoint,
  listWebhookDeliveries,
  fetchWebhookDelivery,
  replayWebhookDeliveries,
  removeWebhookEndpoint,
}

/** Operations of the console, and signing in. Programs cannot call them. */
const ofConsole = {
  createSession,
  enterByLink,
  choosePassword,
  changePassword,
  beginPasskeySignIn,
  signInByPasskey,
  beginProviderSignIn,
  signInByProvider,
  fetchSession,
  beginPasskeyConfirmation,
  confirmSession,
  endSession,
  listPasskeys,
  beginPasskey,
  createPasskey,
  removePasskey,
  fetchRefundLimits,
  updateRefundLimits,
  approveRefundLimits,
  declineRefundLimits,
  fetchSignInProvider,
  updateSignInProvider,
  checkSignInProvider,
  removeSignInProvider,
  listSignInDomains,
  addSignInDomain,
  verifySignInDomain,
  removeSignInDomain,
  listStaff,
  inviteColleague,
  resetColleague,
  updateRole,
  confirmColleague,
  listMails,
  listSupportGrants,
  grantSupport,
  revokeSupport,
  listAllTagGroups,
  exportAudit,
  exportRejectedRows,
  fetchToday,
  listViews,
  saveView,
  deleteView,
  fetchOrganization,
  updateOrganization,
  fetchIssuer,
  updateIssuer,
  rotateCheckoutSecret,
  listApiAccounts,
  createApiAccount,
  updateApiAccount,
  rotateApiAccount,
  endOldApiSecret,
  disableApiAccount,
  enableApiAccount,
}

export const interfaceOperations: Endpoint[] = Object.values(ofInterface)
export const additions: Endpoint[] = Object.values(beside)
/** The operations that accounts may call. Routes, validation, documentation and tests read it. */
export const endpoints: Endpoint[] = [...interfaceOperations, ...additions]
export const administration: Endpoint[] = Object.values(ofAdministration)
/** The operations for integrators, which /openapi.json describes. */
export const integratorOperations: Endpoint[] = [...endpoints, ...administration]
export const consoleOperations: Endpoint[] = Object.values(ofConsole)
/** All operations, served and documented. */
export const catalogue: Endpoint[] = [...integratorOperations, ...consoleOperations]

/** Operations by id. The console types its calls with it. */
export type Operations = typeof ofInterface & typeof beside & typeof ofAdministration & typeof ofConsole
