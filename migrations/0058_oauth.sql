-- The service as the authorization server of its agents: programs, codes and refresh tokens (docs/agents.md).

create table oauth_clients (
  client_id     text         primary key,
  client_name   varchar(100) not null,
  redirect_uris text[]       not null,
  registered_at timestamptz  not null default now()
);
comment on table oauth_clients is
  'Programs that have registered themselves. What they say of themselves is checked by nobody.';

alter table personal_keys
  add column client_id text references oauth_clients on delete cascade,
  add column token_ends_at timestamptz;
comment on column personal_keys.client_id is
  'The program that a person let in by OAuth: key_hash is then that of its access token of the moment.';
comment on column personal_keys.token_ends_at is
  'When that token ends, and a new one is to be fetched; null for a key that a person made.';
create index personal_keys_client on personal_keys (client_id) where client_id is not null;
create trigger personal_keys_token_changes after update of key_hash on personal_keys
  for each statement
  execute function notify_session_changes();

create table oauth_codes (
  code_hash      char(64)    primary key,
  client_id      text        not null references oauth_clients on delete cascade,
  user_id        integer     not null references users on delete cascade,
  redirect_uri   text        not null,
  code_challenge text        not null,
  resource       text        not null,
  page_keys      text[],
  functions      text[],
  is_read_only   boolean     not null,
  expires_at     timestamptz not null,
  is_used        boolean     not null default false,
  key_id         integer     references personal_keys on delete set null
);
comment on table oauth_codes is 'Codes that a person gave a program; a used one stays a day, so that a replay is noticed.';
comment on column oauth_codes.code_hash is 'SHA-256 of pepper and code, in hex.';
comment on column oauth_codes.key_id is 'What was let in by it.';
create index oauth_codes_client on oauth_codes (client_id);
create index oauth_codes_user on oauth_codes (user_id);
create index oauth_codes_key on oauth_codes (key_id) where key_id is not null;

create table oauth_refresh_tokens (
  token_hash char(64)    primary key,
  key_id     integer     not null references personal_keys on delete cascade,
  made_at    timestamptz not null default now(),
  is_used    boolean     not null default false
);
comment on table oauth_refresh_tokens is
  'All refresh tokens of a program that was let in: one is in use, the others were, and whoever shows one again stole it.';
create index oauth_refresh_tokens_key on oauth_refresh_tokens (key_id);
