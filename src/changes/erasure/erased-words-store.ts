import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'

/** The words of a person, normalized by `squeezed`. */
export interface SqueezedWords {
  contacts: string[]
  names: string[]
}

/**
 * A text in half-width lower case without separators: 188 7776-6655, １８８７７７６６６５５ and +8618877766655 all contain
 * 18877766655.
 */
function squeezed(text: string): Statement {
  return raw(`translate(lower(normalize(${text}, NFKC)), E' \\t\\r\\n-.()+/_,;:·‐‑‒–—―''"', '')`)
}

/** Normalized by the database, whose lower case differs from that of JavaScript. */
export async function squeezeWords(on: Queryable, words: SqueezedWords): Promise<SqueezedWords> {
  const all = [...words.contacts, ...words.names]
  const rows = await on.query<{ word: string }>(sql`
    select ${squeezed('w.word')} as word from unnest(${all}::text[]) with ordinality as w (word, n) order by w.n`)
  const found = rows.map(({ word }) => word)
  const isWord = (word: string) => word.length > 1
  return {
    contacts: found.slice(0, words.contacts.length).filter(isWord),
    names: found.slice(words.contacts.length).filter(isWord),
  }
}

const holding = (text: string, words: string[]): Statement => sql`
  exists (select from unnest(${words}::text[]) as word where strpos(${squeezed(text)}, word) > 0)`

/** Orders of the person, and payers that are the person. */
interface Owned {
  order_ids: string[]
  payer_ids: string[]
}

/** Removes the person from texts that are not records about them. */
export function forgettingWords(corp_id: string, owned: Owned, words: SqueezedWords): Statement[] {
  const all = [...words.contacts, ...words.names]
  const rejected = `coalesce(r.cells::text, '') || ' ' || coalesce(r.reason, '')`
  const mapping = `m.mapping::text || ' ' || m.value_mapping::text`
  return [
    forgettingLines(corp_id, owned, words),
    // Statement files are uploaded and imported within minutes. The rest is not searched: it can be uploaded again.
    sql`delete from bank_file_pieces where corp_id = ${corp_id}`,
    sql`update bank_files f set file_name = 'erased' where f.corp_id = ${corp_id} and ${holding('f.file_name', all)}`,
    sql`
      update lead_import_rows r set cells = null, outcome = 'erased', reason = 'was erased'
       where r.corp_id = ${corp_id} and (r.outcome in ('reject', 'erased') or r.cells is not null)
         and ${holding(rejected, all)}`,
    sql`delete from column_mappings m where m.corp_id = ${corp_id} and ${holding(mapping, all)}`,
    sql`update lead_imports i set file_name = 'erased' where i.corp_id = ${corp_id} and ${holding('i.file_name', all)}`,
    // The headers of a file stay readable without its first rows.
    sql`
      update lead_imports i set reading = i.reading - 'first_rows'
       where i.corp_id = ${corp_id} and ${holding("coalesce(i.reading->>'first_rows', '')", all)}`,
    sql`
      update lead_imports i
         set reading = null, options = i.options - '{mapping,values,fixes}'::text[],
             refusal = case when i.refusal is null then null else 'was erased' end
       where i.corp_id = ${corp_id} and ${holding(ofImport, all)}`,
  ]
}

const payerChanged = raw('mtime = greatest(mtime, now()), version = version + 1')

/**
 * A payer with a contact of the person is the person, also if nobody linked both. Its documents lose the name, too.
 * Returns the ids of the changed payers.
 */
export async function forgetPayers(
  tx: Queryable,
  corp_id: string,
  { contacts, names }: SqueezedWords,
): Promise<string[]> {
  const number = `coalesce(p.area_code, '') || coalesce(p.mobile, '') || ' ' || coalesce(p.email, '')`
  const same = await tx.query<{ id: string }>(sql`
    update payers p
       set name = '', contact_name = null, area_code = null, mobile = null, email = null, address = null,
           tax_number = null, reference = null, remarks = null, ${payerChanged}
     where p.corp_id = ${corp_id}
       and (${holding(number, contacts)} or p.kind in ('person', 'unknown') and ${holding('p.name', names)})
    returning p.payer_id as id`)
  const ids = same.map(({ id }) => id)
  if (ids.length > 0)
    await tx.query(sql`
      update documents set personal = personal - '{payer,payer_address,payer_tax_number}'::text[]
       where corp_id = ${corp_id} and payer_id = any(${ids}::text[])`)
  return ids
}

/** Removes texts that name the person from other payers. Returns the ids of the changed payers. */
export async function forgetInPayers(
  tx: Queryable,
  corp_id: string,
  { contacts, names }: SqueezedWords,
): Promise<string[]> {
  const all = [...contacts, ...names]
  const text = `coalesce(p.contact_name, '') || ' ' || coalesce(p.address, '') || ' ' || coalesce(p.remarks, '')`
  const [naming] = await tx.pipeline<[{ id: string }, object]>([
    sql`
      update payers p set contact_name = null, address = null, remarks = null, ${payerChanged}
       where p.corp_id = ${corp_id} and ${holding(text, all)}
      returning p.payer_id as id`,
    sql`
      delete from audit_personal a
       where a.corp_id = ${corp_id} and ${holding('a.content', all)}
         and a.person_id in (select p.payer_id from payers p where p.corp_id = ${corp_id})`,
  ])
  return naming.map(({ id }) => id)
}

const ofImport = `i.file_name || ' ' || coalesce(i.reading::text, '') || ' ' || i.options::text || ' ' || coalesce(i.refusal, '')`

/** Files that wait for their commit and name the person in their file name, headers or values. */
export async function findTellingImports(
  on: Queryable,
  corp_id: string,
  { contacts, names }: SqueezedWords,
): Promise<string[]> {
  const rows = await on.query<{ import_id: string }>(sql`
    select i.import_id from lead_imports i
     where i.corp_id = ${corp_id} and i.state in ('uploading', 'planning', 'planned', 'refused')
       and ${holding(ofImport, [...contacts, ...names])}
     order by i.import_id`)
  return rows.map(({ import_id }) => import_id)
}

/**
 * Bank texts of payments and refunds of the person, and statement lines with a contact. A line that has only the name
 * counts as the person's, unless it is matched to a payment or refund of another person.
 */
function forgettingLines(
  corp_id: string,
  { order_ids, payer_ids }: Owned,
  { contacts, names }: SqueezedWords,
): Statement {
  const text = `concat_ws(' ', l.payer, l.description, l.reference)`
  const ofOrder = sql`p.order_id = any(${order_ids}::text[])`
  const payment = sql`(${ofOrder} or coalesce(p.payer_id = any(${payer_ids}::text[]), false))`
  const refund = sql`
    (${ofOrder} or exists (select from refund_allocations b
                             join payments f on f.corp_id = ${corp_id} and f.payment_id = b.payment_id
                            where b.corp_id = ${corp_id} and b.refund_id = p.refund_id
                              and f.payer_id = any(${payer_ids}::text[])))`
  const matched = (toPayment: Statement, toRefund: Statement) => sql`
    (exists (select from statement_matches m
               join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
              where m.corp_id = ${corp_id} and m.line_id = l.line_id and ${toPayment})
     or exists (select from statement_matches m
                  join refunds p on p.corp_id = ${corp_id} and p.refund_id = m.refund_id
                 where m.corp_id = ${corp_id} and m.line_id = l.line_id and ${toRefund}))`
  return sql`
    update statement_lines l set description = null, payer = null, reference = null
     where l.corp_id = ${corp_id} and coalesce(l.description, l.payer, l.reference) is not null
       and (${matched(payment, refund)} or ${holding(text, contacts)}
            or ${holding(text, names)} and not ${matched(sql`not ${payment}`, sql`not ${refund}`)})`
}
