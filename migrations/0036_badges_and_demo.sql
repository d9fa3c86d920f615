-- Badges: what a person signs in with at a device that many share, together with a PIN.

create table user_badges (
  user_id      integer      primary key references users on delete cascade,
  badge_id     uuid         not null default gen_random_uuid(),
  badge_hash   char(64)     not null unique,
  pin_hash     varchar(255),
  made_by      varchar(150) not null,
  made_at      timestamptz  not null default now(),
  last_used_at timestamptz
);
comment on table user_badges is 'A user has one at most; another one takes its place, and the PIN stays.';
comment on column user_badges.badge_id is
  'Another one with each badge: sessions have it in their token, and end when it is no longer that of the user.';
comment on column user_badges.badge_hash is 'SHA-256 of pepper and code, in hex; the code itself is stored nowhere.';
comment on column user_badges.pin_hash is 'As passwords are hashed; nobody signs in with the badge before there is one.';
create trigger user_badges_session_changes after delete or update of badge_id or truncate on user_badges
  for each statement
  execute function notify_session_changes();

comment on column login_attempts.key is
  'Remote address and lower-cased user name together, so that nobody locks a colleague out from elsewhere; or a badge, '
  'from wherever it is tried: a PIN is short.';


-- The demo that an administrator tries the service with, and throws away.

create table demos (
  demo_id       uuid         primary key default gen_random_uuid(),
  is_only       boolean      not null default true unique check (is_only),
  warehouse_ids integer[]    not null default '{}',
  item_ids      integer[]    not null default '{}',
  made_by       varchar(150) not null,
  made_at       timestamptz  not null default now(),
  loaded_at     timestamptz
);
comment on table demos is 'At most one row. Its warehouses are removed with all that is in them, and its items.';
comment on column demos.loaded_at is 'Null while it is being loaded; what was interrupted is continued under its id.';
