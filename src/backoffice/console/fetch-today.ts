import { RequestRow, requestRow } from '../../backoffice/approvals/request-row.ts'
import { contact } from '../../contract/contacts.ts'
import { endOfDay, localTime } from '../../contract/days.ts'
import { endpoint } from '../../contract/endpoint.ts'
import {
  described,
  Money,
  NullableInteger,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { type Static, type TSchema, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { Problem } from '../../events/webhooks/endpoint-row.ts'
import { findEndpointHealth } from '../../events/webhooks/endpoint-store.ts'
import { findRequestPage } from '../../orders/limits/approval-request-store.ts'
import { findWaitingLimitRequests } from '../../orders/limits/limit-request-store.ts'
import { LimitRequestRow, limitRequestRow } from '../../orders/limits/limit-row.ts'
import { isAccountId } from '../../orders/payers/account-store.ts'
import { findUnallocated } from '../../orders/payments/unallocated-store.ts'
import '../../access/staff/console-context.ts'
import type { Role } from '../../access/staff/roles.ts'
import { invalid } from '../../contract/errors.ts'
import { findUserRows } from '../../people/users/profile-store.ts'
import { initialPool } from '../../people/users/reach.ts'
import { exampleUser, named, UserRow } from '../../people/users/user-row.ts'
import { MonthFigure, readMonthFigures } from './month-figures.ts'
import {
  type Asked,
  type Callback,
  findCallbacks,
  findFirstSteps,
  findInPool,
  findInstalments,
  findOpenStatements,
  findUntouched,
  findWaitingImports,
  firstSteps,
  type Waiting,
} from './today-store.ts'

const Text = Type.String()

function waitingOf<Row extends TSchema>(row: Row, description: string) {
  return Type.Object({ total: Type.Integer(), list: Type.Array(row) }, { description })
}

const CallbackRow = namedObject('Callback', {
  follow_up_id: Text,
  user_id: Text,
  name: Text,
  mobile: contact('mobile', Text),
  content: described(Text, 'Content of the last follow-up'),
  owner_id: Text,
  next_time: Timestamp,
})

const InstalmentRow = namedObject('WaitingInstalment', {
  order_id: Text,
  sub_order_id: Text,
  user_id: Text,
  name: Text,
  seq: Type.Integer(),
  currency: Text,
  unpaid_price: Money,
  payment_deadline: Timestamp,
  is_locked: Type.Boolean({ description: 'Whether the order is locked, so that it takes no money' }),
})

const UnappliedRow = namedObject('WaitingPayment', {
  payment_id: Text,
  order_id: described(Text, '"" for the account of a payer'),
  user_id: Text,
  order_currency: Text,
  unapplied_price: Money,
  unapplied_reason: Text,
  completed_time: Timestamp,
})

const ImportRow = namedObject('WaitingImport', {
  import_id: Text,
  file_name: Text,
  state: Text,
  refusal: Text,
  reject: Type.Integer({ description: 'Number of invalid rows' }),
  mtime: Timestamp,
})

const WebhookRow = namedObject('WaitingWebhook', {
  endpoint_id: Text,
  url: Text,
  disabled_reason: described(
    NullableString,
    'failing: five days of failures only; gone: the receiver answered 410; null: not disabled, but every attempt fails',
  ),
  since: described(Timestamp, 'When it was disabled, or failed first'),
  error: described(Problem, 'The problem of the last failure'),
  status: described(NullableInteger, 'The HTTP status of the last failure'),
})

const StatementRow = namedObject('WaitingStatement', {
  statement_id: Text,
  account_id: Text,
  name: Text,
  currency: Text,
  open_lines: Type.Integer(),
  open_price: Money,
})

const FirstStepRow = namedObject('FirstStep', {
  step: oneOf(
    firstSteps,
    'school: the name on documents; staff: a second member; courses, people and orders: at least one of them',
  ),
  is_done: Type.Boolean({ description: 'Whether the step is done' }),
})

const Today = namedObject('Today', {
  figures: Type.Array(MonthFigure, {
    description: 'The month to date, and the last month to the same day; [] without `figures`',
  }),
  first_steps: Type.Array(FirstStepRow, {
    description: 'The steps by which a school begins, for administrators; [] once all are done',
  }),
  unclaimed: waitingOf(UserRow, 'Users in the public pool, newest first'),
  untouched: waitingOf(UserRow, 'Users of the caller without a follow-up'),
  callbacks: waitingOf(CallbackRow, 'Calls agreed for today or earlier'),
  overdue: waitingOf(InstalmentRow, 'Instalments whose deadline has passed'),
  due_soon: waitingOf(InstalmentRow, 'Instalments that are due within a week'),
  unapplied: waitingOf(UnappliedRow, 'Payments with an unallocated amount'),
  approvals: waitingOf(RequestRow, 'Requests of others that wait for approval'),
  limits: waitingOf(LimitRequestRow, 'Requests of another administrator to raise a refund limit'),
  imports: waitingOf(ImportRow, 'Lead files that wait for a decision'),
  statements: waitingOf(StatementRow, 'Bank statements with open lines, newest first'),
  webhooks: waitingOf(
    WebhookRow,
    'Webhook endpoints that were disabled after failures, or that have failed for ten minutes',
  ),
})
type Section = Exclude<keyof Static<typeof Today>, 'figures' | 'first_steps'>

const firstRows = 5
/** An endpoint that fails for less may just be restarting. */
const failingMs = 10 * 60 * 1000
const soonMs = 7 * 24 * 60 * 60 * 1000
const nothing = { total: 0, list: [] }

/** Work by role. A counsellor sees own work; other roles see the work of the organization. */
const sections: Record<Role, Section[]> = {
  counsellor: ['unclaimed', 'untouched', 'callbacks', 'overdue', 'due_soon', 'imports'],
  finance: ['overdue', 'due_soon', 'unapplied', 'approvals', 'statements', 'imports'],
  admin: [
    ...(['unclaimed', 'untouched', 'callbacks'] as const),
    ...(['overdue', 'due_soon', 'unapplied', 'approvals', 'statements'] as const),
    ...(['limits', 'imports', 'webhooks'] as const),
  ],
  viewer: ['unclaimed', 'callbacks', 'overdue', 'due_soon'],
}

const exampleInstalment = {
  order_id: '01a00491d4087169b3c88f8f9813ae4a',
  sub_order_id: '01a00491d408759aa7e124d4a9581a85',
  user_id: exampleUser.user_id,
  name: exampleUser.name,
  seq: 2,
  currency: 'CNY',
  unpaid_price: 1_280_000,
  payment_deadline: '2026-11-14 23:59:59',
  is_locked: false,
}

/** The open work of the caller. */
export const fetchToday = endpoint({
  id: 'fetchToday',
  method: 'GET',
  path: '/api/v5/console/today',
  group: 'Console',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch the open work of the caller',
  description:
    'Each list has its total and the first rows. A counsellor sees own work and the public pool; other roles see the ' +
    'whole organization. Lists that do not belong to the role are empty. Receipts are shown to Finance and administrators. ' +
    'A new school also gets its first steps.',
  input: Type.Object({
    corp_id: OrganizationId,
    figures: Type.Optional(Type.Boolean({ description: 'Also the figures of the month' })),
  }),
  data: Today,
  example: {
    input: { corp_id: exampleUser.corp_id, figures: true },
    data: {
      figures: [
        {
          ...{ figure: 'leads', currency: null, value: 42, before: 36 },
          ...{ from: '2026-11-01', until: '2026-11-15' },
        },
      ],
      first_steps: [],
      unclaimed: { total: 1, list: [exampleUser] },
      untouched: nothing,
      callbacks: {
        total: 1,
        list: [
          {
            follow_up_id: '0198c0de5a3b7c41a2f0d8e6b4937701',
            user_id: exampleUser.user_id,
            name: exampleUser.name,
            mobile: exampleUser.mobile,
            content: 'Called; will visit on the open day.',
            owner_id: 'owner-garcia',
            next_time: '2026-11-15 10:00:00',
          },
        ],
      },
      overdue: { total: 1, list: [exampleInstalment] },
      due_soon: nothing,
      unapplied: nothing,
      approvals: nothing,
      limits: nothing,
      imports: nothing,
      statements: nothing,
      webhooks: nothing,
    },
  },

  async handle({ db, organization, account, role, now }, { figures = false }) {
    const { corp_id, time_zone: timeZone } = organization
    const mine = new Set(sections[role!])
    const when = <Row>(name: Section, find: () => Promise<Waiting<Row>>) =>
      mine.has(name) ? find() : Promise.resolve<Waiting<Row>>(nothing)
    const owner_id = role === 'counsellor' ? account.app_id : undefined
    const asked: Asked = { corp_id, owner_id, timeZone, limit: firstRows }
    const own = { ...asked, owner_id: account.app_id }
    const endOfToday = endOfDay(dayIn(now, timeZone), timeZone)
    const people = <Named extends { user_id: string }>(found: Waiting<Named>) =>
      withUsers(db, organization, found)
    const seesMoney = role === 'finance' || role === 'admin'
    return {
      figures: figures ? await readMonthFigures(db, { corp_id, timeZone, now, owner_id, seesMoney }) : [],
      first_steps: role === 'admin' ? await missingSteps(db, corp_id) : [],
      unclaimed: await people(
        await when('unclaimed', () => findInPool(db, asked, initialPool(organization))),
      ),
      untouched: await people(
        await when('untouched', () =>
          findUntouched(
            db,
            own,
            organization.pools.filter((pool) => pool !== 'dead'),
          ),
        ),
      ),
      callbacks: await when<Callback>('callbacks', () => findCallbacks(db, asked, endOfToday)),
      overdue: await when('overdue', () => findInstalments(db, asked, { until: now })),
      due_soon: await when('due_soon', () =>
        findInstalments(db, asked, { from: now, until: new Date(now.getTime() + soonMs) }),
      ),
      unapplied: await when('unapplied', () =>
        findWaitingMoney(db, { corp_id, timeZone, limit: firstRows, offset: 0 }),
      ),
      approvals: await when('approvals', () => findApprovals(db, asked, account.app_id)),
      limits: await when('limits', () => findLimits(db, asked, account.app_id)),
      imports: await when('imports', () => findWaitingImports(db, role === 'finance' ? own : asked)),
      statements: await when('statements', () => findOpenStatements(db, asked)),
      webhooks: await when('webhooks', () => findBrokenWebhooks(db, asked, now)),
    }
  },
})

/** All first steps while one of them is missing. */
async function missingSteps(db: Queryable, corp_id: string): Promise<Static<typeof FirstStepRow>[]> {
  const done = await findFirstSteps(db, corp_id)
  if (firstSteps.every((step) => done[step])) return []
  return firstSteps.map((step) => ({ step, is_done: done[step] }))
}

/** Payments with money that no order has, also if an order has a part of them. */
async function findWaitingMoney(db: Queryable, filter: Parameters<typeof findUnallocated>[1]) {
  type Found = Omit<Static<typeof UnappliedRow>, 'unapplied_price'> & { unallocated_price: number }
  const { totals, list } = await findUnallocated<Found>(db, filter)
  return {
    total: totals.reduce((all, { payments }) => all + payments, 0),
    list: list.map(({ payment_id, order_id, user_id, order_currency, unapplied_reason, ...row }) => ({
      ...{ payment_id, user_id, order_currency, unapplied_reason, completed_time: row.completed_time },
      order_id: isAccountId(order_id) ? '' : order_id,
      unapplied_price: row.unallocated_price,
    })),
  }
}

async function findApprovals(
  db: Queryable,
  { corp_id, timeZone, limit }: Asked,
  exceptBy: string,
): Promise<Waiting<Static<typeof RequestRow>>> {
  const wanted = { state: 'waiting', exceptBy } as const
  const { total, list } = await findRequestPage(db, corp_id, wanted, { limit, offset: 0 })
  return { total, list: list.map((request) => requestRow(request, timeZone)) }
}

async function findLimits(
  db: Queryable,
  { corp_id, timeZone, limit }: Asked,
  exceptBy: string,
): Promise<Waiting<Static<typeof LimitRequestRow>>> {
  const { total, list } = await findWaitingLimitRequests(db, corp_id, { exceptBy, limit })
  return { total, list: list.map((request) => limitRequestRow(request, timeZone)) }
}

async function findBrokenWebhooks(
  db: Queryable,
  { corp_id, timeZone, limit }: Asked,
  now: Date,
): Promise<Waiting<Static<typeof WebhookRow>>> {
  const all = await findEndpointHealth(db, corp_id, now)
  const broken = all.flatMap(({ endpoint_id, url, disabled_reason, error, status, ...health }) => {
    const isDisabled = disabled_reason === 'failing' || disabled_reason === 'gone'
    const since = isDisabled ? health.disabled_at : health.is_enabled ? health.failing_since : null
    if (!since || (!isDisabled && now.getTime() - since.getTime() < failingMs)) return []
    return [
      { endpoint_id, url, disabled_reason, since: localTime(since.toISOString(), timeZone), error, status },
    ]
  })
  return { total: broken.length, list: broken.slice(0, limit) }
}

async function withUsers(
  db: Queryable,
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  { total, list }: Waiting<{ user_id: string }>,
): Promise<Waiting<UserRow>> {
  const ids = list.map(({ user_id }) => user_id)
  const rows = ids.length > 0 ? await findUserRows(db, corp_id, ids, time_zone) : new Map<string, UserRow>()
  return { total, list: ids.flatMap((id) => rows.get(id) ?? []).map(named) }
}

function dayIn(now: Date, timeZone: string): string {
  return now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

const never = 'never'

/** A last day, or `never`. */
export function lastDayOr(description: string) {
  return Type.Optional(
    Type.String({ pattern: `^(${never}|\\d{4}-\\d{2}-\\d{2})$`, maxLength: 10, description }),
  )
}

/** The end of the last day in the organization's zone; null: never. Undefined if not given. */
export function endOfLast(
  param: string,
  day: string | undefined,
  { timeZone, now }: { timeZone: string; now: Date },
): Date | null | undefined {
  if (day === undefined) return undefined
  if (day === never) return null
  if (!isDay(day)) throw invalid(param, 'must be a calendar day, YYYY-MM-DD, or never')
  const end = endOfDay(day, timeZone)
  if (end.getTime() <= now.getTime()) throw invalid(param, 'must not be in the past')
  return end
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
