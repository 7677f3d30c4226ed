import { expect } from 'vitest'
import type { Accountant } from './accountant.ts'
import { accountFiguresOf, figuresOf, rowsOf } from './figures.ts'
import type { MonthSchool } from './school.ts'

/** Counts the takings: ten are missing in cash, and the rest is as expected. */
export async function cashUp({ say, page, ...at }: Accountant, { names }: MonthSchool): Promise<void> {
  await at.openTab('cash-up')
  const takings = page.getByRole('table', { name: say('cashUp.takings') }).locator('tbody tr')
  await takings.first().waitFor()
  const cash = say('paymentMethods.cash')
  for (const line of await takings.all()) {
    const [method = '', , , , expected = ''] = await line.getByRole('cell').allInnerTexts()
    const counted = method === cash ? at.typed(199_000) : expected.replaceAll(/[^\d.]/g, '')
    await line.getByLabel(say('cashUp.countedOf', { method }), { exact: true }).fill(counted)
  }
  await page.getByRole('textbox', { name: say('fields.reason'), exact: true }).fill(names.short)
  await at.press(say('cashUp.save'))
  const stored = page.getByRole('table', { name: say('cashUp.history') })
  await at.row(names.short, stored).getByText(at.amount(-1_000)).waitFor()
}

/** Closes the month, and returns the figures that the screen shows. */
export async function closeMonth({ say, page, ...at }: Accountant, lastDay: string): Promise<string[]> {
  await at.openTab('closing')
  await at.press(say('finance.closeMonth'))
  await at.fill(say('finance.closeUntil'), lastDay)
  const preview = at.dialog().getByRole('table', { name: say('orders.preview') })
  await preview.waitFor()
  const expected = await preview.locator('tbody tr').allInnerTexts()
  await at.confirm(say('finance.closeMonth'))
  await at.said(say('finance.closeDone', { day: lastDay }))
  const closed = page.getByRole('table', { name: say('finance.closing') }).first()
  // An earlier closing stays in the place of the new one until the list arrives.
  await expect.poll(() => closed.locator('tbody tr').allInnerTexts()).toEqual(expected)
  return expected
}

/** Exports payments, refunds and financial details, and adds them up. */
export async function exportFigures(at: Accountant) {
  const exported = async (what: string) => rowsOf(await exportFile(at, what))
  const files = {
    payments: await exported('finance.payments'),
    refunds: await exported('finance.exportRefunds'),
    financial_rows: await exported('finance.exportRows'),
  }
  return { currencies: figuresOf(files), accounts: accountFiguresOf(files) }
}

async function exportFile({ say, ...at }: Accountant, what: string): Promise<string> {
  await at.openTab('exports')
  await at.press(say('finance.newExport'))
  await at.choose(say('finance.exportContent'), say(what))
  await at.choose(say('finance.exportFormat'), 'CSV')
  await at.confirm(say('finance.newExport'))
  return at.download(() => at.press(say('finance.download'), at.row(say(what))))
}
