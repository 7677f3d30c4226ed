import { FileRefused } from '../../../../files/row-source.ts'

/** The columns of tables, with the headers that mean them, best first. */
const aliases = {
  value_date:
    'value_date, value date, date, booking date, transaction date, created_utc, created, created utc, effective_at_utc, valuta, ' +
    'buchungstag, 入账日期, 记账日期, 交易日期, 日期, 记账时间, 发生时间, 付款时间, 交易时间, 交易创建时间, time',
  price:
    'price, amount, transaction amount, betrag, umsatz, 金额, 金额元, 交易金额, 发生额, 收支金额元, 订单金额, 应结订单金额',
  incoming:
    'incoming, credit, credit amount, paid in, money in, deposit, deposits, haben, 收入, 收入金额, 收入金额+元, 贷方金额, 贷方发生额, 贷方, 存入',
  outgoing:
    'outgoing, debit, debit amount, paid out, money out, withdrawal, withdrawals, soll, 支出, 支出金额, 支出金额元, 借方金额, 借方发生额, 借方, 支取',
  direction:
    'direction, 收支, 收支类型, 借贷标志, 借贷, drcr, debitcredit, creditdebit, cdtdbtind, soll/haben',
  gross: 'gross',
  fee: 'fee, fees, 手续费, 服务费元, 服务费',
  net: 'net',
  balance: 'balance, running balance, saldo, 余额, 账户余额, 账户余额元, 账户结余元, 本次余额',
  currency: 'currency, currency code, währung, 币种, 货币, 货币种类',
  charge_id:
    'charge_id, charge, source_id, source, transaction id, transaction number, 微信订单号, 微信支付业务单号, 交易号, 交易订单号, ' +
    '交易单号, 账务流水号, 交易流水号, 流水号, balance_transaction_id, id',
  reference:
    'reference, payment reference, remittance information, payment_intent_id, order number, order, 商户订单号, 商家订单号, 商户单号, 参考号, 附言, 订单号, 业务凭证号',
  payer:
    'payer, counterparty, customer_name, name, payee, beneficiary, auftraggeber, auftraggeber/beguenstigter, 付款人, 对方户名, 对方名称, 交易对方, 对方账号, 用户标识',
  description:
    'description, details, memo, narrative, text, verwendungszweck, 摘要, 用途, 商品名称, 商品说明, 商品, 业务名称, 备注',
  category: 'category, reporting_category, type, 交易类型, 业务类型, 类型, 交易分类',
  status: 'status, 交易状态, 当前状态',
  payout_id: 'payout_id, automatic_payout_id, transfer',
  refund_price: 'refund_price, 退款金额',
  refund_id: 'refund_id, 微信退款单号',
} as const

export type TableColumn = keyof typeof aliases
export const tableColumns = Object.keys(aliases) as TableColumn[]

const ranks = new Map(
  Object.entries(aliases).flatMap(([column, names]) =>
    names.split(', ').map((alias, rank) => [forgiven(alias), { column: column as TableColumn, rank }]),
  ),
)

/** Ignores case, spaces, underscores and punctuation, but not a plus. */
function forgiven(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-./:#*()[\]]/g, '')
}

/** The place of each column. */
export type Places = Map<TableColumn, number>

/** Whether a row has the headers of a table: a date and an amount. */
export function isHeader(cells: string[]): boolean {
  const { places } = placeColumns(cells)
  return missingColumn(places) === undefined
}

/** Finds the columns by their headers. `mapping` overrides: a column, or '' to ignore a header. */
export function placeColumns(
  headers: string[],
  mapping: Record<string, string> = {},
): { places: Places; columns: (TableColumn | null)[] } {
  const places: Places = new Map()
  const best = new Map<TableColumn, number>()
  for (const [header, column] of Object.entries(mapping)) {
    const place = headers.indexOf(header)
    if (place < 0)
      throw new FileRefused(`The mapping names the header ${header}, which the file does not have.`)
    if (column === '') continue
    if (!Object.hasOwn(aliases, column))
      throw new FileRefused(
        `The mapping sends ${header} to ${column}, which is not a column. Columns: ${tableColumns.join(', ')}.`,
      )
    if (places.has(column as TableColumn))
      throw new FileRefused(`The mapping names the column ${column} twice.`)
    places.set(column as TableColumn, place)
  }
  const chosen = new Set(places.keys())
  for (const [place, header] of headers.entries()) {
    if (Object.hasOwn(mapping, header)) continue
    const found = ranks.get(forgiven(header))
    if (
      !found ||
      chosen.has(found.column) ||
      (best.get(found.column) ?? Number.POSITIVE_INFINITY) <= found.rank
    )
      continue
    best.set(found.column, found.rank)
    places.set(found.column, place)
  }
  const columns = headers.map((_, place) => [...places].find(([, at]) => at === place)?.[0] ?? null)
  return { places, columns }
}

/** The reason why the columns are not sufficient; undefined if they are. */
export function missingColumn(places: Places): string | undefined {
  if (!places.has('value_date')) return 'The table has no column for the date (value_date).'
  const hasAmount = (['price', 'incoming', 'outgoing', 'net'] as const).some((column) => places.has(column))
  return hasAmount ? undefined : 'The table has no column for the amount (price, or incoming and outgoing).'
}
