-- Second factors: what a user shows beside the password.

create table user_totp (
  user_id       integer     primary key references users on delete cascade,
  secret_sealed text        not null,
  confirmed_at  timestamptz,
  last_step     bigint,
  last_used_at  timestamptz
);
comment on table user_totp is 'The authenticator app of a user: one at most.';
comment on column user_totp.confirmed_at is
  'Null until a code has shown that the app has the secret; before that it opens nothing and is asked for nowhere.';
comment on column user_totp.last_step is
  'The 30 seconds whose code was accepted last. None of that or of an earlier step is accepted again.';
create trigger user_totp_session_changes after delete or update of confirmed_at or truncate on user_totp
  for each statement
  execute function notify_session_changes();

create table user_passkeys (
  passkey_id    uuid         primary key default gen_random_uuid(),
  user_id       integer      not null references users on delete cascade,
  credential_id text         not null unique,
  public_key    text         not null,
  counter       bigint       not null check (counter >= 0),
  transports    text[]       not null,
  rp_id         varchar(253) not null,
  passkey_name  varchar(64)  not null,
  made_at       timestamptz  not null default now(),
  last_used_at  timestamptz
);
comment on table user_passkeys is 'Passkeys of users: a public key each, whose private one never leaves its device.';
comment on column user_passkeys.counter is
  'As the device counted at the last sign-in. One that counts goes up; if it does not, the passkey was copied.';
comment on column user_passkeys.rp_id is 'The host that it was made for, and the only one that it opens.';
create index user_passkeys_user on user_passkeys (user_id);
create trigger user_passkeys_session_changes after insert or delete or truncate on user_passkeys
  for each statement
  execute function notify_session_changes();

create table recovery_codes (
  user_id   integer     not null references users on delete cascade,
  code_hash char(64)    not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'For whoever lost the device: each code opens once in place of a second factor.';
comment on column recovery_codes.code_hash is 'SHA-256 of pepper and code, in hex; the code itself is stored nowhere.';

create table factor_challenges (
  challenge_hash      char(64)    primary key,
  user_id             integer     not null references users on delete cascade,
  purpose             varchar(16) not null check (purpose in ('sign_in', 'register', 'step_up')),
  password_changed_at timestamptz,
  expires_at          timestamptz not null
);
comment on table factor_challenges is
  'What a second factor answers: once, within minutes, for one user and purpose. Purged when it is too late.';
comment on column factor_challenges.challenge_hash is
  'SHA-256 of the random bytes that the caller was given, in hex. A passkey signs these bytes.';
comment on column factor_challenges.password_changed_at is
  'That of the password which was right; with another one, the sign-in begins anew.';
create index factor_challenges_user on factor_challenges (user_id);
