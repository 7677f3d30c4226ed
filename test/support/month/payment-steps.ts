import type { Accountant } from './accountant.ts'
import type { MonthSchool } from './school.ts'

export async function addPayers({ say, ...at }: Accountant, { names }: MonthSchool): Promise<void> {
  await at.openTab('payers')
  for (const kind of ['employer', 'parent', 'sponsor'] as const) {
    await at.press(say('payers.add'))
    await at.fill(say('fields.name'), names[kind])
    await at.choose(say('payers.kind'), say(`payers.kinds.${kind}`))
    await at.confirm(say('common.save'))
    await at.said(say('payers.saved', { name: names[kind] }))
  }
}

/** Four receipts, each over several students. The second is 500.00 more than its parts. */
export async function recordReceipts(
  { say, page, ...at }: Accountant,
  { names }: MonthSchool,
): Promise<void> {
  const receipts = [
    { payer: names.employer, reference: 'BT-1', students: names.staff, part: 300_000, more: 0 },
    { payer: names.sponsor, reference: 'BT-2', students: names.scholars, part: 200_000, more: 50_000 },
    { payer: names.parent, reference: 'BT-3', students: names.children, part: 150_000, more: 0 },
    { payer: names.sponsor, reference: 'BT-4', students: names.scholars.slice(2), part: 100_000, more: 0 },
  ]
  for (const { payer, reference, students, part, more } of receipts) {
    await at.openTab('payers')
    await at.row(payer).click()
    await page.getByRole('heading', { name: payer }).waitFor()
    await at.press(say('payers.receive'))
    for (const [index, student] of students.entries()) {
      await at.chooseOrder(say('payers.addOrder'), student)
      await at.dialog().getByLabel(say('payers.part')).nth(index).fill(at.typed(part))
    }
    const sum = part * students.length + more
    if (more > 0) await at.fill(say('payers.amount'), at.typed(sum))
    await at.fill(say('finance.reference'), reference)
    await at.confirm(say('payers.receive'))
    await at.said(say('payers.receiptDone', { amount: at.amount(sum) }))
  }
}

/** Eight payments on orders, as they come in. */
export async function recordPayments({ say, ...at }: Accountant, school: MonthSchool): Promise<void> {
  const { names, orderOf } = school
  const payments: [student: string, payer: string, method: string, amount: number, reference?: string][] = [
    [names.children[0]!, names.parent, 'cash', 100_000],
    [names.children[1]!, names.parent, 'cash', 100_000],
    [names.staff[0]!, names.employer, 'cheque', 90_000],
    // The employer meant another student.
    [names.scholars[0]!, names.employer, 'transfer', 80_000, 'BT-5'],
    [names.staff[2]!, names.employer, 'transfer', 70_000, 'BT-6'],
    [names.scholars[1]!, names.sponsor, 'transfer', 60_000, 'BT-7'],
    [names.scholars[2]!, names.sponsor, 'transfer', 65_000],
    [names.scholars[3]!, names.sponsor, 'transfer', 55_000],
  ]
  for (const [student, payer, method, amount, reference] of payments) {
    await at.openOrder(orderOf(student))
    await at.press(say('orders.pay'))
    await at.fill(say('fields.amount'), at.typed(amount))
    await at.choose(say('fields.method'), say(`paymentMethods.${method}`))
    if (reference) await at.fill(say('finance.reference'), reference)
    await at.choosePayer(payer)
    await at.confirm(say('orders.pay'))
    await at.said(say('orders.payDone', { amount: at.amount(amount) }))
  }
}

/** A payment on the wrong order, unallocated money, and a cheque that bounces. */
export async function putRight({ say, page, ...at }: Accountant, school: MonthSchool): Promise<void> {
  const { names, orderOf } = school
  await at.openOrder(orderOf(names.scholars[0]!))
  await at.press(say('orders.unapply'), at.row('BT-5'))
  await at.dialog().getByLabel(say('fields.reason')).fill(names.wrong)
  await at.confirm(say('orders.unapply'))
  await at.said(say('orders.unapplyDone', { amount: at.amount(80_000) }))
  await at.openTab('unallocated')
  await at.press(say('orders.apply'), at.row('BT-5'))
  await at.chooseOrder(say('fields.order'), names.staff[1]!)
  await at.confirm(say('orders.apply'))
  await at.said(say('orders.applyDone', { amount: at.amount(80_000) }))

  await at.openTab('payers')
  await at.row(names.sponsor).click()
  const waiting = page.getByRole('table', { name: say('payers.unallocated') })
  await at.press(say('orders.apply'), at.row(at.amount(50_000), waiting))
  await at.chooseOrder(say('fields.order'), names.scholars[0]!)
  await at.confirm(say('orders.apply'))
  await at.said(say('orders.applyDone', { amount: at.amount(50_000) }))

  await at.openOrder(orderOf(names.staff[0]!))
  await at.press(say('orders.void'), at.row(say('paymentMethods.cheque')))
  await at.dialog().getByLabel(say('fields.reason')).fill(names.bounced)
  await at.confirm(say('orders.voidPayment'))
  await at.said(say('orders.voidDone'))
  await at.row(`${say('moneyKinds.void')} · ${names.bounced}`).waitFor()
}

/** Prepares a refund of a student, up to its last button. */
export async function askForRefund(
  { say, ...at }: Accountant,
  { orderOf }: MonthSchool,
  asked: { student: string; amount: number; reason: string; reference?: string },
): Promise<void> {
  await at.openOrder(orderOf(asked.student))
  await at.press(say('orders.refund'))
  await at.fill(say('fields.amount'), at.typed(asked.amount))
  await at.dialog().getByLabel(say('fields.reason')).fill(asked.reason)
  if (asked.reference) await at.fill(say('finance.reference'), asked.reference)
}
