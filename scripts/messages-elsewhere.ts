const isFollowed = 'the texts are read where they are made'

/** Expressions that are no text of their own, with the reason; `path: expression`. */
export const valuesPassedOn: Record<string, string> = {
  'src/backoffice/approvals/decide-request.ts: error.message':
    'the message of another error of the catalogue',
  'src/backoffice/console/readable.ts: error.message': 'errors of the files in sharedWithCommands',
  'src/backoffice/finance/reconciliation/readers/camt053.ts: price': 'returned by minorOf',
  'src/backoffice/finance/reconciliation/readers/mt940.ts: amount': 'returned by minorOf',
  'src/backoffice/finance/reconciliation/readers/mt940.ts: price': 'returned by minorOf',
  'src/backoffice/finance/reconciliation/readers/table-statement.ts: price': 'returned by signedPrice',
  'src/backoffice/settings/issuer-settings.ts: logo': 'returned by readLogo',
  "src/changes/erasure/erase-payer.ts: facts.join(' ')": 'two sentences, see textsElsewhere',
  'src/changes/lead-import/commit-rows.ts: reason': isFollowed,
  'src/changes/lead-import/import-lead-file.ts: reason': isFollowed,
  "src/changes/lead-import/list-lead-files.ts: reason ?? ''": isFollowed,
  "src/changes/lead-import/list-lead-files.ts: cells?.faults ? rowReasonIn(language, row, cells.faults, headers) : reasonIn(language, reason ?? '')":
    'the same texts, in the language that the caller names',
  'src/changes/lead-import/list-lead-files.ts: reasonIn(language, reason)':
    'the same texts, in the language that the caller names',
  'src/changes/lead-import/plan-rows.ts: fault': isFollowed,
  'src/changes/lead-import/plan-rows.ts: reason': isFollowed,
  'src/changes/lead-import/read-lead-row.ts: tags.reason': isFollowed,
  'src/changes/lead-import/read-numbers.ts: found.reason': isFollowed,
  'src/changes/lead-import/value-mapping.ts: read.reason': isFollowed,
  "src/changes/lead-import/plan-lead-file.ts: found.refusal ?? ''":
    'a refused file with its advice, see textsElsewhere',
  'src/changes/order-import/columns.ts: reason': isFollowed,
  'src/changes/order-import/compose-inputs.ts: minor': 'returned by minorUnits',
  'src/contract/errors.ts: cut(reason, longestReason)': isFollowed,
  'src/contract/errors.ts: cut(sentenceOf(errors), longestSentence)': 'made of the reasons',
  'src/contract/errors.ts: reason': isFollowed,
  'src/contract/validate.ts: reader.reason': 'two readers, see textsElsewhere',
  'src/contract/validate.ts: message': 'of the schema validator, see textsElsewhere',
  'src/files/column-faults.ts: reason': isFollowed,
  "src/files/column-faults.ts: message.replace(/\\.$/, '')": 'the message of an error of the catalogue',
  'src/files/csv-records.ts: fault': 'two texts, see textsElsewhere',
  'src/files/csv-rows.ts: fault': 'of csv-records.ts',
  'src/files/csv-rows.ts: first.fault': 'of csv-records.ts',
  'src/files/map-columns.ts: reason': isFollowed,
  "src/files/ndjson-rows.ts: fault ?? 'The file has no rows.'": 'two texts, see textsElsewhere',
  'src/files/ndjson-rows.ts: read.fault': isFollowed,
  'src/files/row-report.ts: fault': isFollowed,
  'src/files/read-cells.ts: cell.fault': isFollowed,
  'src/files/read-cells.ts: error.message': 'of CellRefused',
  'src/files/read-cells.ts: read.reason': isFollowed,
  'src/files/read-cells.ts: reason': 'a format of contract/formats.ts',
  'src/files/row-source.ts: message': 'of FileRefused',
  'src/files/xlsx-rows.ts: cell.fault': isFollowed,
  'src/orders/payments/apply-payment.ts: taken.because': isFollowed,
  'src/orders/payments/create-payment.ts: because': isFollowed,
  'src/orders/payments/receipt-rule.ts: taken.because': isFollowed,
  'src/orders/payments/reverse-void.ts: because': isFollowed,
  'src/orders/payments/transfer-money.ts: taken.because': isFollowed,
  'src/orders/rules/order-rules.ts: obstacle.because': isFollowed,
}

/** Functions that return a value or the sentence of a fault. */
export const returningTexts = new Set([
  'src/access/organizations/logo.ts: readLogo',
  'src/backoffice/finance/reconciliation/readers/statement-file.ts: minorOf',
  'src/backoffice/finance/reconciliation/readers/table-cells.ts: signedPrice',
  'src/backoffice/finance/reconciliation/readers/table-columns.ts: missingColumn',
  'src/files/amounts.ts: minorUnits',
  'src/files/amounts.ts: ambiguous',
  'src/orders/rules/order-rules.ts: obstacleToMoney',
])

/** Files whose plain errors an operation turns into its own (backoffice/console/readable.ts). */
export const sharedWithCommands = new Set([
  'src/access/organizations/manage-accounts.ts',
  'src/access/organizations/manage-organizations.ts',
])

/** Texts that no rule of message-templates.ts finds, with their place. */
export const textsElsewhere: [text: string, place: string][] = [
  ['The payer owes {debts}.', 'src/changes/erasure/erase-payer.ts'],
  ['No order has {unallocated} of its money.', 'src/changes/erasure/erase-payer.ts'],
  ['must be a whole number, digits only', 'src/contract/validate.ts'],
  ['must be true or false', 'src/contract/validate.ts'],
  ['must be greater than {limit}', 'src/contract/validate.ts'],
  ['must be a multiple of {limit}', 'src/contract/validate.ts'],
  ['must NOT have fewer than {limit} characters', 'src/contract/validate.ts'],
  ['must NOT have fewer than {limit} items', 'src/contract/validate.ts'],
  ['must NOT have duplicate items (items ## {first} and {second} are identical)', 'src/contract/validate.ts'],
  ['must match a schema in anyOf', 'src/contract/validate.ts'],
  ['must NOT have additional properties', 'src/contract/validate.ts'],
  ['must be equal to constant', 'src/contract/validate.ts'],
  ['line {line} has a quoted cell that does not end', 'src/files/csv-records.ts'],
  ['line {line} has a quote in a quoted cell that is not doubled', 'src/files/csv-records.ts'],
  ['Row {row}: {fault}.', 'src/files/ndjson-rows.ts'],
  ['The file has no rows.', 'src/files/ndjson-rows.ts'],
  ['{message} Set {option}.', 'src/files/row-source.ts'],
  ['{message} Set {option} {values}.', 'src/files/row-source.ts'],
  ['{message} Upload the file again and set {option}.', 'src/files/row-source.ts'],
  ['{message} Upload the file again and set {option} {values}.', 'src/files/row-source.ts'],
  ['no order has it yet', 'src/orders/payments/record-receipt.ts'],
]
