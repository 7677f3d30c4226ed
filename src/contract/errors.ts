/**
 * The error catalogue: every failure the service can answer, once. `code` is HTTP status × 100 + n.
 * The documentation page and the OpenAPI document are rendered from it.
 */
export const errorCatalogue = {
  missingParameter: [
    40001,
    'A required parameter is missing.',
    'Send every parameter that data.errors names.',
  ],
  invalidParameter: [40002, 'A parameter is invalid.', 'Fix every parameter that data.errors names.'],
  notJson: [40003, 'The request body is not a JSON object.', 'Send one JSON object, encoded in UTF-8.'],
  noToken: [40101, 'The request carries no token.', 'Send the header Authorization: Bearer <token>.'],
  invalidToken: [40102, 'The token is invalid.', 'Obtain a token from POST /api/v5/authentication/token.'],
  expiredToken: [40103, 'The token has expired.', 'Obtain a new token; each lives for two hours.'],
  revokedToken: [
    40104,
    'The token was revoked.',
    'The account or the secret that obtained the token has ended, or its tokens were revoked: obtain a new token with the current secret.',
  ],
  badSignature: [
    40105,
    'The signature does not match.',
    'signature is the hexadecimal SHA-256 of app_id + time_stamp + secret, with nothing in between.',
  ],
  staleTimeStamp: [
    40106,
    'The time stamp is too far off or was used before.',
    'Accounts accept any number, the current Unix time within ten minutes, or each signature once within five minutes; msg says which rule this account has.',
  ],
  sessionEnded: [40107, 'Nobody is signed in.', 'Sign in again.'],
  wrongPassword: [
    40108,
    'The e-mail address or the password is wrong.',
    'Mind capitals and the keyboard layout; an administrator can give out a link for a new password.',
  ],
  linkInvalid: [
    40109,
    'The link does not work, or not any more.',
    'Links work once and for a limited time: ask for a new one.',
  ],
  passkeyRefused: [
    40110,
    'The passkey was not accepted.',
    'Ask for new options and try again; what was asked for works once, in the same browser, for five minutes.',
  ],
  providerRefused: [
    40111,
    'The sign-in by the provider of the organization was not accepted.',
    'Begin again. If you are not invited, ask an administrator of the organization.',
  ],
  callUnsigned: [
    40112,
    'This account signs its calls that move money, and this one is not signed.',
    'Send X-Signature-Timestamp and X-Signature; the reference at /docs says how they are made.',
  ],
  callSignatureWrong: [
    40113,
    'The signature of the call does not match.',
    'It is the HMAC-SHA-256, with the secret, of time stamp, method, path and SHA-256 of the body as it is sent.',
  ],
  callSignatureStale: [
    40114,
    'The signature of the call is too old, or was used before.',
    'Sign every call by itself, with the Unix time in seconds; a signature is good once, for 300 seconds.',
  ],
  organizationNotGranted: [
    40301,
    'The organization is not granted to this account.',
    'Check corp_id; an administrator grants organizations to accounts.',
  ],
  appIdMismatch: [
    40302,
    'X-APP-ID disagrees with the token.',
    'Send the app_id that obtained the token, or leave the header out.',
  ],
  permissionMissing: [
    40303,
    'The account lacks the permission for this operation.',
    'An administrator grants read, write and finance; the command account grant also admin.',
  ],
  confirmationNeeded: [
    40304,
    'This asks for the password once more.',
    'Send it to console/session/confirm, then repeat the call.',
  ],
  otherOrigin: [
    40305,
    'The call comes from a page of another site.',
    'Use the console, or an API account from elsewhere.',
  ],
  siteUnknown: [
    40306,
    'Passkeys and providers work only at an address that is known.',
    'Open the console at localhost, or have MATRICULA_PUBLIC_URL set to the address that browsers use.',
  ],
  sessionLimited: [
    40307,
    'The provider of one organization vouched for this session.',
    'Sign in with the password or a passkey to change these.',
  ],
  addressNotAllowed: [
    40308,
    'The account may not be used from this address.',
    'Call from one of the networks that it was given, or ask an administrator to add this one.',
  ],
  ownRequest: [
    40309,
    'A second person has to do this.',
    'Somebody else who has the permission decides, to whom the first gave no access and from whom the first has none.',
  ],
  organizationSuspended: [
    40310,
    'The organization is suspended.',
    'Its data are kept. The operator of the service can resume it.',
  ],
  quotaUsedUp: [
    40311,
    'The organization has used up a quota.',
    'msg names it; entity/organization/usage shows usage and quotas. The operator of the service can raise it.',
  ],
  userNotFound: [40401, 'There is no such user in this organization.', 'Check user_id and corp_id.'],
  orderNotFound: [40402, 'There is no such order in this organization.', 'Check order_id and corp_id.'],
  tagGroupNotFound: [
    40403,
    'There is no such tag group in this organization.',
    'Check the tag group id and corp_id.',
  ],
  routeNotFound: [40404, 'There is no such route.', 'The reference at /docs lists every route.'],
  subOrderNotFound: [
    40405,
    'There is no such sub-order in this order.',
    'Check sub_order_id; order/fetch lists them.',
  ],
  paymentNotFound: [
    40406,
    'There is no such payment in this order.',
    'Check payment_id; order/fetch lists them.',
  ],
  refundNotFound: [
    40440,
    'There is no such refund in this organization.',
    'Check refund_id; refund/list has them.',
  ],
  payerNotFound: [
    40442,
    'There is no such payer in this organization.',
    'Check payer_id; payer/list has them.',
  ],
  transferNotFound: [
    40441,
    'There is no such transfer in this organization.',
    'Check transfer_id; order/money/list has them.',
  ],
  courseNotFound: [40407, 'There is no such course in this organization.', 'Check course_id or course_code.'],
  batchNotFound: [40408, 'There is no such batch in this organization.', 'Check batch_id and the course.'],
  couponNotFound: [40409, 'There is no such coupon in this organization.', 'Check coupon_ids.'],
  eventNotFound: [40470, 'There is no such event in this organization.', 'Check event_id.'],
  webhookEndpointNotFound: [
    40471,
    'There is no such webhook endpoint in this organization.',
    'Check endpoint_id; webhook/endpoint/list has them.',
  ],
  webhookDeliveryNotFound: [
    40472,
    'There is no such webhook delivery in this organization.',
    'Check delivery_id; webhook/delivery/list has them. Deliveries are deleted some time after their end.',
  ],
  leadNotFound: [40410, 'There is no such lead in this organization.', 'Check leads_id.'],
  changeBatchNotFound: [
    40416,
    'There is no such batch of changes in this organization.',
    'Check batch_id; imports, edits of many users and merges answer one.',
  ],
  leadImportNotFound: [
    40417,
    'There is no such file of leads in this organization.',
    'Check import_id; leads/import/file/create answers it.',
  ],
  exportNotFound: [
    40418,
    'There is no such export in this organization.',
    'Check export_id; exports are kept for a day.',
  ],
  supportGrantNotFound: [
    40433,
    'There is no such access of support in this organization.',
    'Check grant_id; console/support/list has them.',
  ],
  staffNotFound: [40420, 'There is no such member of staff in this organization.', 'Check staff_id.'],
  accountNotFound: [
    40425,
    'There is no such API account in this organization.',
    'Check app_id; console/account/list names them.',
  ],
  viewNotFound: [40426, 'There is no such view.', 'Check view_id; console/view/list names them.'],
  erasureNotFound: [
    40429,
    'Nobody who was erased had this number or address.',
    'Check it: the whole number with its calling code, or the whole address. An erasure that was lifted needs no lift.',
  ],
  bankAccountNotFound: [
    40430,
    'There is no such bank account in this organization.',
    'Check account_id; finance/bank/account/list has them.',
  ],
  statementNotFound: [
    40431,
    'There is no such bank statement in this organization.',
    'Check statement_id; finance/bank/statement/list has them.',
  ],
  statementFileNotFound: [
    40432,
    'There is no such statement file in this organization.',
    'Check file_id; finance/bank/file/create answers it. A file that is not imported is deleted after a day.',
  ],
  paymentRequestNotFound: [
    40451,
    'There is no such payment request in this organization.',
    'Check payment_request_id; order/payment/request/list has them.',
  ],
  documentNotFound: [
    40450,
    'There is no such document in this organization.',
    'Check document_id; document/list has them.',
  ],
  passkeyNotFound: [40421, 'You have no such passkey.', 'Check credential_id.'],
  providerNotFound: [
    40422,
    'The organization has no provider to sign in with.',
    'Sign in with the password or a passkey; an administrator sets the provider.',
  ],
  domainNotFound: [
    40427,
    'The organization has not named this domain.',
    'Check domain; console/domain/list names them.',
  ],
  approvalNotFound: [
    40423,
    'There is no such approval request in this organization.',
    'Check request_id; approval/list has them.',
  ],
  limitRequestNotFound: [
    40428,
    'There is no such request to change limits in this organization.',
    'Check request_id; console/refund-limits/fetch has them.',
  ],
  methodNotAllowed: [
    40501,
    'The route does not take this method.',
    'The Allow header names the method it takes.',
  ],
  taken: [40901, 'That value is already taken.', 'data.errors names the parameter.'],
  staleVersion: [
    40902,
    'The record has changed since that version.',
    'Fetch it again and repeat the change on what it is now.',
  ],
  keyReused: [40903, 'The Idempotency-Key was used with another body.', 'Take a new key for a new call.'],
  stateForbids: [
    40904,
    'The state of the record does not allow this.',
    'msg says why; data.allowed, where it is there, names what is allowed instead.',
  ],
  keyInFlight: [
    40905,
    'A call with this Idempotency-Key is still under way.',
    'Repeat it after the seconds that Retry-After gives.',
  ],
  cursorExpired: [
    41001,
    'The cursor does not lead into the current feed.',
    'Its events were deleted for their age, or the database was restored: take newest_cursor, read the lists again, then follow the feed.',
  ],
  bodyTooLarge: [
    41301,
    'The request body is too large.',
    'A body may hold 1 MiB, or what MATRICULA_BODY_LIMIT allows.',
  ],
  unsupportedMediaType: [
    41501,
    'The media type is not supported.',
    'Send Content-Type: application/json; charset=utf-8.',
  ],
  tooManyRequests: [42901, 'Too many requests.', 'Wait for the seconds that Retry-After gives.'],
  headersTooLarge: [43101, 'The request headers are too large.', 'Send fewer or shorter headers.'],
  internal: [50001, 'An internal error occurred.', 'Report data.request_id; the log has the rest.'],
  unavailable: [
    50301,
    'The service is temporarily unavailable.',
    'Try again after the seconds that Retry-After gives.',
  ],
  readOnly: [
    50302,
    'The service is read-only for now.',
    'Nothing was changed. Reads, exports and sign-in work; repeat the call after the seconds that Retry-After gives.',
  ],
} as const satisfies Record<string, readonly [code: number, msg: string, remedy: string]>

export type ErrorName = keyof typeof errorCatalogue

export interface ParameterFault {
  param: string
  reason: string
}

/** A fault of the input. Missing and invalid parameters have different codes. */
export interface InputFault extends ParameterFault {
  missing?: true
}

interface FailureDetails {
  /** One sentence that a person can act on. Absent: the sentence of the catalogue. */
  msg?: string
  errors?: ParameterFault[]
  /** The moves that are allowed instead (40904). */
  allowed?: string[]
  /** Further data for the caller, such as the id of the record that holds a taken value. */
  extra?: Record<string, string | number>
  retryAfterSeconds?: number
}

/** A failure from the catalogue. Thrown anywhere; rendered in one place (server/respond). */
export class ApiError extends Error {
  readonly code: number
  readonly status: number
  readonly details: FailureDetails

  constructor(name: ErrorName, details: FailureDetails = {}) {
    super(details.msg ?? errorCatalogue[name][1])
    this.code = errorCatalogue[name][0]
    this.status = Math.floor(this.code / 100)
    this.details = details
  }
}

/** Maximum number of faults per response. Names and reasons are cut too, so that a response is never much longer than its request. */
const mostFaults = 20
const longestName = 100
const longestReason = 200
const longestSentence = 2000

/** Refuses input and names all faults. `msg` consists of the reasons, so it is enough to act on. */
export function faulty(faults: InputFault[], extra?: Record<string, string>): ApiError {
  const told = faults.length > mostFaults ? faults.toSorted(byMissing).slice(0, mostFaults) : faults
  const errors = told.map(({ param, reason }) => ({
    param: cut(param, longestName),
    reason: cut(reason, longestReason),
  }))
  const name = faults.some(({ missing }) => missing) ? 'missingParameter' : 'invalidParameter'
  return new ApiError(name, { msg: cut(sentenceOf(errors), longestSentence), errors, extra })
}

/** Missing parameters, which make it 40001, come first. */
function byMissing(a: InputFault, b: InputFault): number {
  return Number(b.missing ?? false) - Number(a.missing ?? false)
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`
}

/** A part of an operation may need a further permission: an account with `write` cannot give money away. */
export function requireFinance({ permissions }: { permissions: string[] }, what: string): void {
  if (permissions.includes('finance')) return
  throw new ApiError('permissionMissing', {
    msg: `The account lacks the permission finance, which ${what} takes.`,
  })
}

export function invalid(param: string, reason: string, extra?: Record<string, string>): ApiError {
  return faulty([{ param, reason }], extra)
}

export function taken(param: string, reason: string, extra?: Record<string, string>): ApiError {
  return new ApiError('taken', { msg: sentenceOf([{ param, reason }]), errors: [{ param, reason }], extra })
}

function sentenceOf(errors: ParameterFault[]): string {
  return `${errors.map(({ param, reason }) => `${param} ${reason}`).join('; ')}.`
}
