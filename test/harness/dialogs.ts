import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { staffIdOf } from '../../sample/sample-staff.ts'
import { confirmationMs } from '../../src/access/staff/sessions.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { createWebhookEndpoint } from '../../src/events/webhooks/create-endpoint.ts'
import { createSender } from '../../src/events/webhooks/send-delivery.ts'
import { pingWebhookEndpoint } from '../../src/events/webhooks/update-endpoint.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listPayments } from '../../src/orders/payments/list-payments.ts'
import { writeOffOrder } from '../../src/orders/write-off-order.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { settled } from './console-page.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import type { TestServer } from './server.ts'
import { hireStaff, type TestColleague } from './staff.ts'
import { sayIn } from './words.ts'

/** A click on the control of this text of the console, or something else that leads to the dialog. */
type Step = string | ((page: Page) => Promise<unknown>)

/** A dialog, drawer, menu or popover, and the way to it for an administrator of the sample school. */
interface Dialog {
  /** The component that renders it. */
  component: string
  path: string
  steps: Step[]
  /** The content below the dialog waits until the dialog has closed. */
  isBusy?: boolean
}

const consoleSources = join(import.meta.dirname, '../../console/src')
const overlays = [
  'Modal',
  'Drawer.Root',
  'Spotlight.Root',
  'Menu',
  'Popover',
  'PreviewDialog',
  'DryRunDialog',
]
const overlay = new RegExp(`<(${overlays.map((each) => each.replace('.', '\\.')).join('|')})(?=[\\s>])`, 'g')

/** The components of the console that render a dialog, drawer, menu or popover, by their file. */
export async function dialogComponents(): Promise<string[]> {
  const found = new Set<string>()
  for await (const path of glob('**/*.tsx', { cwd: consoleSources })) {
    const source = await readFile(join(consoleSources, path), 'utf8')
    for (const { index } of source.matchAll(overlay)) {
      const component = [...source.slice(0, index).matchAll(/function (\w+)/g)].at(-1)![1]!
      // Others render these two.
      if (!overlays.includes(component)) found.add(`${path} ${component}`)
    }
  }
  return [...found].toSorted()
}

export const phoneSize = { width: 390, height: 844 }

const say = sayIn('en-GB')
const top = (page: Page) => page.locator('[role=dialog], [role=menu]').last()
const row = (page: Page) =>
  // Beside the checkbox; the middle may be a link.
  page
    .locator('main tbody tr[aria-rowindex], main tbody tr:has(td)')
    .first()
    .click({ position: { x: 60, y: 10 } })
const onPhone: Step = (page) => page.setViewportSize(phoneSize)
const fill = (key: string, text: string) => (page: Page) =>
  top(page)
    .getByLabel(say(key), { exact: true })
    .or(top(page).getByLabel(`${say(key)} *`, { exact: true }))
    .first()
    .fill(text)

/** Opens a dialog on its screen, step by step. */
export async function openDialog(page: Page, { steps, isBusy }: Dialog): Promise<void> {
  for (const step of steps) {
    await settled(page)
    if (typeof step !== 'string') await step(page)
    else {
      const name = { name: say(step), exact: true }
      const place = (await top(page).count()) > 0 ? top(page) : page
      const control = place.getByRole('button', name).or(place.getByRole('menuitem', name))
      await control.or(place.getByRole('link', name)).first().click()
    }
  }
  await top(page).waitFor()
  if (!isBusy) await settled(page)
}

/** Every dialog of the console, with the records that some of them need. */
export async function dialogsOf(server: TestServer): Promise<Dialog[]> {
  const { corp_id } = server.sample
  const admin = await hireStaff(server, corp_id, 'admin')
  const call = async (endpoint: Endpoint, input: object, by: Pick<TestColleague, 'call'> = server) => {
    const { code, msg, data } = await by.call(endpoint, { corp_id, ...input })
    if (code !== 0) throw new Error(`${endpoint.id}: ${msg}`)
    return data
  }
  const mine = { owner_id: staffIdOf('counsellor') }
  const { user_id } = (await call(listUsers, mine)).list[0]
  const orderOf = async (filter: object) => (await call(searchOrders, filter)).list[0].order_id as string
  const [pending, paid] = [await orderOf({ status: 'pending' }), await orderOf({ status: 'success' })]
  const writtenOff = (await call(searchOrders, { status: 'pending' })).list[1].order_id
  await call(writeOffOrder, { order_id: writtenOff, price: 100, reason: 'Rounding' })
  const hook = { url: 'https://hooks.example.com/school', types: ['*'] }
  const { endpoint_id } = await call(createWebhookEndpoint, hook, admin)
  await call(pingWebhookEndpoint, { endpoint_id }, admin)
  // Nothing is sent: an address of the machine itself is refused.
  const sender = createSender({
    allowsPrivate: false,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  await deliverWebhooks(server, corp_id, sender)
  sender.close()
  const applied = (await call(listPayments, { state: 'applied' })).list[0].order_id
  const dialog = (component: string, path: string, ...steps: Step[]): Dialog => ({ component, path, steps })
  const person = `/people/${user_id}`
  const order = `/orders/${pending}`
  const paidOrder = `/orders/${paid}`
  const webhook = `/settings?tab=webhooks&webhook=${endpoint_id}`
  const staffMenu: Step = (page) => page.getByRole('banner').getByRole('button').last().click()
  const more = 'record.more'
  const invite: Step[] = [
    'settings.invite',
    fill('fields.name', 'Wren'),
    fill('fields.email', 'wren@lakeside.example'),
  ]
  return [
    dialog('app/command-dialog.tsx CommandDialog', '/today', (page) => page.keyboard.press('Control+k')),
    dialog('app/key-list.tsx KeyList', '/today', (page) => page.keyboard.press('Shift+?')),
    dialog('app/person-menu.tsx PersonMenu', '/today', staffMenu),
    dialog('app/my-sign-in.tsx MySignIn', '/today', staffMenu, 'mySignIn.title'),
    dialog('app/school-switch.tsx SchoolSwitch', '/today', (page) =>
      page.getByRole('navigation').getByRole('button').first().click(),
    ),
    dialog('parts/table-options.tsx TableOptions', '/people', 'table.columns'),
    dialog('parts/filter-bar.tsx MoreFilters', '/people', 'filters.more'),
    dialog('parts/record-drawer.tsx RecordDrawer', '/people', row),
    dialog('parts/record-drawer.tsx RecordDrawer', '/orders', row),
    dialog('parts/saved-views.tsx SaveViewDialog', '/people?pool=alive', 'views.save'),
    dialog(
      'parts/saved-views.tsx ViewMenu',
      '/people?pool=alive',
      'views.save',
      fill('views.name', 'Mine'),
      'common.save',
      (page) => page.getByRole('button', { name: say('views.actions', { name: 'Mine' }) }).click(),
    ),
    dialog('parts/dates/typed-date.tsx TypedDate', '/finance?tab=ageing', 'dates.pick'),
    dialog('parts/document-button.tsx DocumentButton', paidOrder, (page) =>
      page
        .getByRole('button', { name: say('documents.languageOf', { document: say('documents.invoice') }) })
        .click(),
    ),
    dialog(
      'parts/confirmed-button.tsx ConfirmedButton',
      '/settings?tab=sign-in',
      (page) =>
        page.getByRole('textbox', { name: say('domains.domain'), exact: true }).fill('lakeside.example'),
      'domains.add',
      'domains.remove',
    ),
    dialog('parts/shown-once.tsx ShownOnce', '/settings?tab=staff', ...invite, 'settings.invite'),
    dialog('screens/finance/allocate-dialog.tsx AllocateDialog', '/finance?tab=unallocated', 'orders.apply'),
    dialog(
      'screens/finance/refund-unallocated-dialog.tsx RefundUnallocatedDialog',
      '/finance?tab=unallocated',
      'orders.refund',
    ),
    dialog(
      'screens/finance/assign-payer-dialog.tsx AssignPayerDialog',
      '/finance?tab=unallocated',
      'payers.assign',
    ),
    dialog(
      'screens/finance/bank-account-dialog.tsx BankAccountDialog',
      '/finance?tab=matching',
      'bank.addAccount',
    ),
    dialog('screens/finance/bank-upload.tsx BankUpload', '/finance?tab=matching', 'bank.addStatement'),
    dialog(
      'screens/finance/bank-book-dialog.tsx BankBookDialog',
      '/finance?tab=matching',
      'bank.book_payment',
    ),
    dialog('screens/finance/bank-ignore-dialog.tsx BankIgnoreDialog', '/finance?tab=matching', 'bank.ignore'),
    dialog('screens/finance/closing-tab.tsx CloseDialog', '/finance?tab=closing', 'finance.closeMonth'),
    dialog('screens/finance/closing-tab.tsx ReverseDialog', '/finance?tab=closing', 'finance.reverseClosing'),
    dialog(
      'screens/finance/decide-request-dialog.tsx DecideRequestDialog',
      '/finance?tab=approvals',
      'approvals.approve',
    ),
    dialog(
      'screens/finance/decide-request-dialog.tsx DecideRequestDialog',
      '/finance?tab=approvals',
      'approvals.decline',
    ),
    dialog('screens/finance/exports-tab.tsx ExportDialog', '/finance?tab=exports', 'finance.newExport'),
    dialog('screens/finance/payer-dialog.tsx PayerDialog', '/finance?tab=payers', 'payers.add'),
    dialog('screens/finance/receipt-dialog.tsx ReceiptDialog', '/finance?tab=payers', 'payers.receive'),
    dialog(
      'screens/finance/erase-payer-dialog.tsx ErasePayerDialog',
      '/finance?tab=payers',
      row,
      'payers.erase',
    ),
    dialog('screens/offerings/courses-tab.tsx CourseDialog', '/offerings', 'offerings.addCourse'),
    dialog('screens/offerings/courses-tab.tsx CourseDialog', '/offerings', row),
    dialog('screens/offerings/batches-tab.tsx BatchDialog', '/offerings?tab=intakes', 'offerings.addBatch'),
    dialog('screens/offerings/coupons-tab.tsx CouponDialog', '/offerings?tab=coupons', 'offerings.addCoupon'),
    dialog(
      'screens/offerings/tag-groups-tab.tsx TagGroupDialog',
      '/offerings?tab=tags',
      'offerings.addTagGroup',
    ),
    dialog('screens/orders/new-order-dialog.tsx NewOrderDialog', person, 'orders.add'),
    dialog('screens/orders/order-actions.tsx PayDialog', order, 'orders.pay'),
    dialog('screens/orders/order-actions.tsx RefundDialog', paidOrder, 'orders.refund'),
    dialog('screens/orders/order-actions.tsx TransferDialog', paidOrder, 'orders.transfer'),
    dialog('screens/orders/order-actions.tsx WriteOffDialog', order, 'orders.writeOff'),
    dialog('screens/orders/order-actions.tsx CancelDialog', order, 'orders.cancel'),
    dialog('screens/orders/order-actions.tsx RepriceDialog', order, 'orders.reprice'),
    dialog('screens/orders/order-actions.tsx RemarkDialog', order, 'orders.addRemark'),
    dialog('screens/orders/order-actions.tsx MoveDialog', order, (page) =>
      page
        .getByRole('button', { name: /^Mark as/ })
        .first()
        .click(),
    ),
    dialog('screens/orders/order-actions.tsx VoidDialog', `/orders/${applied}`, 'orders.void'),
    dialog('screens/orders/order-actions.tsx UnapplyDialog', `/orders/${applied}`, 'orders.unapply'),
    dialog('screens/orders/payment-requests.tsx RequestDialog', order, 'paymentRequests.ask'),
    dialog('screens/orders/reverse-dialog.tsx ReverseDialog', `/orders/${writtenOff}`, 'orders.reverse'),
    dialog('screens/people/lead-dialog.tsx LeadDialog', '/people', 'people.add'),
    dialog(
      'screens/people/bulk-dialog.tsx BulkDialog',
      '/people?pool=alive',
      (page) => page.getByRole('checkbox').nth(1).check(),
      'people.bulk.pool',
    ),
    dialog('screens/people/person-card-actions.tsx MoreActions', '/people?pool=alive', onPhone, (page) =>
      page.locator('main li button[aria-label]').first().click(),
    ),
    dialog('screens/people/person-actions.tsx PersonActions', person, more),
    dialog('screens/people/erase-person-dialog.tsx ErasePersonDialog', person, more, 'record.erase'),
    dialog('screens/people/merge-with-dialog.tsx MergeWithDialog', person, more, 'leads.merge'),
    dialog('screens/people/merge-dialog.tsx MergeDialog', '/leads?tab=duplicates', 'leads.merge'),
    dialog('screens/people/person-orders.tsx TagDialog', person, 'people.addTag'),
    dialog('screens/reports/export-report.tsx ExportReport', '/reports', 'reports.export'),
    dialog(
      'screens/settings/accounts-tab.tsx NewAccountDialog',
      '/settings?tab=accounts',
      'settings.addAccount',
    ),
    dialog('screens/settings/account-dialog.tsx AccountDialog', '/settings?tab=accounts', row),
    dialog(
      'screens/settings/account-dialog.tsx RotateDialog',
      '/settings?tab=accounts',
      row,
      'settings.newSecret',
    ),
    dialog('screens/settings/activity-tab.tsx ActivityDialog', '/settings?tab=activity', row),
    dialog('screens/settings/privacy-tab.tsx LiftErasureDialog', '/settings?tab=privacy', 'privacy.lift'),
    dialog('screens/settings/staff-tab.tsx InviteDialog', '/settings?tab=staff', 'settings.invite'),
    dialog('screens/settings/staff-tab.tsx ColleagueDialog', '/settings?tab=staff', row),
    dialog('screens/settings/support-tab.tsx GrantDialog', '/settings?tab=support', 'support.grant'),
    dialog('screens/settings/webhook-dialog.tsx WebhookDialog', '/settings?tab=webhooks', 'webhooks.add'),
    dialog('screens/settings/webhook-panel.tsx WebhookActionDialog', webhook, 'webhooks.remove'),
    dialog('screens/settings/webhook-deliveries.tsx DeliveryDialog', webhook, row),
    dialog('screens/today/log-dialog.tsx LogDialog', '/today', 'today.log'),
    // The last two change the session of the page.
    {
      ...dialog(
        'app/sign-in-again-dialog.tsx ConfirmationDialog',
        '/settings?tab=staff',
        row,
        async (page) => {
          server.setNow(new Date(Date.now() + confirmationMs + 60_000))
          await top(page)
            .getByRole('button', { name: say('settings.newLink') })
            .click()
          await page.getByRole('dialog', { name: say('confirmation.title') }).waitFor()
        },
      ),
      isBusy: true,
    },
    {
      ...dialog('app/sign-in-again-dialog.tsx SignInAgainDialog', '/people', async (page) => {
        server.setNow(undefined)
        await page.context().clearCookies()
        await page.getByRole('button', { name: say('common.next'), exact: true }).click()
      }),
      isBusy: true,
    },
  ]
}
