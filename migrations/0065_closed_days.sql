-- Closed days of a warehouse: carriers fetch nothing of it on them.

alter table warehouses add column closed_days date[] not null default '{}'
  constraint warehouses_closed_days_few check (cardinality(closed_days) <= 366);
comment on column warehouses.closed_days is
  'Days on which nobody works there: no collection is on one, and a late parcel is not counted later for it.';
