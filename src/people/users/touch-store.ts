import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { touchFields } from './touch.ts'

const touchColumns = raw(
  touchFields.map((name) => `coalesce(l.fields->>'${name}', '') as ${name}`).join(', '),
)

/** The first or last lead of the user u. */
export function touchOf(which: 'first' | 'last', corp_id: string, timeZone: string | Statement): Statement {
  const direction = raw(which === 'first' ? 'asc' : 'desc')
  return sql`
    (select row_to_json(touch)
       from (select l.lead_id, ${timestamp('l.ctime', timeZone)} as time, ${touchColumns}
               from leads l
              where l.corp_id = ${corp_id} and l.user_id = u.user_id
              order by l.ctime ${direction}, l.lead_id ${direction} limit 1) touch) as ${raw(`${which}_touch`)}`
}
