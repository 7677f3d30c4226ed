import { ApiError, invalid, taken } from '../../src/contract/errors.ts'
import { newId } from '../../src/contract/new-id.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { assignUserTag } from '../../src/people/user-tags/assign-user-tag.ts'
import { readTagValue, requirements } from '../../src/people/user-tags/tag-value.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { initialPool } from '../../src/people/users/reach.ts'
import { makePlainOrder } from './order.ts'
import { recordPayment } from './payment.ts'
import { recordRefund } from './refund.ts'
import { inTransaction, plainRoute } from './route.ts'

const details = [
  'area_code',
  'mobile',
  'name',
  'company_name',
  'work_exp',
  'job_title',
  'department',
  'city',
] as const

/** The write operations in the plain way: read, then write, with a transaction for several writes. */
export const writes = [
  plainRoute(createUser, async ({ pool, organization }, { corp_id, area_code, mobile, email }) => {
    const find = async () => {
      const { rows } = await pool.query({
        name: 'find_user',
        text: `select user_id from users where corp_id = $1 and area_code = $2 and mobile = $3
               union all select user_id from users where corp_id = $1 and email_key = lower($4)`,
        values: [corp_id, area_code, mobile, email],
      })
      return rows[0]?.user_id
    }
    const known = await find()
    if (known) return { user_id: known, is_user_exists: true }
    const { rows } = await pool.query({
      name: 'insert_user',
      text: `insert into users (corp_id, user_id, area_code, mobile, email, pool, ctime, mtime)
             values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing returning user_id`,
      values: [corp_id, newId(), area_code, mobile, email, initialPool(organization), new Date()],
    })
    return { user_id: rows[0]?.user_id ?? (await find()), is_user_exists: rows.length === 0 }
  }),

  plainRoute(assignUserTag, async ({ pool, account }, { corp_id, tags_group_id, user_id, value }) => {
    const groups = await pool.query({
      name: 'find_group',
      text: 'select attribute, is_active from tag_groups where corp_id = $1 and entity_id = $2 and not is_deleted',
      values: [corp_id, tags_group_id],
    })
    const group = groups.rows[0]
    if (!group) throw new ApiError('tagGroupNotFound')
    const users = await pool.query({
      name: 'find_user_by_id',
      text: 'select user_id from users where corp_id = $1 and user_id = $2',
      values: [corp_id, user_id],
    })
    if (users.rows.length === 0) throw new ApiError('userNotFound')
    if (!group.is_active) throw new ApiError('stateForbids')
    const attribute = group.attribute as keyof typeof requirements
    const fitting = readTagValue(value)[attribute]
    if (fitting === null) throw invalid('value', requirements[attribute])
    const column = `${attribute}_value`
    const { rows } = await pool.query({
      name: `assign_${attribute}`,
      text: `insert into user_tags (corp_id, entity_id, user_id, tags_group_id, attribute, ${column}, source, executor_id,
                                    ctime, mtime)
             values ($1, $2, $3, $4, $5, $6, 'open_api', $7, $8, $8)
             on conflict (corp_id, user_id, tags_group_id) do update
                set attribute = excluded.attribute, define_value = excluded.define_value,
                    number_value = excluded.number_value, string_value = excluded.string_value,
                    source = excluded.source, executor_id = excluded.executor_id, is_deleted = false,
                    mtime = excluded.mtime, version = user_tags.version + 1
             returning entity_id`,
      values: [corp_id, newId(), user_id, tags_group_id, attribute, fitting, account.app_id, new Date()],
    })
    return rows[0].entity_id
  }),

  plainRoute(importLead, ({ pool, account, organization }, input) =>
    inTransaction(pool, async (client) => {
      const { corp_id } = input
      const given = (text: string | undefined) => (text?.trim() ? text : null)
      const now = new Date()
      const earlier = await client.query({
        name: 'find_entry',
        text: 'select lead_id, fields = $3::jsonb as is_same from leads where corp_id = $1 and entry_id = $2',
        values: [corp_id, given(input.entry_id), input],
      })
      if (earlier.rows[0]?.is_same) return { lead_id: earlier.rows[0].lead_id }
      if (earlier.rows[0]) throw taken('entry_id', 'belongs to a lead with other content')
      const holders = await client.query({
        name: 'find_holder',
        text: 'select user_id from users where corp_id = $1 and area_code = $2 and mobile = $3',
        values: [corp_id, given(input.area_code), given(input.mobile)],
      })
      const holder: string | undefined = holders.rows[0]?.user_id
      const named = given(input.user_id)
      if (named !== null && holder !== undefined && holder !== named)
        throw taken('mobile', 'belongs to another user')
      const sent = details.map((name) => given(input[name]))
      const owners = [...new Set([...(input.owner_ids ?? []), ...(input.oid ? [input.oid] : [])])]
      const user_id = named ?? holder ?? newId()
      if (named !== null || holder !== undefined) {
        const filled = details.map((name, index) => `${name} = coalesce(${name}, $${index + 5})`)
        const { rowCount } = await client.query({
          name: 'fill_user',
          text: `update users set ${filled.join(', ')}, mtime = $3, version = version + 1,
                        owner_ids = owner_ids || array(select o from unnest($4::text[]) o where o <> all (owner_ids))
                  where corp_id = $1 and user_id = $2`,
          values: [corp_id, user_id, now, owners, ...sent],
        })
        if (rowCount === 0) throw new ApiError('userNotFound')
      } else {
        await client.query({
          name: 'insert_user_of_lead',
          text: `insert into users (corp_id, user_id, ctime, mtime, owner_ids, pool, ${details.join(', ')})
                 values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          values: [corp_id, user_id, now, owners, initialPool(organization), ...sent],
        })
      }
      const lead_id = newId()
      await client.query({
        name: 'insert_lead',
        text: `insert into leads (corp_id, lead_id, user_id, entry_id, app_id, fields, ctime)
               values ($1, $2, $3, $4, $5, $6, $7)`,
        values: [corp_id, lead_id, user_id, given(input.entry_id), account.app_id, input, now],
      })
      return { lead_id }
    }),
  ),

  makePlainOrder,
  recordPayment,
  recordRefund,
]
