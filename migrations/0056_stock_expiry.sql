-- The last day of units that lie there. An index whose condition names quantity_on_hand has each change of that
-- quantity write all indexes of the row anew; this value changes only when a row becomes empty, or is empty no more.

drop index inventory_expiring;
alter table inventory
  add column stock_expiry date generated always as (case when quantity_on_hand > 0 then expiry_date end) stored;
comment on column inventory.stock_expiry is
  'The last day of the units of the row; null where there are none, or they have none.';
create index inventory_expiring on inventory (stock_expiry, inventory_id) where stock_expiry is not null;
