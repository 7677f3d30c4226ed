-- Module access, part 4: mail to staff and payers.

-- A mail on its way, and what became of it. Address, link and text are sealed, and removed once the mail is sent or given up.
create table mails (
  corp_id       text not null references organizations (corp_id),
  mail_id       text not null,
  kind          text not null check (kind in ('invitation', 'reset', 'payment_request', 'alert')),
  -- One cause sends one mail.
  cause         text not null,
  -- The record that the mail is about: a member of staff, a payment request, a webhook endpoint.
  record_type   text not null,
  record_id     text not null,
  -- The user or payer whom it goes to, if it does not go to staff. Erasure removes these mails.
  person_id     text,
  language      text not null check (language in ('en', 'zh')),
  -- Null: sent or failed.
  secret_box    bytea,
  secret_key_id text,
  state         text not null check (state in ('waiting', 'sent', 'failed')),
  -- How often a process took the mail. Only the outcome of the latest attempt is recorded.
  attempts      integer not null default 0,
  -- No attempt before this time, which is not before the end of a lease.
  next_at       timestamptz not null,
  -- The server is being given the message. If the process dies then, nobody knows whether it was sent.
  handed_at     timestamptz,
  -- The problem of the latest attempt, and the reply code of the server.
  problem       text,
  status        integer,
  executor_id   text not null,
  ctime         timestamptz not null,
  mtime         timestamptz not null,
  primary key (corp_id, mail_id),
  unique (corp_id, cause),
  check ((state = 'waiting') = (secret_box is not null)),
  check ((secret_box is null) = (secret_key_id is null))
);
create index mails_due on mails (corp_id, next_at) where state = 'waiting';
create index mails_by_record on mails (corp_id, record_id, ctime);
create index mails_by_person on mails (corp_id, person_id) where person_id is not null;
create index mails_by_age on mails (corp_id, ctime, mail_id);
alter table mails enable row level security, force row level security;
create policy organization on mails using (corp_id = current_setting('app.corp_id', true));
create policy survey on mails for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on mails to matricula_app;
