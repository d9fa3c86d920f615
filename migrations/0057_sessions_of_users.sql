-- The sessions that people have, so that they see and end them. Whether a token opens something is decided without it:
-- by ended_sessions, users and badges.

create table user_sessions (
  session_id   text        primary key,
  user_id      integer     not null references users on delete cascade,
  begun_by     varchar(16) not null check (begun_by in ('password', 'badge', 'provider')),
  badge_id     uuid,
  device       varchar(256),
  address      varchar(64) not null,
  begun_at     timestamptz not null default now(),
  renewed_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null
) with (fillfactor=80);
comment on table user_sessions is
  'Sessions that were begun or refreshed since this table was made. Purged once their last token has expired.';
comment on column user_sessions.begun_by is 'How: with a password and what follows it, a badge, or at the provider.';
comment on column user_sessions.badge_id is 'The badge that it was begun with, and ends with.';
comment on column user_sessions.device is 'What the program calls itself (User-Agent).';
comment on column user_sessions.renewed_at is
  'When its last token was issued: one from before a change of the password, or a restore, opens nothing.';
comment on column user_sessions.last_used_at is 'To the minute.';
create index user_sessions_user on user_sessions (user_id);
