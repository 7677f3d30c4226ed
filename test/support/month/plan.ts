import type { Locale } from '../../harness/words.ts'

/** Names in the order of that language. */
export const names = {
  'en-GB': {
    employer: 'Harbour Logistics',
    parent: 'Mei Lin',
    sponsor: 'Sail Foundation',
    staff: ['Ada Stone', 'Ben Stone', 'Cleo Stone', 'Dan Stone'],
    children: ['Eve Lin', 'Finn Lin'],
    scholars: ['Gina Bright', 'Hugo Bright', 'Iris Bright', 'Jack Bright'],
    bank: 'House bank',
    gateway: 'Card gateway',
    bounced: 'Cheque returned unpaid',
    wrong: 'Named the wrong student',
    ill: 'Ill in the first week',
    left: 'Left the course',
    short: 'Ten given twice as change',
    cheque: 'Cheque paid in and returned',
    dispute: 'Disputed by the card holder',
    disputed: 'Chargeback',
    course: 'Diploma',
  },
  'zh-CN': {
    employer: '港湾物流',
    parent: '林梅',
    sponsor: '云帆基金会',
    staff: ['石一鸣', '石二虎', '石三思', '石四光'],
    children: ['林五常', '林六奇'],
    scholars: ['明七夕', '明八千', '明九思', '明十安'],
    bank: '基本户',
    gateway: '刷卡通道',
    bounced: '支票被退票',
    wrong: '附言写错学员',
    ill: '开课第一周因病',
    left: '中途退学',
    short: '找零多给十元',
    cheque: '支票存入后退票',
    dispute: '持卡人拒付',
    disputed: '拒付',
    course: '文凭课程',
  },
} satisfies Record<Locale, object>

export type Names = (typeof names)[Locale]

/** A charge of the gateway: paid by card in the school's own checkout, which reports it. */
export interface Charge {
  charge_id: string
  student: string
  payer: 'employer' | 'parent' | 'sponsor'
  price: number
  fee: number
}

/** 24 card payments: every student of each payer in turn, no two of the same amount. */
export function chargesOf({ staff, children, scholars }: Names): Charge[] {
  const of = [
    ...staff.map((student) => ({ student, payer: 'employer' as const })),
    ...children.map((student) => ({ student, payer: 'parent' as const })),
    ...scholars.map((student) => ({ student, payer: 'sponsor' as const })),
  ]
  return Array.from({ length: 24 }, (_, n) => {
    const price = 50_000 + n * 1_111
    return {
      charge_id: `ch_${n + 1}`,
      ...of[n % of.length]!,
      price,
      fee: Math.floor((price * 29) / 1000) + 30,
    }
  })
}

const major = (minor: number) => (minor / 100).toFixed(2)
const sumOf = (amounts: number[]) => amounts.reduce((all, each) => all + each, 0)

export interface Gateway {
  file: string
  /** The amount that arrives at the bank. */
  payout: number
  fees: number
}

/** The balance report of the gateway: charges with fees, a chargeback with its fee, and the payout that empties it. */
export function gatewayFile(
  { disputed: text, course }: Names,
  charges: Charge[],
  disputed: Charge,
  day: string,
): Gateway {
  const lostFee = 1_500
  const time = (hour: number) => `${day} ${String(hour).padStart(2, '0')}:00:00`
  const header =
    'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,description,automatic_payout_id,charge_id,customer_name'
  const rows = charges.map(({ charge_id, price, fee, student }, n) =>
    [`txn_${n + 1}`, time(1), 'cny', major(price), major(fee), major(price - fee), 'charge', charge_id]
      .concat([course, 'po_1', charge_id, student])
      .join(','),
  )
  const lost = disputed.price + lostFee
  rows.push(
    ['txn_90', time(2), 'cny', major(-disputed.price), major(lostFee), major(-lost), 'dispute', 'dp_1']
      .concat([text, 'po_1', disputed.charge_id, disputed.student])
      .join(','),
  )
  const fees = sumOf(charges.map(({ fee }) => fee)) + lostFee
  const payout = sumOf(charges.map(({ price }) => price)) - disputed.price - fees
  rows.push(
    ['txn_91', time(3), 'cny', major(-payout), '0.00', major(-payout), 'payout', 'po_1']
      .concat(['', '', '', ''])
      .join(','),
  )
  return { file: `${[header, ...rows].join('\n')}\n`, payout, fees }
}

export interface BankRow {
  reference?: string
  payer?: string
  text: string
  price: number
}

/** A bank statement with a balance in every row. */
export function bankFile(opening: number, day: string, rows: BankRow[]): string {
  let balance = opening
  const lines = rows.map(({ reference = '', payer = '', text, price }) => {
    balance += price
    return [day, reference, payer, text, major(price), major(balance)].join(',')
  })
  return `${['Date,Transaction ID,Payer,Description,Amount,Balance', ...lines].join('\n')}\n`
}
