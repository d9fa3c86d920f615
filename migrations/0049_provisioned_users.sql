-- Users and groups that the identity provider provisions (SCIM).

alter table user_identities
  drop constraint user_identities_check1,
  add column external_id text unique,
  add column groups text[] not null default '{}';
comment on column user_identities.external_id is 'What the provider calls the user where it provisions users.';
comment on column user_identities.groups is 'The groups that the provider told at the last sign-in.';
comment on column user_identities.is_made is 'The user was made for the provider, and has no password.';

create table provisioned_groups (
  group_id     uuid         primary key default gen_random_uuid(),
  display_name varchar(256) not null unique,
  external_id  text,
  made_at      timestamptz  not null default now(),
  changed_at   timestamptz  not null default now()
);
comment on table provisioned_groups is 'Groups that the provider provisions; what they may do is in sign_in_mapping.';

create table provisioned_group_members (
  group_id uuid    not null references provisioned_groups on delete cascade,
  user_id  integer not null references users on delete cascade,
  primary key (group_id, user_id)
);
comment on table provisioned_group_members is 'Who is in a provisioned group.';
create index provisioned_group_members_user on provisioned_group_members (user_id);
