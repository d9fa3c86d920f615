-- What an item asks of its units: lots, last days, serials. The defaults ask for nothing.

alter table items
  add lot_policy           text    not null default 'optional' check (lot_policy in ('none', 'optional', 'required')),
  add requires_expiry      boolean not null default false,
  add serial_policy        text    not null default 'none'
    check (serial_policy in ('none', 'at_receipt', 'at_shipping')),
  add shelf_life_days      integer check (shelf_life_days > 0),
  add shelf_life_from      text    not null default 'production' check (shelf_life_from in ('production', 'receipt')),
  add min_days_at_receipt  integer check (min_days_at_receipt >= 0),
  add min_days_at_shipping integer check (min_days_at_shipping >= 0),
  add lot_picking          text    not null default 'exact'
    check (lot_picking in ('exact', 'any_of_bin', 'first_expired_only'));
comment on column items.is_lot_tracked is 'A note of other systems; what is kept says lot_policy.';
comment on column items.is_serial_tracked is 'A note of other systems; what is kept says serial_policy.';
