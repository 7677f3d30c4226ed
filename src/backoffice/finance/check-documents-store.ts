import { sql } from '../../database/sql.ts'
import { breachColumns, breachesOf, type Check } from './check-store.ts'

/** Numbers of a series start at 1 every year and have no gaps. A receipt has the number of its payment. */
const checkDocuments: Check = (corp_id) => sql`
  select d.order_id, d.document_id as subject, ${breachColumns}
    from (select d.document_id, d.kind, d.order_id, d.subject_id, d.year, d.number, d.revision,
                 row_number() over (partition by d.kind, d.year order by d.number) as place,
                 row_number() over (partition by d.kind, d.subject_id order by d.revision) as next_revision
            from documents d where d.corp_id = ${corp_id}) d
    left join receipts r on r.corp_id = ${corp_id} and d.kind = 'receipt' and r.payment_id = d.subject_id
    left join orders o on o.corp_id = ${corp_id} and d.kind = 'invoice' and o.order_id = d.subject_id
    left join refunds f on f.corp_id = ${corp_id} and d.kind = 'credit_note' and f.refund_id = d.subject_id
    ${breachesOf([
      [
        'document: the next number of its series and year',
        `case when d.kind = 'receipt' then r.number else d.place end`,
        'd.number',
      ],
      [
        'document: the year of its receipt',
        `case when d.kind = 'receipt' then r.year else d.year end`,
        'd.year',
      ],
      ['document: the next revision of its subject', 'd.next_revision', 'd.revision'],
      [
        'document: of a payment, order or refund',
        'd.subject_id',
        'coalesce(r.payment_id, o.order_id, f.refund_id)',
      ],
    ])}`

/** The series of a year ends with the number of its last document. */
const checkSeries: Check = (corp_id) => sql`
  select null::text as order_id, concat_ws(' ', s.kind, s.year) as subject, ${breachColumns}
    from (select coalesce(s.kind, d.kind) as kind, coalesce(s.year, d.year) as year, s.number, d.last, d.documents
            from (select s.kind, s.year, s.number from document_series s where s.corp_id = ${corp_id}) s
            full join (select d.kind, d.year, max(d.number) as last, count(*) as documents
                         from documents d where d.corp_id = ${corp_id} and d.kind <> 'receipt' group by d.kind, d.year) d
              on d.kind = s.kind and d.year = s.year) s
    ${breachesOf([
      ['document series: the number of its last document', 'coalesce(s.last, 0)', 's.number'],
      ['document series: as many documents as numbers', 's.number', 'coalesce(s.documents, 0)'],
    ])}`

/** Checks of documents and their series. */
export const documentChecks: Check[] = [checkDocuments, checkSeries]
