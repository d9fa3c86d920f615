-- Waves on devices that go on without the net: which device has the wave of a picker, and until when.

create table pick_leases (
  batch_id   integer      primary key references pick_batches on delete cascade,
  lease_id   uuid         not null unique,
  device     varchar(64)  not null,
  user_id    integer      references users on delete set null,
  username   varchar(150) not null,
  minutes    integer      not null check (minutes > 0),
  taken_at   timestamptz  not null default now(),
  heard_at   timestamptz  not null default now(),
  expires_at timestamptz  not null,
  ended_at   timestamptz,
  ended_by   varchar(150),
  constraint pick_leases_ended_by_somebody check ((ended_at is null) = (ended_by is null))
);
comment on table pick_leases is
  'The newest lease of each batch: whoever takes the batch to another device writes over it, so that scans of the '
  'device before are known as late. It is valid as long as it is that of the picker of the batch and was not ended; '
  'once it has expired, another device may take it without saying that it takes it over.';
comment on column pick_leases.minutes is 'How long it holds after the device was heard last.';
create index pick_leases_user on pick_leases (user_id) where user_id is not null;
