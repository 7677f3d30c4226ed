import type { Queryable } from '../../database/database.ts'
import { insertRows, type NewRow, sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'

export const payerColumns = {
  payer_id: 'text',
  kind: 'text',
  name: 'text',
  user_id: 'text',
  contact_name: 'text',
  area_code: 'text',
  mobile: 'text',
  email: 'text',
  address: 'text',
  tax_number: 'text',
  reference: 'text',
  remarks: 'text',
  executor_id: 'text',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type Payer = NewRow<typeof payerColumns>

/** The members that an erasure empties. The id stays, because payments refer to it. */
export const blankPayer = {
  name: '',
  user_id: null,
  contact_name: null,
  area_code: null,
  mobile: null,
  email: null,
  address: null,
  tax_number: null,
  reference: null,
  remarks: null,
} as const

const columnNames = raw(Object.keys(payerColumns).join(', '))

export async function insertPayer(tx: Queryable, corp_id: string, payer: Payer): Promise<void> {
  await insertRows(tx, 'payers', payerColumns, corp_id, [payer])
  tx.note({ record_type: 'payers', record_id: payer.payer_id!, person_id: payer.payer_id!, after: payer })
}

/** Finds and locks a payer. */
export async function lockPayer(
  tx: Queryable,
  corp_id: string,
  payer_id: string,
): Promise<Payer | undefined> {
  const [payer] = await tx.query<Payer>(sql`
    select ${columnNames} from payers where corp_id = ${corp_id} and payer_id = ${payer_id} for no key update`)
  return payer
}

export async function updatePayerRow(
  tx: Queryable,
  corp_id: string,
  before: Payer,
  after: Payer,
): Promise<void> {
  const members = Object.keys(payerColumns).filter((name) => name !== 'payer_id')
  await tx.query(sql`
    update payers t set ${raw(members.map((name) => `${name} = new.${name}`).join(', '))}
      from ${sentRows('new', payerColumns, [after])}
     where t.corp_id = ${corp_id} and t.payer_id = ${after.payer_id} and t.payer_id = new.payer_id`)
  tx.note({ record_type: 'payers', record_id: after.payer_id!, person_id: after.payer_id!, before, after })
}

export async function findPayerIds(on: Queryable, corp_id: string, payerIds: string[]): Promise<Set<string>> {
  const rows = await on.query<{ payer_id: string }>(sql`
    select payer_id from payers where corp_id = ${corp_id} and payer_id = any(${payerIds}::text[])`)
  return new Set(rows.map(({ payer_id }) => payer_id))
}

/** Locks a user so that an erasure waits. False if there is no such user. */
export async function holdUser(tx: Queryable, corp_id: string, user_id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select user_id from users where corp_id = ${corp_id} and user_id = ${user_id} for key share`)
  return rows.length === 1
}

export async function isUser(on: Queryable, corp_id: string, user_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select user_id from users where corp_id = ${corp_id} and user_id = ${user_id}`)
  return rows.length === 1
}

/** The members of a payer `t` as responses have them. */
function shownColumns(timeZone: string): Statement {
  const texts = [
    'user_id',
    'contact_name',
    'area_code',
    'mobile',
    'email',
    'address',
    'tax_number',
    'reference',
  ]
    .map((name) => `coalesce(t.${name}, '') as ${name}`)
    .join(', ')
  return sql`
    t.payer_id, t.kind, t.name, ${raw(texts)}, coalesce(t.remarks, '') as remarks, t.version,
    ${timestamp('t.ctime', timeZone)} as ctime, ${timestamp('t.mtime', timeZone)} as mtime`
}

export async function findPayer<Row extends object>(
  on: Queryable,
  corp_id: string,
  payer_id: string,
  timeZone: string,
): Promise<Row | undefined> {
  const [payer] = await on.query<Row>(sql`
    select ${shownColumns(timeZone)} from payers t where t.corp_id = ${corp_id} and t.payer_id = ${payer_id}`)
  return payer
}

export interface PayerFilter {
  corp_id: string
  search?: string
  kind?: string
  user_id?: string
  limit: number
  offset: number
}

/** Payers by name. Contacts are not searched: staff see them masked. */
export async function findPayerPage<Row extends object>(
  on: Queryable,
  { corp_id, search, kind, user_id, limit, offset }: PayerFilter,
  timeZone: string,
): Promise<{ total: number; list: Row[] }> {
  const only = (column: string, value: string | undefined) =>
    value === undefined ? raw('') : sql`and ${raw(column)} = ${value}`
  const text = raw(`concat_ws(' ', t.name, t.contact_name, t.reference, t.tax_number)`)
  const filtered = sql`
    from payers t
   where t.corp_id = ${corp_id} ${only('t.kind', kind)} ${only('t.user_id', user_id)}
         ${search === undefined ? raw('') : sql`and strpos(lower(${text}), lower(${search}::text)) > 0`}`
  const [[counted], list] = await on.pipeline<[{ total: number }, Row]>([
    sql`select count(*)::integer as total ${filtered}`,
    sql`select ${shownColumns(timeZone)} ${filtered} order by t.name, t.payer_id limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

/** The orders that count as debts of a payer: the last payment for them that names a payer names this one. */
export async function findOrdersPaidBy(on: Queryable, corp_id: string, payer_id: string): Promise<string[]> {
  const rows = await on.query<{ order_id: string }>(sql`
    select distinct a.order_id from payments f
      join payment_allocations a on a.corp_id = ${corp_id} and a.payment_id = f.payment_id
     where f.corp_id = ${corp_id} and f.payer_id = ${payer_id}
       and f.payer_id = (select p.payer_id from payment_allocations b
                           join payments p on p.corp_id = ${corp_id} and p.payment_id = b.payment_id
                          where b.corp_id = ${corp_id} and b.order_id = a.order_id and p.payer_id is not null
                          order by b.at desc, b.payment_id limit 1)
     order by a.order_id`)
  return rows.map(({ order_id }) => order_id)
}

interface PayerOfPayment {
  payer_id: string | null
  is_erased: boolean
}

/** Sets the payer of a payment, unless that is erased. Returns the payer before; undefined without such a payment. */
export async function setPayerOfPayment(
  tx: Queryable,
  { corp_id, payment_id, payer_id }: { corp_id: string; payment_id: string; payer_id: string | null },
): Promise<PayerOfPayment | undefined> {
  const [before] = await tx.query<PayerOfPayment>(sql`
    select p.payer_id, exists (select from erased_users e
                                where e.corp_id = ${corp_id} and e.user_id = p.payer_id) as is_erased
      from payments p
     where p.corp_id = ${corp_id} and p.payment_id = ${payment_id} for no key update`)
  if (!before || before.is_erased || before.payer_id === payer_id) return before
  await tx.query(sql`
    update payments set payer_id = ${payer_id} where corp_id = ${corp_id} and payment_id = ${payment_id}`)
  tx.note({
    record_type: 'payments',
    record_id: payment_id,
    before: { payer_id: before.payer_id },
    after: { payer_id },
  })
  return before
}
