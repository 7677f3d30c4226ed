import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  Name,
  namedObject,
  OrganizationId,
  oneOf,
  optionalLine,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import '../../access/staff/console-context.ts'
import { countViews, deleteViewRow, listViewsOf, lockView, storeView, type View } from './view-store.ts'

/** Screens with views. */
const screens = ['people', 'leads', 'orders', 'finance', 'numbers'] as const

/** Largest number of own views per person, and of shared views per organization. */
const mostViews = 200

const Screen = oneOf(screens, 'The screen of the view')
const Filters = optionalLine(longest.url, 'The query string of the address')
const Columns = Type.Optional(
  Type.Array(Id, { maxItems: longest.listItems, description: 'The columns that are shown, in order' }),
)

const SavedView = namedObject('SavedView', {
  view_id: Id,
  screen: Screen,
  name: Name,
  filters: Type.String({ description: 'The query string of the address' }),
  columns: Type.Array(Type.String(), {
    description: 'The columns that are shown; none: the default of the screen',
  }),
  is_shared: Type.Boolean({ description: 'Whether everybody in the organization sees it' }),
  is_own: Type.Boolean({ description: 'Whether it is the caller’s' }),
})

const shared = { group: 'Console', permission: 'read' } as const
const corp_id = 'lakeside'
const example = {
  view_id: '0198c0de88887c41a2f0d8e6b4937215',
  screen: 'people',
  name: 'No order yet',
  filters: 'order_status=none',
  columns: ['name', 'mobile', 'pool'],
  is_shared: false,
  is_own: true,
} as const

export const listViews = endpoint({
  ...shared,
  id: 'listViews',
  method: 'GET',
  path: '/api/v5/console/view/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List own and shared views of a screen',
  input: Type.Object({ corp_id: OrganizationId, screen: Screen }),
  data: Type.Object({ list: Type.Array(SavedView) }),
  example: {
    input: { corp_id, screen: 'people' },
    data: { list: [{ ...example, columns: [...example.columns] }] },
  },

  async handle({ db, account }, { corp_id, screen }) {
    const views = await listViewsOf(db, corp_id, { staff_id: account.app_id, screen })
    return { list: views.map((view) => shown(view, account.app_id)) }
  },
})

export const saveView = endpoint({
  ...shared,
  id: 'saveView',
  method: 'POST',
  path: '/api/v5/console/view/save',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Save a view of a screen',
  description:
    'With `view_id`, its owner or an administrator changes the view; omitted members stay the same. Sharing requires the ' +
    'permission write.',
  input: Type.Object({
    corp_id: OrganizationId,
    view_id: Type.Optional(described(Id, 'The view to change')),
    screen: Screen,
    name: Name,
    filters: Filters,
    columns: Columns,
    is_shared: Type.Optional(
      Type.Boolean({ description: 'Whether everybody sees it; default of a new view: false' }),
    ),
  }),
  data: SavedView,
  example: {
    input: {
      corp_id,
      screen: 'people',
      name: example.name,
      filters: example.filters,
      columns: [...example.columns],
    },
    data: { ...example, columns: [...example.columns] },
  },
  errors: ['viewNotFound', 'stateForbids'],

  async handle(context, input) {
    const { db, account, now, newId } = context
    return db.transaction(async (tx) => {
      const before = input.view_id === undefined ? undefined : await ownView(tx, context, input.view_id)
      const view = {
        view_id: before?.view_id ?? newId(),
        staff_id: before?.staff_id ?? account.app_id,
        screen: input.screen,
        name: input.name,
        is_shared: input.is_shared ?? before?.is_shared ?? false,
        filters: input.filters ?? before?.filters ?? '',
        columns: input.columns ?? before?.columns ?? [],
      }
      const isNewlyShared = view.is_shared && !before?.is_shared
      if (isNewlyShared) requireWrite(context)
      await requireRoom(tx, context, { isNew: !before, isNewlyShared })
      await storeView(tx, input.corp_id, view, now)
      return shown(view, account.app_id)
    })
  },
})

export const deleteView = endpoint({
  ...shared,
  id: 'deleteView',
  method: 'POST',
  path: '/api/v5/console/view/delete',
  guard: {
    effect: 'irreversible',
    people: 'none',
    unconfirmed: "A view is a saved search of one's own and holds no data.",
  },
  summary: 'Delete a view',
  input: Type.Object({ corp_id: OrganizationId, view_id: Id }),
  data: Type.Object({ view_id: Id }),
  example: { input: { corp_id, view_id: example.view_id }, data: { view_id: example.view_id } },
  errors: ['viewNotFound'],

  async handle(context, { corp_id, view_id }) {
    await context.db.transaction(async (tx) => {
      await ownView(tx, context, view_id)
      await deleteViewRow(tx, corp_id, view_id)
    })
    return { view_id }
  },
})

/** A view that the caller may change. A view that the caller cannot see looks like a missing one. */
async function ownView(
  tx: Queryable,
  { account, role, organization }: OrganizationContext,
  view_id: string,
): Promise<View> {
  const view = await lockView(tx, organization.corp_id, view_id)
  const isOwn = view?.staff_id === account.app_id
  if (!view || (!isOwn && !view.is_shared)) throw new ApiError('viewNotFound')
  if (!isOwn && role !== 'admin')
    throw new ApiError('permissionMissing', {
      msg: 'The view belongs to somebody else. Save it under another name.',
    })
  return view
}

function requireWrite({ organization, account }: OrganizationContext): void {
  const { permissions = account.permissions } = organization as { permissions?: string[] }
  if (!permissions.includes('write'))
    throw new ApiError('permissionMissing', { msg: 'Sharing a view requires the permission write.' })
}

async function requireRoom(
  tx: Queryable,
  { organization, account }: OrganizationContext,
  { isNew, isNewlyShared }: { isNew: boolean; isNewlyShared: boolean },
): Promise<void> {
  const { own, shared } = await countViews(tx, organization.corp_id, account.app_id)
  if ((isNew && own >= mostViews) || (isNewlyShared && shared >= mostViews))
    throw new ApiError('stateForbids', {
      msg: `There are already ${mostViews} views. Delete one first.`,
      allowed: ['console/view/delete'],
    })
}

function shown({ view_id, screen, name, filters, columns, is_shared, staff_id }: View, viewer: string) {
  return {
    ...{ view_id, screen: screen as (typeof screens)[number], name, filters, columns, is_shared },
    is_own: staff_id === viewer,
  }
}
