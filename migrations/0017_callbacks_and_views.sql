-- When somebody is to be called again, and the views that staff keep of lists.

alter table user_follow_ups add column next_at timestamptz;
-- Whether that call is still to come: no later follow-up of the user has been noted.
alter table user_follow_ups add column is_open boolean not null default false;
create index user_follow_ups_to_come on user_follow_ups (corp_id, next_at, follow_up_id) where is_open;
create index user_follow_ups_to_come_by_owner on user_follow_ups (corp_id, owner_id, next_at, follow_up_id) where is_open;

-- Instalments that are owed, by when they are due.
create index sub_orders_unpaid_by_deadline on sub_orders (corp_id, payment_deadline, sub_order_id)
  where status not in ('success', 'canceled', 'expired');

create table console_views (
  corp_id   text not null references organizations (corp_id),
  view_id   text not null,
  -- Whose it is; staff span organizations, so that no key refers to them.
  staff_id  text not null,
  screen    text not null,
  name      text not null,
  is_shared boolean not null default false,
  -- What stands behind the question mark of the screen's address.
  filters   text not null,
  columns   text[] not null default '{}',
  ctime     timestamptz not null,
  mtime     timestamptz not null,
  primary key (corp_id, view_id)
);
create index console_views_by_screen on console_views (corp_id, screen, name, view_id);

alter table console_views enable row level security;
alter table console_views force row level security;
create policy organization on console_views using (corp_id = current_setting('app.corp_id', true));
