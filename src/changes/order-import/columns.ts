import { ApiError } from '../../contract/errors.ts'
import { fingerprint } from '../../contract/fingerprint.ts'
import { formats } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'
import { readAmount, type WrittenAmount } from '../../files/amounts.ts'
import {
  areaCode,
  count,
  currencyCode,
  list,
  localTime,
  mobileNumber,
  text,
  word,
} from '../../files/cell-readers.ts'
import { type ColumnFault, type FaultColumns, faultsOfError, RowRefused } from '../../files/column-faults.ts'
import type { ColumnMap, ColumnTable } from '../../files/map-columns.ts'
import { CellRefused, column, longText, readCells } from '../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../files/row-source.ts'
import { mobileNumberFaults } from '../../people/users/mobile-number.ts'

/** The columns of an order. */
export const columns = {
  external_id: column(text, 'external id, order number, order no, 外部订单号, 外部编号, 订单号, 订单编号'),
  user_id: column(text, 'user, 用户id, 用户编号'),
  area_code: column(areaCode, 'country code, calling code, 区号, 国家区号'),
  mobile: column(mobileNumber, 'mobile number, phone, phone number, 手机, 手机号, 手机号码, 电话'),
  email: column(text, 'e-mail, mail, email address, 邮箱, 电子邮箱, 邮件'),
  name: column(text, 'user name, student name, full name, 姓名, 学员姓名, 学生姓名'),
  course_code: column(text, 'course, 课程代码, 课程编码, 课程编号'),
  batch: column(text, 'batch id, batch name, intake, 班次, 批次, 期次, 班期'),
  type: column(word, 'order type, 类型, 订单类型'),
  status: column(word, 'order status, 状态, 订单状态'),
  currency: column(currencyCode, 'order currency, 币种, 货币'),
  listed_price: column(amount, 'list price, price, 原价, 标价, 定价'),
  discounted_price: column(amount, 'discount price, price after discount, 优惠价, 折后价, 优惠后价格'),
  service_charge: column(amount, 'service fee, 服务费, 手续费'),
  coupon_ids: column(list, 'coupons, coupon, coupon id, 优惠券, 优惠券编号'),
  installment_count: column(count, 'installments, instalments, instalment count, 分期数, 期数'),
  first_payment_deadline: column(
    localTime,
    'payment deadline, deadline, due date, 首付截止日, 首期付款截止日, 付款截止日',
  ),
  share_proportion: column(shares, 'shares, owner shares, 业绩分成, 分成比例'),
  contract_id: column(text, 'contract, contract number, 合同号, 合同编号'),
  remark: longText('remarks, note, notes, 备注'),
  paid_price: column(amount, 'paid, amount paid, payment, 实付, 实付金额, 已付金额, 付款金额'),
  paid_currency: column(currencyCode, 'payment currency, 付款币种, 支付币种'),
  exchange_rate: column(rate, 'rate, 汇率'),
  settled_price: column(amount, 'settled, amount credited, 结算金额, 入账金额'),
  paid_time: column(
    localTime,
    'paid at, payment time, payment date, paid date, 付款时间, 支付时间, 付款日期',
  ),
  charge_id: column(text, 'transaction id, transaction number, 流水号, 交易号, 支付流水号'),
  payment_source: column(word, 'source of payment, 付款来源, 支付来源'),
  payment_provider: column(text, 'provider, 支付渠道, 付款渠道'),
  payment_method: column(text, 'method, 付款方式, 支付方式'),
  receipt_num: column(count, 'receipt, receipt number, receipt no, 收据号, 收据编号'),
  payment_comments: longText('payment comment, payment note, 付款备注, 支付备注'),
}

export type ColumnName = keyof typeof columns

type Values = { [Name in ColumnName]: ReturnType<(typeof columns)[Name]['read']> }

/** The values of the columns of a row. */
export type RowMembers = Partial<Values> & Pick<Values, 'external_id'>

/** The content of a row in a normal form: rows with the same content are equal. */
export function comparable(members: RowMembers): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      isAmount(value) ? value.decimal.replace(/\.?0*$/, trimmed) : value,
    ]),
  )
}

/** Removes trailing zeros of decimals, but not of whole numbers. */
function trimmed(match: string, offset: number, decimal: string): string {
  return decimal.slice(0, offset).includes('.') || match.startsWith('.') ? '' : match
}

function isAmount(value: unknown): value is WrittenAmount {
  return typeof value === 'object' && value !== null && 'decimal' in value
}

/** A file must identify orders and users. */
export const orderColumns: ColumnTable<ColumnName> = {
  columns,
  missing(found) {
    if (!found.has('external_id')) return 'The column external_id is missing: it identifies the order.'
    if (found.has('user_id') || found.has('email') || (found.has('area_code') && found.has('mobile')))
      return undefined
    return found.has('mobile')
      ? 'The column area_code is missing; mobile needs it.'
      : 'A column for the user is missing: user_id, or area_code and mobile, or email.'
  },
}

function amount(cell: string): WrittenAmount {
  const found = readAmount(cell)
  if (found) return found
  throw new CellRefused(
    'must be an amount such as 12800, 12,800.00 or 1 280, not negative and without an exponent',
  )
}

function rate(cell: string): string {
  const plain = /^0*([0-9]{1,12})(\.[0-9]{1,30})?$/.exec(cell.normalize('NFKC'))
  const shortest = plain && `${plain[1]}${(plain[2] ?? '').replace(/\.?0*$/, '')}`
  if (shortest && Number(shortest) > 0) return shortest
  throw new CellRefused('must be a plain decimal above 0')
}

function shares(cell: string): Record<string, number> {
  return Object.fromEntries(
    list(cell).map((item) => {
      const [, owner, fraction] = /^(.+?)\s*[:：=]\s*([01](?:\.[0-9]{1,4})?)$/.exec(item) ?? []
      if (owner === undefined)
        throw new CellRefused('must be owners with fractions of at most four decimals, as in anna:0.6;li:0.4')
      return [owner, Number(fraction)]
    }),
  )
}

const byCode: FaultColumns['byCode'] = {
  40401: { column: 'user_id', reason: 'names no user of the organization' },
  40407: { column: 'course_code', reason: 'names no course of the organization' },
  40408: { column: 'batch', reason: 'names no batch of the course' },
  40409: { column: 'coupon_ids', reason: 'names a coupon that does not exist' },
}

const orderFaults: FaultColumns = { byCode, byParameter: { batch_id: 'batch' }, fallback: 'external_id' }

const paymentFaults: FaultColumns = {
  byCode,
  byParameter: {
    price: 'paid_price',
    currency: 'paid_currency',
    completed_time: 'paid_time',
    comments: 'payment_comments',
    source: 'payment_source',
    provider: 'payment_provider',
    method: 'payment_method',
    rate: 'exchange_rate',
  },
  fallback: 'paid_price',
}

/** The faults of an error, by column; undefined for other errors. */
export function faultsOf(error: unknown, columns = orderFaults): ColumnFault[] | undefined {
  if (error instanceof RowRefused) return error.faults
  return error instanceof ApiError ? faultsOfError(error, columns) : undefined
}

/** Runs work on the payment of a row: its errors name the columns of the payment. */
export function asPayment<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const faults = faultsOf(error, paymentFaults)
    throw faults ? new RowRefused(faults) : error
  }
}

/** A row without faults. */
export interface OrderRow {
  source: SourceRow
  members: RowMembers
  /** Columns of the file whose cell is empty in this row. */
  blanks: Set<ColumnName>
  /** Hash of the values: the same row in another spelling has the same hash. */
  hash: string
}

/** Reads the cells of a row. Returns all faults. */
export function readOrderRow(
  source: SourceRow,
  map: ColumnMap<ColumnName>,
  context: RowSource,
): OrderRow | ColumnFault[] {
  const { members, faults } = readCells<RowMembers>(columns, source, map, context)
  if (faults.length === 0) faults.push(...faultsAmong(members))
  if (faults.length > 0) return faults
  const complete = members as RowMembers
  const blanks = new Set(map.names.filter((name, index) => name !== undefined && source.cells[index] === ''))
  return {
    source,
    members: complete,
    blanks: blanks as Set<ColumnName>,
    hash: fingerprint(comparable(complete)),
  }
}

function faultsAmong(members: Partial<RowMembers>): ColumnFault[] {
  const faults: ColumnFault[] = []
  const must = (isRight: boolean, column: ColumnName, reason: string) =>
    isRight || faults.push({ column, reason })
  must(members.external_id !== undefined, 'external_id', 'is required')
  const { user_id, area_code, mobile, email, name, remark } = members
  const isNamed = user_id !== undefined || email !== undefined || mobile !== undefined
  must(isNamed, 'user_id', 'is required, unless area_code and mobile or email identify the user')
  must(mobile === undefined || area_code !== undefined, 'area_code', 'is required with mobile')
  const hasNumber = mobile !== undefined && area_code !== undefined
  if (hasNumber) {
    must(formats['area-code'][0](area_code), 'area_code', formats['area-code'][1])
    must(formats.mobile[0](mobile), 'mobile', formats.mobile[1])
    for (const { param, reason } of mobileNumberFaults({ area_code, mobile }))
      faults.push({ column: param, reason })
  }
  must(
    email === undefined || (formats.email[0](email) && email.length <= longest.email),
    'email',
    formats.email[1],
  )
  must(isShort(name, longest.name), 'name', `must be text of at most ${longest.name} characters`)
  must(isShort(remark, longest.longText), 'remark', `must be text of at most ${longest.longText} characters`)
  must(isShort(user_id, longest.id), 'user_id', `must be text of at most ${longest.id} characters`)
  must(isShort(members.batch, longest.name), 'batch', `must be text of at most ${longest.name} characters`)
  const hasPayment =
    members.charge_id !== undefined || members.paid_time !== undefined || members.receipt_num !== undefined
  must(!hasPayment || members.paid_price !== undefined, 'paid_price', 'is required for a payment')
  return faults
}

function isShort(text: string | undefined, limit: number): boolean {
  return text === undefined || text.length <= limit
}
