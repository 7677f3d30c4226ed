import { staffIdOf } from '../../sample/sample-staff.ts'
import { roleNames } from '../../src/access/staff/roles.ts'
import { createLeadFile } from '../../src/changes/lead-import/upload-lead-file.ts'
import type { Permission } from '../../src/contract/caller.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { searchOrders } from '../../src/orders/listing/search-orders.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import type { TestServer } from './server.ts'

interface Screen {
  path: string
  /** The permission of the screen. A reader without it sees a notice only. */
  needs?: Permission
  /** The actions of the screen that change something, and their permissions. */
  offers?: Partial<Record<Permission, string[]>>
}

/** Every screen and tab of the console in the sample school, with an open record next to each list that has records. */
export async function screensOf(server: TestServer): Promise<Screen[]> {
  const { corp_id } = server.sample
  const first = async (endpoint: Endpoint, filter: object) =>
    (await server.call(endpoint, { corp_id, ...filter })).data.list[0]
  const { user_id } = await first(listUsers, { owner_id: staffIdOf('counsellor') })
  const { order_id } = await first(searchOrders, { status: 'pending' })
  const begun = { corp_id, file_name: 'begun.csv', bytes: 100 }
  const { import_id } = (await server.call(createLeadFile, begun)).data
  return [
    { path: '/today' },
    { path: '/people', offers: { write: ['people.add', 'table.selectAll'] } },
    {
      path: `/people/${user_id}`,
      offers: { write: ['people.addTag', 'people.addFollowUp', 'people.reveal'] },
    },
    { path: '/leads', offers: { write: ['leads.import', 'leads.add'] } },
    { path: '/leads?tab=pool', offers: { write: ['people.claim'] } },
    { path: '/leads?tab=duplicates', offers: { write: ['leads.merge'] } },
    { path: '/leads/import', offers: { write: ['leadImport.choose'] } },
    {
      path: `/leads/import?import=${import_id}`,
      offers: { write: ['leadImport.choose', 'leadImport.discard'] },
    },
    { path: '/orders', offers: { write: ['orders.add'] } },
    {
      path: `/orders/${order_id}`,
      offers: {
        write: ['orders.reprice', 'orders.cancel', 'orders.addRemark'],
        // Counsellors have it if the organization allows it.
        finance: ['orders.pay', 'orders.refund', 'orders.transfer', 'orders.writeOff', 'orders.void'],
      },
    },
    { path: '/finance', needs: 'finance' },
    { path: '/finance?tab=unallocated', needs: 'finance' },
    {
      path: '/finance?tab=payers',
      needs: 'finance',
      offers: { finance: ['payers.add', 'payers.receive'] },
    },
    { path: '/finance?tab=documents', needs: 'finance' },
    { path: '/finance?tab=ageing&by=payer', needs: 'finance' },
    { path: '/finance?tab=cash-up', needs: 'finance' },
    { path: '/cash-up', needs: 'write' },
    { path: '/finance?tab=approvals', needs: 'finance' },
    { path: '/finance?tab=ageing', needs: 'finance' },
    { path: '/finance?tab=closing', needs: 'finance', offers: { finance: ['finance.closeMonth'] } },
    { path: '/finance?tab=matching', needs: 'finance', offers: { finance: ['bank.addAccount'] } },
    { path: '/finance?tab=exports', needs: 'finance', offers: { finance: ['finance.newExport'] } },
    { path: '/reports' },
    // Redirects to /reports.
    { path: '/numbers' },
    { path: '/reports?tab=receipts' },
    { path: '/reports?tab=ageing' },
    { path: '/offerings', offers: { finance: ['offerings.addCourse'] } },
    { path: '/offerings?tab=intakes', offers: { write: ['offerings.addBatch'] } },
    { path: '/offerings?tab=coupons', offers: { finance: ['offerings.addCoupon'] } },
    { path: '/offerings?tab=tags', offers: { write: ['offerings.addTagGroup', 'offerings.deactivate'] } },
    { path: '/settings', needs: 'admin', offers: { admin: ['common.save'] } },
    { path: '/settings?tab=staff', needs: 'admin', offers: { admin: ['settings.invite'] } },
    { path: '/settings?tab=sign-in', needs: 'admin', offers: { admin: ['provider.check'] } },
    { path: '/settings?tab=accounts', needs: 'admin', offers: { admin: ['settings.addAccount'] } },
    { path: '/settings?tab=webhooks', needs: 'admin', offers: { admin: ['webhooks.add'] } },
    { path: '/settings?tab=privacy', needs: 'admin', offers: { admin: ['privacy.lift'] } },
    { path: '/settings?tab=support', needs: 'admin', offers: { admin: ['support.grant'] } },
    { path: '/settings?tab=activity', needs: 'admin' },
    { path: '/help' },
    ...roleNames.map((role) => ({ path: `/help?tab=${role}` })),
  ]
}
