-- Module backoffice: closings, documents, cash-ups, bank reconciliation, exports and saved views.

-- The closing of a period, by posting date. It never changes. A reversed closing stays, and its days can be closed again.
create table closings (
  corp_id     text not null references organizations (corp_id),
  -- Closings and reversals share one sequence without gaps. Each document has the hash of the one before it.
  number      integer not null check (number > 0),
  -- The last day of the period in the organization's calendar, and the last instant of that day.
  until       date not null,
  as_of       timestamptz not null,
  -- The exact bytes of the response.
  document    text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, number)
);
create index closings_by_day on closings (corp_id, until);
alter table closings enable row level security, force row level security;
create policy organization on closings using (corp_id = current_setting('app.corp_id', true));
grant select, insert on closings to matricula_app;

-- The reversal of a closing, which was the latest one.
create table closing_reversals (
  corp_id        text not null,
  number         integer not null check (number > 0),
  closing_number integer not null,
  -- Reason, requester, approver and time, as text that is hashed.
  document       text not null,
  executor_id    text not null,
  at             timestamptz not null,
  primary key (corp_id, number),
  unique (corp_id, closing_number),
  foreign key (corp_id, closing_number) references closings (corp_id, number)
);
alter table closing_reversals enable row level security, force row level security;
create policy organization on closing_reversals using (corp_id = current_setting('app.corp_id', true));
grant select, insert on closing_reversals to matricula_app;

-- The last number of a series of documents in a year of the organization's time zone. A transaction that issues a document
-- holds the row until its COMMIT, so numbers have no gaps. Receipts take the numbers of table receipts.
create table document_series (
  corp_id text not null references organizations (corp_id),
  kind    text not null check (kind in ('invoice', 'credit_note')),
  year    integer not null,
  number  bigint not null check (number >= 0),
  primary key (corp_id, kind, year)
);
alter table document_series enable row level security, force row level security;
create policy organization on document_series using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update on document_series to matricula_app;

-- A receipt, invoice or credit note as issued. It never changes, but erasure empties its personal data.
create table documents (
  corp_id     text not null references organizations (corp_id),
  document_id text not null,
  kind        text not null check (kind in ('receipt', 'invoice', 'credit_note')),
  year        integer not null,
  number      bigint not null check (number > 0),
  -- The payment, order or refund.
  subject_id  text not null,
  -- 1, or more for the invoice of an order whose price changed. It replaces the one before.
  revision    integer not null default 1 check (revision > 0),
  -- Null for money without an order.
  order_id    text,
  -- Null: the user of the order.
  payer_id    text,
  price       bigint not null,
  currency    text not null,
  -- The issuer, the lines and the sums.
  content     jsonb not null,
  -- Names, and texts that people wrote.
  personal    jsonb not null,
  -- Part of the address of the file.
  token       text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, document_id),
  unique (corp_id, kind, year, number),
  unique (corp_id, kind, subject_id, revision),
  unique (corp_id, token),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  foreign key (corp_id, payer_id) references payers (corp_id, payer_id)
);
create index documents_by_payer on documents (corp_id, payer_id, at);
create index documents_by_time on documents (corp_id, at, document_id);
create index documents_by_order on documents (corp_id, order_id, at);
alter table documents enable row level security, force row level security;
create policy organization on documents using (corp_id = current_setting('app.corp_id', true));
grant select, insert on documents to matricula_app;
grant update (personal) on documents to matricula_app;

-- The cash-up of a clerk and a day. It never changes: a correction is another entry.
create table cash_ups (
  corp_id     text not null references organizations (corp_id),
  cash_up_id  text not null,
  clerk_id    text not null,
  -- In the organization's calendar.
  day         date not null,
  -- 1, or more for a correction of the entry before it.
  entry       integer not null check (entry > 0),
  corrects    text,
  reason      text,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, cash_up_id),
  unique (corp_id, clerk_id, day, entry),
  check ((entry = 1) = (corrects is null)),
  foreign key (corp_id, corrects) references cash_ups (corp_id, cash_up_id)
);
create index cash_ups_by_day on cash_ups (corp_id, day, clerk_id);
alter table cash_ups enable row level security, force row level security;
create policy organization on cash_ups using (corp_id = current_setting('app.corp_id', true));
grant select, insert on cash_ups to matricula_app;

-- The takings of one method in one currency when they were counted, and the counted amount, in minor units.
create table cash_up_lines (
  corp_id        text not null,
  cash_up_id     text not null,
  method         text not null,
  currency       text not null,
  payments       integer not null,
  taken_price    bigint not null,
  returned_price bigint not null,
  counted_price  bigint not null,
  -- Why the counted amount is not the expected one.
  reason         text,
  primary key (corp_id, cash_up_id, method, currency),
  foreign key (corp_id, cash_up_id) references cash_ups (corp_id, cash_up_id)
);
alter table cash_up_lines enable row level security, force row level security;
create policy organization on cash_up_lines using (corp_id = current_setting('app.corp_id', true));
grant select, insert on cash_up_lines to matricula_app;

-- An account of the organization at a bank or a gateway.
create table bank_accounts (
  corp_id       text not null references organizations (corp_id),
  account_id    text not null,
  name          text not null,
  -- The provider of payments that arrive on the account; '' for a bank.
  provider      text not null,
  -- The number that the bank writes in statements, such as an IBAN.
  number        text,
  currency      text not null,
  -- The balance before the first statement, in minor units.
  opening_price bigint not null,
  executor_id   text,
  ctime         timestamptz not null,
  primary key (corp_id, account_id),
  unique (corp_id, name)
);
alter table bank_accounts enable row level security, force row level security;
create policy organization on bank_accounts using (corp_id = current_setting('app.corp_id', true));
grant select, insert on bank_accounts to matricula_app;

-- A statement of a bank account. Its lines have numbers from 1, in any number of calls.
create table bank_statements (
  corp_id       text not null,
  statement_id  text not null,
  account_id    text not null,
  name          text not null,
  opening_price bigint not null,
  closing_price bigint not null,
  executor_id   text,
  ctime         timestamptz not null,
  primary key (corp_id, statement_id),
  unique (corp_id, account_id, name),
  foreign key (corp_id, account_id) references bank_accounts (corp_id, account_id)
);
alter table bank_statements enable row level security, force row level security;
create policy organization on bank_statements using (corp_id = current_setting('app.corp_id', true));
grant select, insert on bank_statements to matricula_app;

-- A statement whose lines were all received, and lead from the opening to the closing balance.
create table completed_statements (
  corp_id      text not null,
  statement_id text not null,
  -- The first and the last day of its lines; null without lines.
  from_date    date,
  until_date   date,
  at           timestamptz not null,
  primary key (corp_id, statement_id),
  foreign key (corp_id, statement_id) references bank_statements (corp_id, statement_id)
);
alter table completed_statements enable row level security, force row level security;
create policy organization on completed_statements using (corp_id = current_setting('app.corp_id', true));
grant select, insert on completed_statements to matricula_app;

-- A statement file that was uploaded. Its pieces are deleted once its lines are stored.
create table bank_files (
  corp_id      text not null,
  file_id      text not null,
  account_id   text not null,
  file_name    text not null,
  bytes        bigint not null check (bytes > 0),
  received     bigint not null default 0,
  state        text not null check (state in ('uploading', 'importing', 'done')),
  -- The hash of the content and of the way it is read, once the import started.
  content_hash text,
  -- The statements of the file, once the import started.
  statements   jsonb,
  -- Lines that are stored.
  imported     integer not null default 0,
  executor_id  text,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  primary key (corp_id, file_id),
  foreign key (corp_id, account_id) references bank_accounts (corp_id, account_id)
);
create index bank_files_by_content on bank_files (corp_id, account_id, content_hash);
create index bank_files_unfinished on bank_files (corp_id, mtime) where state <> 'done';
alter table bank_files enable row level security, force row level security;
create policy organization on bank_files using (corp_id = current_setting('app.corp_id', true));
create policy survey on bank_files for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on bank_files to matricula_app;

create table bank_file_pieces (
  corp_id text not null,
  file_id text not null,
  -- Its offset in the file.
  start   bigint not null,
  bytes   bytea not null,
  primary key (corp_id, file_id, start),
  foreign key (corp_id, file_id) references bank_files (corp_id, file_id) on delete cascade
);
alter table bank_file_pieces enable row level security, force row level security;
create policy organization on bank_file_pieces using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on bank_file_pieces to matricula_app;

-- A line of a statement of a bank or gateway. Its id follows from the statement and the number.
create table statement_lines (
  corp_id      text not null references organizations (corp_id),
  line_id      text not null,
  statement_id text not null,
  number       integer not null check (number > 0),
  provider     text not null,
  charge_id    text,
  reference    text,
  -- The other party, as the bank names it.
  payer        text,
  description  text,
  -- Net of the fee that a gateway deducted: price + fee_price is the gross amount.
  price        bigint not null,
  fee_price    bigint not null default 0,
  -- The payout of a gateway that includes the line.
  payout_id    text,
  currency     text not null,
  value_date   date not null,
  ctime        timestamptz not null,
  primary key (corp_id, line_id),
  check (price <> 0 or fee_price <> 0),
  unique (corp_id, statement_id, number),
  foreign key (corp_id, statement_id) references bank_statements (corp_id, statement_id)
);
create index statement_lines_by_payout on statement_lines (corp_id, payout_id) where payout_id is not null;
alter table statement_lines enable row level security, force row level security;
create policy organization on statement_lines using (corp_id = current_setting('app.corp_id', true));
grant select, insert on statement_lines to matricula_app;
grant update (description, payer, reference) on statement_lines to matricula_app;

-- The state of a line, derived from its matches: an index for the worklist.
create table statement_line_states (
  corp_id      text not null,
  line_id      text not null,
  account_id   text not null,
  statement_id text not null,
  state        text not null check (state in ('open', 'matched', 'booked', 'ignored')),
  value_date   date not null,
  -- The price of the line, so that a change of state and a search by amount read no other table.
  price        bigint not null,
  primary key (corp_id, line_id),
  foreign key (corp_id, line_id) references statement_lines (corp_id, line_id)
);
create index statement_line_states_by_account on statement_line_states (corp_id, account_id, state, value_date, line_id);
create index statement_line_states_by_statement on statement_line_states (corp_id, statement_id, state);
create index statement_line_states_by_state on statement_line_states (corp_id, state, value_date, line_id);
alter table statement_line_states enable row level security, force row level security;
create policy organization on statement_line_states using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on statement_line_states to matricula_app;

-- The lines of a statement by state and direction, so that lists of any length are summed at once. Derived from
-- statement_line_states, in the same transaction.
create table statement_sums (
  corp_id      text not null,
  statement_id text not null,
  account_id   text not null,
  state        text not null,
  is_incoming  boolean not null,
  lines        integer not null,
  price        numeric not null,
  primary key (corp_id, statement_id, state, is_incoming),
  foreign key (corp_id, statement_id) references bank_statements (corp_id, statement_id)
);
alter table statement_sums enable row level security, force row level security;
create policy organization on statement_sums using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on statement_sums to matricula_app;

-- An entry of a match: a part of a line, and its counterpart. A match that is undone stays visible.
create table statement_matches (
  corp_id     text not null,
  match_id    text not null,
  line_id     text not null,
  seq         integer not null default 0,
  kind        text not null default 'payment'
    check (kind in ('payment', 'refund', 'fee', 'difference', 'transfer', 'unidentified', 'ignored')),
  payment_id  text,
  refund_id   text,
  -- The line of another account of the organization, where the money came from or went to.
  transfer_line_id text,
  -- In the currency of the line. Negative where money left the account.
  price       bigint not null check (price <> 0),
  -- The rule that made the match, which clients show in their language, and the words of the person who made it.
  rule        text not null
    check (rule in ('charge', 'foreign_charge', 'reference', 'reference_and_amount', 'refund', 'payout', 'gateway_fee',
                    'by_hand', 'booked', 'transfer', 'ignored')),
  reason      text,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, match_id, line_id, seq),
  check ((kind = 'payment') = (payment_id is not null) and (kind = 'refund') = (refund_id is not null)
         and (kind = 'transfer') = (transfer_line_id is not null)),
  foreign key (corp_id, line_id) references statement_lines (corp_id, line_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, refund_id) references refunds (corp_id, refund_id)
);
create index statement_matches_by_refund on statement_matches (corp_id, refund_id);
create index statement_matches_by_line on statement_matches (corp_id, line_id);
create index statement_matches_by_payment on statement_matches (corp_id, payment_id);
alter table statement_matches enable row level security, force row level security;
create policy organization on statement_matches using (corp_id = current_setting('app.corp_id', true));
grant select, insert on statement_matches to matricula_app;

-- The undo of a match.
create table statement_match_undos (
  corp_id     text not null references organizations (corp_id),
  match_id    text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, match_id)
);
alter table statement_match_undos enable row level security, force row level security;
create policy organization on statement_match_undos using (corp_id = current_setting('app.corp_id', true));
grant select, insert on statement_match_undos to matricula_app;

-- A file for the finance office, made in the background and kept for a day.
create table finance_exports (
  corp_id     text not null,
  export_id   text not null,
  what        text not null check (what in ('financial_rows', 'payments', 'refunds')),
  format      text not null check (format in ('csv', 'xlsx')),
  start_date  text,
  end_date    text,
  as_of       timestamptz not null,
  state       text not null check (state in ('waiting', 'running', 'done', 'failed')),
  attempts    integer not null default 0,
  rows_done   bigint not null default 0,
  rows_total  bigint not null default 0,
  bytes       bigint not null default 0,
  sha256      text not null default '',
  refusal     text not null default '',
  -- Part of the address of the file.
  token       text not null,
  executor_id text not null,
  -- The end of the lease of the process that makes it, which renews the lease every minute.
  busy_until  timestamptz,
  ctime       timestamptz not null,
  primary key (corp_id, export_id),
  unique (corp_id, token)
);
create index finance_exports_by_ctime on finance_exports (corp_id, ctime, export_id);
alter table finance_exports enable row level security, force row level security;
create policy organization on finance_exports using (corp_id = current_setting('app.corp_id', true));
create policy survey on finance_exports for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on finance_exports to matricula_app;

-- A piece of such a file.
create table finance_export_pieces (
  corp_id   text not null,
  export_id text not null,
  seq       integer not null,
  content   bytea not null,
  primary key (corp_id, export_id, seq),
  foreign key (corp_id, export_id) references finance_exports (corp_id, export_id)
);
alter table finance_export_pieces enable row level security, force row level security;
create policy organization on finance_export_pieces using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on finance_export_pieces to matricula_app;

-- A view of a console list that a member of staff saved.
create table console_views (
  corp_id   text not null references organizations (corp_id),
  view_id   text not null,
  staff_id  text not null,
  screen    text not null,
  name      text not null,
  is_shared boolean not null default false,
  -- The query string of the screen's address.
  filters   text not null,
  columns   text[] not null default '{}',
  ctime     timestamptz not null,
  mtime     timestamptz not null,
  primary key (corp_id, view_id)
);
create index console_views_by_screen on console_views (corp_id, screen, name, view_id);
alter table console_views enable row level security, force row level security;
create policy organization on console_views using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on console_views to matricula_app;
