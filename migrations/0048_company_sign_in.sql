-- Sign-in at the company's identity provider.

alter table users add column is_break_glass boolean not null default false;
comment on column users.is_break_glass is
  'An ADMIN who signs in with a password where all others must go to the provider (sso_required).';

create table user_identities (
  user_id   integer      primary key references users on delete cascade,
  issuer    text,
  subject   text,
  is_made   boolean      not null default false,
  linked_by varchar(150) not null,
  linked_at timestamptz  not null default now(),
  unique (issuer, subject),
  check ((issuer is null) = (subject is null)),
  check (subject is not null or not is_made)
);
comment on table user_identities is 'Who signs in at the identity provider, by what the provider calls them.';
comment on column user_identities.subject is
  'Null while an ADMIN has allowed it, and the person of that user name has not signed in at the provider yet.';
comment on column user_identities.is_made is 'The user was made at the first sign-in, and has no password.';

create table provider_sessions (
  session_id   text        primary key,
  user_id      integer     not null references users on delete cascade,
  issuer       text        not null,
  subject      text        not null,
  provider_sid text,
  begun_at     timestamptz not null default now()
);
comment on table provider_sessions is
  'Sessions that were begun at the provider, which ends them when it logs somebody out. Purged as ended_sessions are.';
create index provider_sessions_subject on provider_sessions (issuer, subject);
create index provider_sessions_sid on provider_sessions (issuer, provider_sid);
create index provider_sessions_user on provider_sessions (user_id);

create table sign_in_uses (
  used        text        primary key,
  valid_until timestamptz not null
);
comment on table sign_in_uses is
  'Hashes of what counts once (the state of a sign-in, the id of a logout token), for as long as it would be valid.';

create table sign_in_mapping (
  is_only        boolean      primary key default true check (is_only),
  username_claim varchar(128) not null,
  groups_claim   varchar(128) not null,
  groups         json         not null check (json_typeof(groups) = 'array'),
  changed_by     varchar(150) not null,
  changed_at     timestamptz  not null default now()
);
comment on table sign_in_mapping is
  'One row: which claims tell user name and groups, and what each group may do. One document, as it is read and written.';
