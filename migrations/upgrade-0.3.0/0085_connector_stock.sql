-- A file of stock that is read again says what was there when it was written. What it said last is remembered, so that
-- a row that says the same does not set back what was shipped since.

create table connector_stock (
  connector_name varchar(64) not null,
  warehouse_id   int not null references warehouses,
  item           varchar(128) not null,
  bin_code       varchar(64) not null,
  quantity       int not null,
  primary key (connector_name, warehouse_id, item, bin_code)
);
create index connector_stock_warehouse on connector_stock (warehouse_id);
comment on table connector_stock is
  'How many units of an item a bin held by the last word of a source that has no versions.';
