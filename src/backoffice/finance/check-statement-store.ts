import { sql } from '../../database/sql.ts'
import { breachColumns, breachesOf, type Check } from './check-store.ts'

/** The state of a line follows from its current match, and the match sums to the line. */
const checkLines: Check = (corp_id) => sql`
  select null::text as order_id, l.line_id as subject, ${breachColumns}
    from statement_lines l
    left join statement_line_states s on s.corp_id = ${corp_id} and s.line_id = l.line_id
    cross join lateral (
      select count(*) as entries, coalesce(sum(m.price), 0) as price, count(distinct m.match_id) as matches,
             count(*) filter (where m.kind = 'ignored') as ignored,
             count(*) filter (where (select sum(v.price) from payment_voids v
                                      where v.corp_id = ${corp_id} and v.payment_id = m.payment_id) > 0) as void_payments,
             count(*) filter (where p.currency <> l.currency) as foreign_payments
        from statement_matches m
        left join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
       where m.corp_id = ${corp_id} and m.line_id = l.line_id
         and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)) current
    ${breachesOf([
      ['statement line: at most one match', 'least(current.matches, 1)', 'current.matches'],
      [
        'statement line: state from its match',
        `case when current.entries = 0 then 'open' when current.ignored > 0 then 'ignored'
              when s.state = 'booked' then 'booked' else 'matched' end`,
        's.state',
      ],
      [
        'statement line: sum of its match',
        'case when current.entries = 0 then 0 else l.price end',
        'current.price',
      ],
      ['statement line: matched to no void payment', '0', 'current.void_payments'],
      ['statement line: matched in its currency', '0', 'current.foreign_payments'],
    ])}
   where l.corp_id = ${corp_id}`

/** A matched payment is matched as a whole. */
const checkMatchedPayments: Check = (corp_id) => sql`
  select p.order_id, p.payment_id as subject, ${breachColumns}
    from (select m.payment_id, sum(m.price) as price
            from statement_matches m
           where m.corp_id = ${corp_id} and m.payment_id is not null
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)
           group by m.payment_id) matched
    join payments p on p.corp_id = ${corp_id} and p.payment_id = matched.payment_id
    ${breachesOf([['statement match: the price of the payment', 'p.price', 'matched.price']])}
   where p.corp_id = ${corp_id}`

/** The lines of a statement are in the currency of its account. */
const checkStatements: Check = (corp_id) => sql`
  select null::text as order_id, s.statement_id as subject, ${breachColumns}
    from bank_statements s
    join bank_accounts a on a.corp_id = ${corp_id} and a.account_id = s.account_id
    cross join lateral (
      select count(*) filter (where l.currency <> a.currency) as foreign_lines
        from statement_lines l where l.corp_id = ${corp_id} and l.statement_id = s.statement_id) lines
    ${breachesOf([['statement: lines in the currency of the account', '0', 'lines.foreign_lines']])}
   where s.corp_id = ${corp_id}`

/** Checks of statement lines and their matches. */
export const statementChecks: Check[] = [checkLines, checkMatchedPayments, checkStatements]
