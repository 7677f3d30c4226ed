-- The e-mail domains that an organization names, each with the token that its DNS has to show.
create table sign_in_domains (
  corp_id      text not null references organizations (corp_id),
  domain       text not null,
  token        text not null,
  requested_at timestamptz not null,
  primary key (corp_id, domain)
);

-- The domains that have been verified. The key is the domain alone: it belongs to one organization.
create table verified_domains (
  domain      text primary key,
  corp_id     text not null references organizations (corp_id),
  verified_at timestamptz not null,
  verified_by text not null check (verified_by in ('dns', 'operator'))
);
create index verified_domains_by_organization on verified_domains (corp_id, domain);

-- Domains that providers name so far were never verified: they wait for it.
alter table sign_in_providers no force row level security;
insert into sign_in_domains (corp_id, domain, token, requested_at)
select distinct on (p.corp_id, d.domain) p.corp_id, d.domain,
       replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), now()
  from sign_in_providers p, unnest(p.email_domains) as d (domain)
 order by p.corp_id, d.domain;
alter table sign_in_providers force row level security;

alter table sign_in_domains enable row level security;
alter table sign_in_domains force row level security;
create policy organization on sign_in_domains using (corp_id = current_setting('app.corp_id', true));

-- Before anybody has signed in, a handle that is bound to one domain finds the organization of that domain and no other.
alter table verified_domains enable row level security;
alter table verified_domains force row level security;
create policy organization on verified_domains using (corp_id = current_setting('app.corp_id', true));
create policy domain on verified_domains for select
  using (chr(31) || 'domain' || chr(31) || domain = current_setting('app.corp_id', true));
