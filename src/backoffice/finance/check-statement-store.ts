import { sql } from '../../database/sql.ts'
import { isVoided } from '../../orders/ledger/balance-store.ts'
import { sumsOfLines } from '../../orders/ledger/line-state-store.ts'
import { isOpenPayment } from '../../orders/ledger/open-payment-store.ts'
import { breachColumns, breachesOf, type Check } from './check-store.ts'

/** The state of a line follows from its current match, and the match sums to the line. */
const checkLines: Check = (corp_id) => sql`
  select null::text as order_id, l.line_id as subject, ${breachColumns}
    from statement_lines l
    left join statement_line_states s on s.corp_id = ${corp_id} and s.line_id = l.line_id
    cross join lateral (
      select count(*) as entries, coalesce(sum(m.price), 0) as price, count(distinct m.match_id) as matches,
             count(*) filter (where m.kind = 'ignored') as ignored,
             count(*) filter (where ${isVoided({ corp_id }, 'm')}) as void_payments,
             count(*) filter (where exists (select from refund_reversals v
                                             where v.corp_id = ${corp_id} and v.refund_id = m.refund_id)) as reversed_refunds,
             count(*) filter (where m.kind = 'transfer' and not exists (
                                select from statement_matches o
                                 where o.corp_id = ${corp_id} and o.match_id = m.match_id and o.line_id = m.transfer_line_id
                                   and o.transfer_line_id = m.line_id)) as one_sided
        from statement_matches m
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
      ['statement line: matched to no reversed refund', '0', 'current.reversed_refunds'],
      ['statement line: both sides of a transfer', '0', 'current.one_sided'],
      ['statement line: price in the worklist', 'l.price', 's.price'],
      ['statement line: statement in the worklist', 'l.statement_id', 's.statement_id'],
    ])}
   where l.corp_id = ${corp_id}`

/**
 * A matched payment is matched as a whole. In another currency than the line, it counts with its amount in the ledger, if
 * the ledger has one in the currency of the line.
 */
const checkMatchedPayments: Check = (corp_id) => sql`
  select p.order_id, p.payment_id as subject, ${breachColumns}
    from (select m.payment_id, l.currency, sum(m.price) as price
            from statement_matches m
            join statement_lines l on l.corp_id = ${corp_id} and l.line_id = m.line_id
           where m.corp_id = ${corp_id} and m.payment_id is not null
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)
           group by m.payment_id, l.currency) matched
    join payments p on p.corp_id = ${corp_id} and p.payment_id = matched.payment_id
    join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
    ${breachesOf([
      [
        'statement match: the price of the payment',
        `case when p.currency = matched.currency then p.price
              when o.currency = matched.currency and p.order_price > 0 then p.order_price else matched.price end`,
        'matched.price',
      ],
    ])}
   where p.corp_id = ${corp_id}`

/** A payment is in the worklist until a line confirms it or it is void. */
const checkOpenPayments: Check = (corp_id) => sql`
  select p.order_id, p.payment_id as subject, ${breachColumns}
    from payments p
    ${breachesOf([['payment: open until it is matched or void', isOpenPayment(corp_id), 'p.is_open']])}
   where p.corp_id = ${corp_id}`

/** A matched refund is matched as a whole. */
const checkMatchedRefunds: Check = (corp_id) => sql`
  select r.order_id, r.refund_id as subject, ${breachColumns}
    from (select m.refund_id, sum(m.price) as price
            from statement_matches m
           where m.corp_id = ${corp_id} and m.refund_id is not null
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)
           group by m.refund_id) matched
    join refunds r on r.corp_id = ${corp_id} and r.refund_id = matched.refund_id
    ${breachesOf([['statement match: the amount of the refund', '-r.returned_price', 'matched.price']])}
   where r.corp_id = ${corp_id}`

/** The lines of a complete statement lead from its opening to its closing balance, without a gap in their numbers. */
const checkStatements: Check = (corp_id) => sql`
  select null::text as order_id, s.statement_id as subject, ${breachColumns}
    from bank_statements s
    join bank_accounts a on a.corp_id = ${corp_id} and a.account_id = s.account_id
    left join completed_statements c on c.corp_id = ${corp_id} and c.statement_id = s.statement_id
    cross join lateral (
      select count(*) filter (where l.currency <> a.currency) as foreign_lines, coalesce(sum(l.price), 0) as price,
             count(*) as lines, coalesce(max(l.number), 0) as last_number
        from statement_lines l where l.corp_id = ${corp_id} and l.statement_id = s.statement_id) lines
    ${breachesOf([
      ['statement: lines in the currency of the account', '0', 'lines.foreign_lines'],
      [
        'statement: opening balance and lines are the closing balance',
        'case when c.statement_id is not null then s.closing_price else s.opening_price + lines.price end',
        's.opening_price + lines.price',
      ],
      [
        'statement: a line for each number',
        'case when c.statement_id is not null then lines.last_number else lines.lines end',
        'lines.lines',
      ],
    ])}
   where s.corp_id = ${corp_id}`

/** The sums of a statement are those of its lines in the worklist. */
const checkSums: Check = (corp_id) => sql`
  select null::text as order_id, found.statement_id as subject, ${breachColumns}
    from (select sums.statement_id, sums.account_id, sums.state, sums.is_incoming,
                 sum(sums.counted_lines) as counted_lines, sum(sums.counted_price) as counted_price,
                 sum(sums.lines) as lines, sum(sums.price) as price
            from (select c.statement_id, c.account_id, c.state, c.is_incoming, c.lines as counted_lines,
                         c.price as counted_price, 0 as lines, 0 as price
                    from (${sumsOfLines(corp_id)}) c
                  union all
                  select s.statement_id, s.account_id, s.state, s.is_incoming, 0, 0, s.lines, s.price
                    from statement_sums s where s.corp_id = ${corp_id}) sums
           group by sums.statement_id, sums.account_id, sums.state, sums.is_incoming) found
    ${breachesOf([
      ['statement: number of its lines in a state', 'found.counted_lines', 'found.lines'],
      ['statement: sum of its lines in a state', 'found.counted_price', 'found.price'],
    ])}`

/** The balance of an account in the worklist is that of the lines of its statements. */
const checkAccounts: Check = (corp_id) => sql`
  select null::text as order_id, a.account_id as subject, ${breachColumns}
    from bank_accounts a
    cross join lateral (
      select coalesce(sum(l.price), 0) as price, count(l.line_id) as lines
        from bank_statements s
        join statement_lines l on l.corp_id = ${corp_id} and l.statement_id = s.statement_id
       where s.corp_id = ${corp_id} and s.account_id = a.account_id) stated
    cross join lateral (
      select coalesce(sum(t.price), 0) as price, count(*) as lines
        from statement_line_states t where t.corp_id = ${corp_id} and t.account_id = a.account_id) listed
    ${breachesOf([
      ['bank account: sum of its lines', 'stated.price', 'listed.price'],
      ['bank account: number of its lines', 'stated.lines', 'listed.lines'],
    ])}
   where a.corp_id = ${corp_id}`

/** Checks of statement lines and their matches. */
export const statementChecks: Check[] = [
  checkLines,
  checkMatchedPayments,
  checkOpenPayments,
  checkMatchedRefunds,
  checkStatements,
  checkSums,
  checkAccounts,
]
