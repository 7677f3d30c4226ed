import type { Locator } from 'playwright-core'
import type { Accountant } from './accountant.ts'
import { bankFile, chargesOf, gatewayFile } from './plan.ts'
import type { MonthSchool } from './school.ts'

const openingBalance = 1_000_000

/** Card payments with their fees, and a chargeback. Only the payout is left open. */
export async function reconcileGateway(clerk: Accountant, school: MonthSchool): Promise<void> {
  const { say, page, ...at } = clerk
  const { names, today } = school
  await addAccount(clerk, { name: names.bank, opening: openingBalance })
  await addAccount(clerk, { name: names.gateway, kind: 'gateway_stripe' })
  const charges = chargesOf(names)
  const disputed = charges[4]!
  await importStatement(clerk, gatewayFile(names, charges, disputed, today).file, 26)
  await at.press(say('bank.confirmCertain', { count: 24 }))
  await at.said(say('bank.confirmedCertain', { count: 24 }))
  await openLine(at.row(names.disputed, page.getByRole('table', { name: say('bank.lines') })))
  await at.press(say('bank.book_chargeback'))
  await at.chooseOrder(say('fields.order'), disputed.student)
  await at.dialog().getByLabel(say('fields.reason')).fill(names.dispute)
  await at.confirm(say('bank.bookLine'))
  await at.said(say('bank.bookedDone'))
}

/** The statement of the bank: first the certain matches, then every way to settle a line by hand. */
export async function reconcileBank(clerk: Accountant, school: MonthSchool): Promise<void> {
  const { say, page, ...at } = clerk
  const { names, today } = school
  const charges = chargesOf(names)
  const { payout } = gatewayFile(names, charges, charges[4]!, today)
  const text = names.course
  const booked = [
    [names.staff[3]!, names.employer, 52_000],
    [names.children[0]!, names.parent, 53_000],
    [names.children[1]!, names.parent, 54_000],
    [names.scholars[3]!, names.sponsor, 56_000],
  ] as const
  const rows = [
    { reference: 'BT-1', payer: names.employer, text, price: 1_200_000 },
    { reference: 'BT-2', payer: names.sponsor, text, price: 850_000 },
    { reference: 'BT-3', payer: names.parent, text, price: 300_000 },
    { reference: 'BT-4', payer: names.sponsor, text, price: 200_000 },
    { reference: 'BT-5', payer: names.employer, text, price: 80_000 },
    { reference: 'BT-6', payer: names.employer, text, price: 70_000 },
    { reference: 'BT-7', payer: names.sponsor, text, price: 60_000 },
    { reference: 'RF-1', text: names.ill, price: -20_000 },
    { text: 'PO_1', price: payout },
    { payer: names.scholars[3]!, text, price: 55_000 },
    // The bank of the sponsor deducted its fee.
    { payer: names.sponsor, text: names.scholars[2]!, price: 63_500 },
    { text: say('paymentMethods.cash'), price: 199_000 },
    { text: `${say('paymentMethods.cheque')} 1`, price: 90_000 },
    { text: `${say('paymentMethods.cheque')} 2`, price: -90_000 },
    { text: names.left, price: -120_000 },
    ...booked.map(([student, payer, price]) => ({ payer, text: `${text} ${student}`, price })),
    { text: say('bank.book_fee'), price: -2_500 },
  ]
  await page.getByRole('combobox', { name: say('bank.account') }).click()
  await page.getByRole('option', { name: new RegExp(names.bank) }).click()
  await importStatement(clerk, bankFile(openingBalance, today, rows), rows.length)
  // Seven payments, a refund, and the payout with its line of the gateway.
  await at.press(say('bank.confirmCertain', { count: 10 }))
  await at.said(say('bank.confirmedCertain', { count: 10 }))

  const lines = page.getByRole('table', { name: say('bank.lines') })
  const lineOf = (price: number) => at.row(at.amount(price), lines)
  const settle = async (price: number, work: () => Promise<void>) => {
    await openLine(lineOf(price))
    await work()
    await lineOf(price).waitFor({ state: 'detached' })
  }
  const add = () => at.press(say('bank.addToMatch'))
  const find = (name: string) => page.getByLabel(say('bank.findPayment')).fill(name)

  await settle(55_000, () => at.press(say('finance.confirmMatch')))
  await settle(63_500, async () => {
    await find(names.scholars[2]!)
    await add()
    await at.press(say('bank.matchChosen', { count: 1 }))
  })
  // Two payments in cash, less the ten that are missing.
  await settle(199_000, async () => {
    await find(names.parent)
    await add()
    await page.getByText(at.amount(99_000)).waitFor()
    await add()
    await page.getByRole('combobox', { name: say('bank.bookRestAs') }).click()
    await page.getByRole('option', { name: say('bank.book_difference') }).click()
    await at.press(say('bank.matchChosen', { count: 2 }))
  })
  // The cheque that bounced.
  await settle(-90_000, async () => {
    await lines.getByRole('checkbox', { name: new RegExp(`${say('paymentMethods.cheque')} 1`) }).check()
    await at.press(say('bank.ignore'))
    await at.fill(say('fields.reason'), names.cheque)
    await at.confirm(say('bank.ignoreTitle'))
  })
  await settle(-120_000, () => at.press(say('bank.matchRefund')))
  for (const [student, payer, price] of booked)
    await settle(price, async () => {
      await at.press(say('bank.book_payment'))
      await at.chooseOrder(say('fields.order'), student)
      await at.choosePayer(payer)
      await at.confirm(say('bank.bookLine'))
    })
  await openLine(lineOf(-2_500))
  await at.press(say('bank.book_fee'))
  await at.confirm(say('bank.bookLine'))
  await page.getByText(say('bank.nothingOpen')).waitFor()
  await page.getByRole('combobox', { name: say('bank.account') }).click()
  await page.getByRole('option', { name: new RegExp(names.gateway) }).click()
  await page.getByText(say('bank.nothingOpen')).waitFor()
}

/** Until then, the buttons beside the lines belong to the line before. */
async function openLine(line: Locator): Promise<void> {
  await line.click()
  await line.and(line.page().locator('[aria-current=true]')).waitFor()
}

interface NewAccount {
  name: string
  kind?: string
  opening?: number
}

async function addAccount({ say, ...at }: Accountant, { name, kind, opening }: NewAccount): Promise<void> {
  await at.openTab('matching')
  await at.press(say('bank.addAccount'))
  await at.fill(say('bank.accountName'), name)
  if (kind) await at.choose(say('bank.kind'), say(`bank.${kind}`))
  if (opening) await at.fill(say('bank.openingBalance'), at.typed(opening))
  await at.confirm(say('bank.addAccount'))
  await at.said(say('bank.accountAdded', { name }))
}

async function importStatement({ say, ...at }: Accountant, file: string, lines: number): Promise<void> {
  await at.press(say('bank.addStatement'))
  await at.upload('statement.csv', file)
  await at
    .dialog()
    .getByRole('table', { name: say('bank.firstLines') })
    .waitFor()
  await at.confirm(say('bank.import'))
  await at.said(say('bank.imported', { count: lines }))
}
