/** The texts of the page for payers. */
export interface PaymentPageWords {
  dueNow: string
  total: string
  validUntil: string
  transfer: string
  reference: string
  referenceHint: string
  bankName: string
  bankAccountName: string
  bankAccountNumber: string
  bankCode: string
  noBank: string
  qrPage: string
  qrBank: string
  checkout: string
  noPayments: string
  paid: string
  missing: string
  missingHint: string
  forPerson(name: string): string
}

export const paymentPageWords: Record<'en' | 'zh', PaymentPageWords> = {
  en: {
    dueNow: 'Amount due now',
    total: 'Unpaid in total: ',
    validUntil: 'Link valid until',
    transfer: 'Pay by bank transfer',
    reference: 'Payment reference',
    referenceHint: 'Write the reference on the transfer, so that the school finds your order.',
    bankName: 'Bank',
    bankAccountName: 'Account name',
    bankAccountNumber: 'Account number',
    bankCode: 'BIC or bank code',
    noBank: 'Ask the school for its bank details.',
    qrPage: 'Scan to open this page on a phone.',
    qrBank: 'Scan with your banking app.',
    checkout: 'Pay online',
    noPayments: 'This page takes no payments and asks for no card or account numbers.',
    paid: 'Paid. Thank you.',
    missing: 'This link does not work',
    missingHint: 'It may be mistyped, expired or withdrawn. Ask the school for a new one.',
    forPerson: (name) => `for ${name}`,
  },
  zh: {
    dueNow: '本次应付',
    total: '待付总额：',
    validUntil: '链接有效期至',
    transfer: '银行转账',
    reference: '付款附言',
    referenceHint: '转账时请填写附言，以便学校核对您的订单。',
    bankName: '开户行',
    bankAccountName: '户名',
    bankAccountNumber: '账号',
    bankCode: '行号',
    noBank: '请向学校索取收款账户。',
    qrPage: '扫码在手机上打开本页。',
    qrBank: '请用银行 App 扫码付款。',
    checkout: '在线支付',
    noPayments: '本页面不收款，也不会要求您填写银行卡或账户信息。',
    paid: '已付清，谢谢。',
    missing: '链接无效',
    missingHint: '链接可能有误、已过期或已撤回，请联系学校重新获取。',
    forPerson: (name) => `学员：${name}`,
  },
}
