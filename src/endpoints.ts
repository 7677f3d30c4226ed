import { exportAudit } from './audit/export-audit.ts'
import { listAudit } from './audit/list-audit.ts'
import { fetchChanges } from './changes/fetch-changes.ts'
import { listLeftAloneRecords } from './changes/list-left-alone.ts'
import { undoChanges } from './changes/undo-changes.ts'
import { endOldApiSecret, rotateApiAccount } from './console/api-account-secrets.ts'
import {
  createApiAccount,
  disableApiAccount,
  enableApiAccount,
  listApiAccounts,
  updateApiAccount,
} from './console/api-accounts.ts'
import { fetchToday } from './console/fetch-today.ts'
import { fetchOrganization, updateOrganization } from './console/organization-settings.ts'
import { deleteView, listViews, saveView } from './console/views.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { ageDebts } from './finance/age-debts.ts'
import { closePeriod } from './finance/close-period.ts'
import { explainFigure } from './finance/explain-figure.ts'
import { createExport } from './finance/exports/create-export.ts'
import { fetchExport, listExports } from './finance/exports/fetch-export.ts'
import { listClosings } from './finance/list-closings.ts'
import { listDebts } from './finance/list-debts.ts'
import { matchStatementLines } from './finance/match-statement-lines.ts'
import { readStatementFile } from './finance/read-statement-file.ts'
import { appendLeadFile } from './lead-import/append-lead-file.ts'
import { commitLeadFile } from './lead-import/commit-lead-file.ts'
import { createLeadFile } from './lead-import/create-lead-file.ts'
import { discardLeadFile } from './lead-import/discard-lead-file.ts'
import { exportRejectedRows } from './lead-import/export-rejected-rows.ts'
import { fetchLeadFile } from './lead-import/fetch-lead-file.ts'
import { listLeadFileRows } from './lead-import/list-lead-file-rows.ts'
import { listLeadFileValues } from './lead-import/list-lead-file-values.ts'
import { listLeadFiles } from './lead-import/list-lead-files.ts'
import { planLeadFile } from './lead-import/plan-lead-file.ts'
import { fetchLead } from './leads/fetch-lead.ts'
import { importLead } from './leads/import-lead.ts'
import { importLeads } from './leads/import-leads.ts'
import { listLeads } from './leads/list-leads.ts'
import { readFunnelNumbers } from './numbers/funnel.ts'
import { listFunnelLeads } from './numbers/funnel-rows.ts'
import { listReceiptsRows, readReceiptsNumbers } from './numbers/receipts.ts'
import { listBatches } from './offerings/list-batches.ts'
import { listCoupons } from './offerings/list-coupons.ts'
import { listCourses } from './offerings/list-courses.ts'
import { upsertBatch } from './offerings/upsert-batch.ts'
import { upsertCoupon } from './offerings/upsert-coupon.ts'
import { upsertCourse } from './offerings/upsert-course.ts'
import { createOrder } from './orders/create-order.ts'
import { createRemark } from './orders/create-remark.ts'
import { explainOrder } from './orders/explain-order.ts'
import { fetchOrder } from './orders/fetch-order.ts'
import { listFinancialRows } from './orders/list-financial-rows.ts'
import { listHistory } from './orders/list-history.ts'
import { listOrders } from './orders/list-orders.ts'
import { applyPayment } from './orders/payments/apply-payment.ts'
import { approveRefundLimits, declineRefundLimits } from './orders/payments/approvals/decide-limits.ts'
import { approveRefund, declineRefund } from './orders/payments/approvals/decide-refund.ts'
import { listRefundRequests } from './orders/payments/approvals/list-refund-requests.ts'
import { fetchRefundLimits, updateRefundLimits } from './orders/payments/approvals/manage-refund-limits.ts'
import { createPayment } from './orders/payments/create-payment.ts'
import { createRefund } from './orders/payments/create-refund.ts'
import { listPayments } from './orders/payments/list-payments.ts'
import { listRefunds } from './orders/payments/list-refunds.ts'
import { unapplyPayment } from './orders/payments/unapply-payment.ts'
import { voidPayment } from './orders/payments/void-payment.ts'
import { searchOrders } from './orders/search-orders.ts'
import { transferMoney } from './orders/transfer-money.ts'
import { updateOrder } from './orders/update-order.ts'
import { updateStatus } from './orders/update-status.ts'
import { writeOffOrder } from './orders/write-off-order.ts'
import { eraseUser } from './privacy/erase-user.ts'
import { exportUser } from './privacy/export-user.ts'
import { liftErasure } from './privacy/lift-erasure.ts'
import { listErasures } from './privacy/list-erasures.ts'
import { changePassword } from './staff/change-password.ts'
import { inviteColleague, listStaff, resetColleague, updateRole } from './staff/colleagues.ts'
import { confirmColleague } from './staff/confirm-colleague.ts'
import { confirmSession } from './staff/confirm-session.ts'
import { createSession } from './staff/create-session.ts'
import { addSignInDomain } from './staff/domains/add-domain.ts'
import { listSignInDomains } from './staff/domains/list-domains.ts'
import { removeSignInDomain } from './staff/domains/remove-domain.ts'
import { verifySignInDomain } from './staff/domains/verify-domain.ts'
import { endSession } from './staff/end-session.ts'
import { choosePassword, enterByLink } from './staff/enter-by-link.ts'
import { fetchSession } from './staff/fetch-session.ts'
import { beginPasskey, createPasskey, listPasskeys, removePasskey } from './staff/passkeys/manage-passkeys.ts'
import {
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  signInByPasskey,
} from './staff/passkeys/sign-in-by-passkey.ts'
import { checkSignInProvider } from './staff/provider/check-provider.ts'
import {
  fetchSignInProvider,
  removeSignInProvider,
  updateSignInProvider,
} from './staff/provider/manage-provider.ts'
import { beginProviderSignIn, signInByProvider } from './staff/provider/sign-in-by-provider.ts'
import { activateTagGroup } from './tag-groups/activate-tag-group.ts'
import { createTagGroup } from './tag-groups/create-tag-group.ts'
import { deactivateTagGroup } from './tag-groups/deactivate-tag-group.ts'
import { listAllTagGroups } from './tag-groups/list-all-tag-groups.ts'
import { listTagGroups } from './tag-groups/list-tag-groups.ts'
import { updateTagGroup } from './tag-groups/update-tag-group.ts'
import { issueToken } from './tokens/issue-token.ts'
import { verifyToken } from './tokens/verify-token.ts'
import { assignUserTag } from './user-tags/assign-user-tag.ts'
import { listUserTags } from './user-tags/list-user-tags.ts'
import { bulkUpdateUsers } from './users/bulk-update.ts'
import { claimUser } from './users/claims/claim-user.ts'
import { releaseUser } from './users/claims/release-user.ts'
import { createUser } from './users/create-user.ts'
import { fetchContact } from './users/fetch-contact.ts'
import { fetchProfile } from './users/fetch-profile.ts'
import { fetchUser } from './users/fetch-user.ts'
import { createFollowUp } from './users/follow-ups/create-follow-up.ts'
import { listFollowUps } from './users/follow-ups/list-follow-ups.ts'
import { listDuplicates } from './users/list-duplicates.ts'
import { listUserHistory } from './users/list-user-history.ts'
import { listUsers } from './users/list-users.ts'
import { mergeUsers } from './users/merge-users.ts'
import { searchUsers } from './users/search-users.ts'
import { unmergeUsers } from './users/unmerge-users.ts'
import { updateEmail } from './users/update-email.ts'
import { updateOwner } from './users/update-owner.ts'
import { updatePool } from './users/update-pool.ts'
import { updateUser } from './users/update-user.ts'

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

/** What the service offers beside the interface, marked with the version that brought it. */
const beside = {
  createOrder,
  updateOrder,
  updateStatus,
  createPayment,
  createRefund,
  listRefundRequests,
  approveRefund,
  declineRefund,
  voidPayment,
  applyPayment,
  unapplyPayment,
  transferMoney,
  writeOffOrder,
  listPayments,
  listRefunds,
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
  listLeadFileRows,
  listLeadFileValues,
  bulkUpdateUsers,
  mergeUsers,
  unmergeUsers,
  undoChanges,
  fetchChanges,
  listLeftAloneRecords,
  ageDebts,
  listDebts,
  explainFigure,
  importLeads,
  fetchLead,
  listLeads,
  listUsers,
  searchUsers,
  fetchUser,
  updateUser,
  listDuplicates,
  claimUser,
  releaseUser,
  createFollowUp,
  listFollowUps,
  listUserHistory,
  closePeriod,
  listClosings,
  matchStatementLines,
  createExport,
  fetchExport,
  listExports,
  readFunnelNumbers,
  listFunnelLeads,
  readReceiptsNumbers,
  listReceiptsRows,
}

/** For staff who manage their organization, and for accounts that were permitted to. */
const ofAdministration = { listAudit, eraseUser, exportUser, liftErasure, listErasures }

/** What the console needs beyond: for who is signed in, and for signing in. No account may call it. */
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
  listAllTagGroups,
  readStatementFile,
  exportAudit,
  exportRejectedRows,
  fetchToday,
  listViews,
  saveView,
  deleteView,
  fetchOrganization,
  updateOrganization,
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
/** The catalogue of what accounts may call. Routes, validation, documentation and tests read it. */
export const endpoints: Endpoint[] = [...interfaceOperations, ...additions]
export const administration: Endpoint[] = Object.values(ofAdministration)
export const consoleOperations: Endpoint[] = Object.values(ofConsole)
/** All that is served and documented. */
export const catalogue: Endpoint[] = [...endpoints, ...administration, ...consoleOperations]

/** Every operation under its id, as the console types its calls. */
export type Operations = typeof ofInterface & typeof beside & typeof ofAdministration & typeof ofConsole
