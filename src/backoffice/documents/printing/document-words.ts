import type { DocumentContent, DocumentKind, DocumentLine } from '../document-content.ts'

export const printLanguages = ['en', 'zh', 'both'] as const
export type PrintLanguage = (typeof printLanguages)[number]

type Words<Key extends string> = Record<Key, readonly [en: string, zh: string]>

const titles: Words<DocumentKind> = {
  receipt: ['Receipt', '收据'],
  invoice: ['Invoice', '账单'],
  credit_note: ['Credit note', '贷项通知单'],
}

const lines: Words<DocumentLine['label']> = {
  item: ['Course fee', '课程费用'],
  coupon: ['Coupon', '优惠券'],
  discount: ['Discount', '优惠减免'],
  service_charge: ['Service charge', '手续费'],
  unapplied: ['Not allocated yet', '待分配款项'],
  credit: ['Credit', '费用冲减'],
}

const sums: Words<DocumentContent['sums'][number]['label']> = {
  total: ['Total', '合计'],
  received: ['Amount received', '实收金额'],
  credited: ['Credited', '已冲减'],
  refunded: ['Refunded', '已退费'],
  paid: ['Paid', '已付'],
  due: ['Amount due', '应付余额'],
}

const facts: Words<DocumentContent['facts'][number]['label']> = {
  order: ['Order', '订单号'],
  contract: ['Contract', '合同号'],
  paid_on: ['Paid on', '付款时间'],
  method: ['Method', '付款方式'],
  reference: ['Reference', '流水号'],
  own_number: ['School’s own number', '校内编号'],
  settled: ['Booked as', '入账金额'],
  invoice: ['Invoice', '原账单号'],
  refunded_on: ['Refunded on', '退费时间'],
}

const others = {
  number: ['No.', '编号'],
  issued: ['Issued on', '开具日期'],
  receivedFrom: ['Received from', '付款人'],
  billedTo: ['Billed to', '付款人'],
  creditedTo: ['Credited to', '付款人'],
  payerAddress: ['Address', '地址'],
  student: ['For', '学员'],
  reason: ['Reason', '原因'],
  taxNumber: ['Tax no.', '税号'],
  description: ['Description', '项目'],
  amount: ['Amount', '金额'],
  plan: ['Payment plan', '付款计划'],
  instalment: ['Instalment', '期次'],
  due: ['Due', '截止日期'],
  bankDetails: ['Bank details', '收款账户'],
  bankName: ['Bank', '开户行'],
  bankAccountName: ['Account name', '户名'],
  bankAccountNumber: ['Account number', '账号'],
  bankCode: ['BIC / bank code', '行号'],
  paymentReference: ['Payment reference', '付款附言'],
  printed: ['Status when printed', '打印时状态'],
  valid: ['valid', '有效'],
  void: ['VOID', '作废'],
  voidSince: ['Void since', '作废时间'],
  replaced: ['REPLACED', '已被替换'],
  replacedBy: ['Replaced by', '替换为'],
  reversed: ['REVERSED', '已冲销'],
  erased: ['(erased on request)', '（已按要求删除）'],
} as const satisfies Words<string>

/** Usual methods of payment. Others are printed as they were reported. */
const methods = {
  cash: ['Cash', '现金'],
  card: ['Card', '刷卡'],
  transfer: ['Bank transfer', '银行转账'],
  alipay: ['Alipay', '支付宝'],
  wechat: ['WeChat Pay', '微信支付'],
} as const satisfies Words<string>

export function isKnownMethod(method: string): method is keyof typeof methods {
  return Object.hasOwn(methods, method)
}

const groups = { titles, lines, sums, facts, others, methods }
type Groups = typeof groups

/** Looks words up in one language, or in both. */
export function wordsIn(language: PrintLanguage) {
  return <Group extends keyof Groups>(group: Group, key: keyof Groups[Group]): string => {
    const [en, zh] = groups[group][key] as readonly [string, string]
    return language === 'both' ? `${en} ${zh}` : language === 'en' ? en : zh
  }
}
