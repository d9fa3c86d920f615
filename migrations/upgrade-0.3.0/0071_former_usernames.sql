-- Audit rows, receipts, picks and counts name people by their user name: it is given to nobody else afterwards.

create table former_usernames (
  username   varchar(255) primary key,
  deleted_at timestamptz not null default now()
);
comment on table former_usernames is
  'Names of deleted users. What they did stands under their name, so that nobody else may have it.';
insert into former_usernames (username, deleted_at)
select details->>'username', max(created_at) from audit_log
where entity_type = 'USER' and action_type = 'DELETE' and details->>'username' is not null
group by details->>'username';
