-- Which time stamps token requests of an account may carry: any number, the current time, or the current time once.
alter table accounts add column time_stamps text not null default 'any';
update accounts set time_stamps = 'once' where strict_time_stamps;
alter table accounts add constraint accounts_time_stamps check (time_stamps in ('any', 'recent', 'once'));
alter table accounts drop column strict_time_stamps;
