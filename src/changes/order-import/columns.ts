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
import type { ColumnTable } from '../../files/map-columns.ts'
import { CellRefused, type Columns } from '../../files/read-cells.ts'

/** The values of the columns of a row. */
export interface RowMembers {
  external_id: string
  user_id?: string
  area_code?: string
  mobile?: string
  email?: string
  name?: string
  course_code?: string
  batch?: string
  type?: string
  status?: string
  currency?: string
  listed_price?: WrittenAmount
  discounted_price?: WrittenAmount
  service_charge?: WrittenAmount
  coupon_ids?: string[]
  installment_count?: number
  first_payment_deadline?: string
  share_proportion?: Record<string, number>
  contract_id?: string
  remark?: string
  paid_price?: WrittenAmount
  paid_currency?: string
  exchange_rate?: string
  settled_price?: WrittenAmount
  paid_time?: string
  charge_id?: string
  payment_source?: string
  payment_provider?: string
  payment_method?: string
  receipt_num?: number
  payment_comments?: string
}

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

export type ColumnName = keyof RowMembers

/** The columns of an order. */
export const columns: Columns<RowMembers> = {
  external_id: {
    aliases: ['external id', 'order number', 'order no', '外部订单号', '外部编号', '订单号', '订单编号'],
    read: text,
  },
  user_id: { aliases: ['user', '用户id', '用户编号'], read: text },
  area_code: { aliases: ['country code', 'calling code', '区号', '国家区号'], read: areaCode },
  mobile: {
    aliases: ['mobile number', 'phone', 'phone number', '手机', '手机号', '手机号码', '电话'],
    read: mobileNumber,
  },
  email: { aliases: ['e-mail', 'mail', 'email address', '邮箱', '电子邮箱', '邮件'], read: text },
  name: { aliases: ['user name', 'student name', 'full name', '姓名', '学员姓名', '学生姓名'], read: text },
  course_code: { aliases: ['course', '课程代码', '课程编码', '课程编号'], read: text },
  batch: { aliases: ['batch id', 'batch name', 'intake', '班次', '批次', '期次', '班期'], read: text },
  type: { aliases: ['order type', '类型', '订单类型'], read: word },
  status: { aliases: ['order status', '状态', '订单状态'], read: word },
  currency: { aliases: ['order currency', '币种', '货币'], read: currencyCode },
  listed_price: { aliases: ['list price', 'price', '原价', '标价', '定价'], read: amount },
  discounted_price: {
    aliases: ['discount price', 'price after discount', '优惠价', '折后价', '优惠后价格'],
    read: amount,
  },
  service_charge: { aliases: ['service fee', '服务费', '手续费'], read: amount },
  coupon_ids: { aliases: ['coupons', 'coupon', 'coupon id', '优惠券', '优惠券编号'], read: list },
  installment_count: {
    aliases: ['installments', 'instalments', 'instalment count', '分期数', '期数'],
    read: count,
  },
  first_payment_deadline: {
    aliases: ['payment deadline', 'deadline', 'due date', '首付截止日', '首期付款截止日', '付款截止日'],
    read: localTime,
  },
  share_proportion: { aliases: ['shares', 'owner shares', '业绩分成', '分成比例'], read: shares },
  contract_id: { aliases: ['contract', 'contract number', '合同号', '合同编号'], read: text },
  remark: { aliases: ['remarks', 'note', 'notes', '备注'], isLongText: true, read: text },
  paid_price: {
    aliases: ['paid', 'amount paid', 'payment', '实付', '实付金额', '已付金额', '付款金额'],
    read: amount,
  },
  paid_currency: { aliases: ['payment currency', '付款币种', '支付币种'], read: currencyCode },
  exchange_rate: { aliases: ['rate', '汇率'], read: rate },
  settled_price: { aliases: ['settled', 'amount credited', '结算金额', '入账金额'], read: amount },
  paid_time: {
    aliases: ['paid at', 'payment time', 'payment date', 'paid date', '付款时间', '支付时间', '付款日期'],
    read: localTime,
  },
  charge_id: {
    aliases: ['transaction id', 'transaction number', '流水号', '交易号', '支付流水号'],
    read: text,
  },
  payment_source: { aliases: ['source of payment', '付款来源', '支付来源'], read: word },
  payment_provider: { aliases: ['provider', '支付渠道', '付款渠道'], read: text },
  payment_method: { aliases: ['method', '付款方式', '支付方式'], read: text },
  receipt_num: { aliases: ['receipt', 'receipt number', 'receipt no', '收据号', '收据编号'], read: count },
  payment_comments: {
    aliases: ['payment comment', 'payment note', '付款备注', '支付备注'],
    isLongText: true,
    read: text,
  },
}

/** A file must identify orders and users. */
export const orderColumns: ColumnTable<ColumnName> = {
  columns,
  missing(found) {
    if (!found.has('external_id'))
      return 'The column external_id is missing: it tells whether an order is known already.'
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
  const pairs = list(cell).map((item) => /^(.+?)\s*[:：=]\s*([01](?:\.[0-9]{1,4})?)$/.exec(item))
  if (pairs.includes(null))
    throw new CellRefused('must be owners with fractions of at most four decimals, as in anna:0.6;li:0.4')
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, Number(pair![2])]))
}
