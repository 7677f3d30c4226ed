import { createHash } from 'node:crypto'
import pg from 'pg'
import { createOrganization } from '../src/access/organizations/manage-organizations.ts'
import type { Database } from '../src/database/database.ts'
import { financialCourseAttributes, financialUserAttributes } from '../src/orders/listing/financial-row.ts'
import { userAttributes } from '../src/orders/listing/order-row.ts'
import type { PostgresAddress } from '../src/postgres/embedded-postgres.ts'
import { tell } from './report.ts'

/** An organization of generated records. Their ids are derived from their numbers, so they need no lookup. */
export interface GeneratedSchool {
  corp_id: string
  users: number
  orders: number
  userId(n: number): string
  orderId(n: number): string
  tagGroupId(n: number): string
}

export const schoolTimeZone = 'Asia/Shanghai'
/** Orders are spread over the two years from here. */
export const firstDay = '2024-11-01'
export const days = 730

/** Generates set by set inside PostgreSQL; a million orders take minutes, not hours. */
export async function generateSchool(
  postgres: PostgresAddress,
  owner: Database,
  size: { corp_id: string; users: number; orders: number },
): Promise<GeneratedSchool> {
  const { corp_id, users, orders } = size
  await createOrganization(owner, { corp_id, name: corp_id, time_zone: schoolTimeZone }, new Date())
  // As the superuser, so that neither row-level security nor foreign keys are checked per row: the ids are valid.
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  // PostgreSQL may stop during this.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query('create temp table copies (k integer primary key, user_copy jsonb, course_copy jsonb)')
    await client.query(
      'insert into copies select * from jsonb_to_recordset($1) as c(k int, user_copy jsonb, course_copy jsonb)',
      [JSON.stringify(sampleCopies())],
    )
    for (const [what, statement] of Object.entries(generators)) {
      tell(`${corp_id}: ${what}`)
      const text = statement.replaceAll(':corp', `'${corp_id}'`).replaceAll(':users', String(users))
      await client.query(text.replaceAll(':orders', String(orders)))
    }
    await client.query('drop table copies')
  } finally {
    await client.end()
  }
  return schoolOf(size)
}

/** The ids and values of a school, derived from the numbers that generated it. */
export function schoolOf(size: { corp_id: string; users: number; orders: number }): GeneratedSchool {
  const { corp_id } = size
  return {
    ...size,
    userId: (n) => md5(`${corp_id}u${n}`),
    orderId: (n) => md5(`${corp_id}o${n}`),
    tagGroupId: (n) => md5(`${corp_id}g${n}`),
  }
}

/** Planners without statistics guess, and pages without a visibility map are read twice. */
export async function settle(postgres: PostgresAddress): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  tell('vacuum and statistics')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

/** The status that order n has, by its number. */
const statuses =
  'success created success pending success canceled success created pending success ' +
  'expired success locked success unconfirmed success tbd success pending created'
export const statusOf = (n: number): string => statuses.split(' ')[(n * 7) % 20]!

const statusSql = `(string_to_array('${statuses}', ' '))[1 + n::bigint * 7 % 20]`
const partsOf = (orderId: string) => `1 + (hashtext(${orderId}) & 1023) % 3`
const familyNames = '王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗'
/** Every fiftieth user has the name and the company of the one before. */
const person = '(n - (n % 50 = 0)::int)'
const familyName = `(string_to_array('${familyNames}', null))[1 + ${person} % 20]`
/** The id of user n. */
export const givenName = `chr(19968 + ${person} % 1999) || chr(19968 + ${person} % 1997)`
const cities = `array['上海市', '北京市', '广州市', '深圳市', '成都市', 'Singapore', '杭州市']`

/**
 * :corp, :users and :orders are replaced. Later statements use rows of earlier ones. No deadline has passed: otherwise the
 * service would expire orders during the measurement.
 */
const generators = {
  'tag groups': `
    insert into tag_groups (corp_id, entity_id, name, variable_name, description, attribute, category, type, ctime, mtime)
    select :corp, md5(:corp || 'g' || n), '标签组 ' || n, 'group_' || n, '招生标签', (array['define','number','string'])[1 + n % 3],
           'bench', 'custom', timestamptz '${firstDay}', timestamptz '${firstDay}'
      from generate_series(1, 6) n`,
  users: `
    insert into users (corp_id, user_id, name, first_name, last_name, area_code, mobile, backup_area_code, backup_mobile,
                       email, gender, age, city, city_raw, city_mobile, company_name, job_title, department, industry,
                       work_exp, attributes, owner_ids, pool, ctime, mtime)
    select :corp, md5(:corp || 'u' || n), ${familyName} || ${givenName}, ${givenName}, ${familyName}, '86', lpad((13000000000 + n)::text, 11, '0'),
           case when n % 4 = 0 then '65' end, case when n % 4 = 0 then (80000000 + n)::text end,
           'user' || n || '@example.com', case n % 3 when 0 then 'female' when 1 then 'male' end, 22 + n % 40,
           (${cities})[1 + n % 7], (${cities})[1 + n % 7], null, '海港物流有限公司 ' || ${person} % 500, '运营经理', '市场部', '教育培训',
           (n % 20) || ' 年', '{"nationality": "中国", "top_grades": "硕士"}', array['adviser-' || n % 50],
           (array['public', 'alive', 'alive', 'dead'])[1 + n % 4],
           timestamptz '${firstDay}' + n % 700 * interval '1 day', timestamptz '${firstDay}' + n % 700 * interval '1 day'
      from generate_series(1, :users) n`,
  'user tags': `
    insert into user_tags (corp_id, entity_id, user_id, tags_group_id, attribute, define_value, number_value, string_value,
                           source, executor_id, ctime, mtime)
    select :corp, md5(:corp || 't' || n || '-' || g), md5(:corp || 'u' || n), md5(:corp || 'g' || g),
           (array['define','number','string'])[1 + g % 3], case g % 3 when 0 then n % 2 = 0 end,
           case g % 3 when 1 then n % 100 end, case g % 3 when 2 then '意向课程 ' || n % 30 end, 'open_api', 'bench',
           timestamptz '${firstDay}' + g * interval '1 day', timestamptz '${firstDay}' + g * interval '1 day'
      from generate_series(1, :users) n, generate_series(1, 3) g`,
  leads: `
    insert into leads (corp_id, lead_id, user_id, entry_id, app_id, fields, ctime, mtime)
    select :corp, md5(:corp || 'l' || n), md5(:corp || 'u' || n), 'earlier-' || n, 'bench',
           jsonb_build_object('corp_id', :corp, 'name', '王小' || n, 'utm_source', 'open-day', 'utm_medium', 'medium-' || n % 5,
                              'utm_campaign', 'autumn-' || n % 20, 'campaign', 'fair-' || n % 10, 'course_code', 'EMBA',
                              'owner_ids', array['adviser-' || n % 50]),
           timestamptz '${firstDay}' + n % 700 * interval '1 day', timestamptz '${firstDay}' + n % 700 * interval '1 day'
      from generate_series(1, :users / 2) n`,
  orders: `
    insert into orders (corp_id, order_id, user_id, external_id, type, source, status, currency, listed_price,
                        discounted_price, total_price, application_fee_price, course_id, course_code, contract_id,
                        executor_id, is_locked, coupon_ids, share_proportion, user_copy, course_copy, course_start_time,
                        course_end_time, completed_time, expired_time, ctime, mtime, version)
    select :corp, md5(:corp || 'o' || n), md5(:corp || 'u' || 1 + n % :users), 'checkout-' || n,
           (array['course','course','course','material','corporate_training'])[1 + n % 5],
           (array['open_api','console','payment_gateway'])[1 + n % 3], status, (array['CNY','CNY','CNY','JPY','KWD'])[1 + n % 5],
           1200000 + n % 97 * 10000, 1000000 + n % 97 * 10000, 1000000 + n % 97 * 10000,
           case when n % 9 = 0 then 50000 end, 'course-' || n % 20, 'EMBA' || n % 20, 'contract-' || n, 'bench',
           status = 'locked', case when n % 6 = 0 then array['early-bird'] else '{}' end,
           jsonb_build_object('adviser-' || n % 50, 6000, 'adviser-x', 4000),
           c.user_copy || jsonb_build_object('name', '王小' || n, 'mobile', (13000000000 + n)::text,
                                             'email', 'user' || n || '@example.com'), c.course_copy,
           ctime + interval '60 days', ctime + interval '400 days',
           case when status = 'success' then ctime + n % 30 * interval '1 day' end,
           case when status = 'expired' then ctime + n % 30 * interval '1 day' end,
           ctime, ctime + n % 30 * interval '1 day', 1 + n % 4
      from (select n, ${statusSql} as status,
                   timestamptz '${firstDay}' + n::float8 / :orders * interval '${days} days' as ctime
              from generate_series(1, :orders) n) numbered
      join copies c on c.k = n % 64`,
  'sub-orders': `
    insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, payment_deadline,
                            completed_time, ctime, mtime, version)
    select o.corp_id, md5(o.order_id || seq), o.order_id, seq,
           case when parts = 1 then 'full' when seq = 1 then 'deposit' when seq = parts then 'balance' else 'installment' end,
           case when o.status = 'pending' and seq = 1 then case when parts = 1 then 'pending' else 'success' end
                when o.status = 'pending' then 'created' else o.status end,
           o.currency, case when seq < parts then o.total_price / parts
                            else o.total_price - o.total_price / parts * (parts - 1) end,
           o.ctime + interval '10 years' + seq * interval '30 days', o.completed_time, o.ctime, o.mtime, o.version
      from (select orders.*, ${partsOf('order_id')} as parts from orders where corp_id = :corp) o
     cross join lateral generate_series(1, parts) seq`,
  payments: `
    insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, rate, order_price, status, source,
                          charge_id, receipt_num, comments, completed_time, executor_id, ctime)
    select s.corp_id, md5(s.sub_order_id || k), s.order_id, s.sub_order_id, price, s.currency, 1, price, 'success',
           'payment_gateway', 'ch_' || md5(s.sub_order_id || 'c' || k), row_number() over (), '银行转账', s.ctime + k * interval '2 days',
           'bench', s.ctime + k * interval '2 days'
      from (select sub_orders.*, case when status = 'pending' then 1 else ${partsOf('sub_order_id')} end as times
              from sub_orders where corp_id = :corp and status in ('success', 'pending')) s
     cross join lateral generate_series(1, times) k
     cross join lateral (
       select case when s.status = 'pending' then s.total_price / 2 when k < times then s.total_price / times
                   else s.total_price - s.total_price / times * (times - 1) end as price) amount`,
  refunds: `
    insert into refunds (corp_id, refund_id, order_id, sub_order_id, price, returned_price, currency, rate, reason,
                         executor_id, completed_time, ctime)
    select corp_id, md5(sub_order_id || 'r'), order_id, sub_order_id, 10000, 10000, currency, 1, '退费', 'bench', mtime, mtime
      from sub_orders where corp_id = :corp and status = 'success' and seq = 1 and hashtext(order_id) % 30 = 0`,
  allocations: `
    insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
    select corp_id, payment_id, order_id, sub_order_id, order_price, ctime, 'payment' from payments where corp_id = :corp`,
  'refund allocations': `
    insert into refund_allocations (corp_id, refund_id, payment_id, order_id, sub_order_id, price, credited_price, at)
    select r.corp_id, r.refund_id, first.payment_id, r.order_id, r.sub_order_id, r.price, r.price, r.ctime
      from refunds r
     cross join lateral (
       select p.payment_id from payments p
        where p.corp_id = r.corp_id and p.order_id = r.order_id and p.sub_order_id = r.sub_order_id
        order by p.completed_time, p.payment_id limit 1) first
     where r.corp_id = :corp`,
  remarks: `
    insert into order_remarks (corp_id, remark_id, order_id, content, executor_id, ctime)
    select corp_id, md5(order_id || 'm'), order_id, '已与学员确认开课时间', 'bench', ctime
      from orders where corp_id = :corp and hashtext(order_id) % 10 = 0`,
  clock: `
    insert into ledger_clocks (corp_id, instant_us)
    select :corp, extract(epoch from max(mtime)) * 1000000 from orders where corp_id = :corp
    on conflict (corp_id) do update set instant_us = excluded.instant_us`,
}

/** Every attribute that an order copies, with typical lengths. */
function sampleCopies() {
  const values = [
    '上海市浦东新区世纪大道一百号',
    '环球教育集团',
    '',
    '市场与运营部',
    'Operations',
    '硕士研究生',
    '2021-06-30',
  ]
  const copyOf = (names: readonly string[], k: number) =>
    Object.fromEntries(names.map((name, index) => [name, values[(index + k) % values.length]]))
  return Array.from({ length: 64 }, (_, k) => ({
    k,
    user_copy: copyOf([...userAttributes, ...financialUserAttributes], k),
    course_copy: copyOf(financialCourseAttributes, k),
  }))
}

/** The name of user n, by its number. */
export function nameOf(n: number): string {
  const given = [1999, 1997].map((most) => String.fromCodePoint(19_968 + (n % most)))
  return `${Array.from(familyNames)[n % 20]}${given.join('')}`
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
