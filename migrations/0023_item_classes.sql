-- How often items are picked, for put-away rules.

create table item_classes (
  warehouse_id integer not null references warehouses on delete cascade,
  item_id      integer not null references items on delete cascade,
  item_class   char(1) not null check (item_class in ('A', 'B', 'C')),
  picks        bigint  not null check (picks > 0),
  primary key (warehouse_id, item_id)
);
comment on table item_classes is
  'Of the last 90 days, by the nightly job classes; an item without a row was not picked, and is of class C.';
comment on column item_classes.item_class is
  'A: the items that make the first 80 % of the picks; B: the next 15 %; C: the others.';
create index item_classes_item on item_classes (item_id);

alter table put_away_rules add item_class char(1) check (item_class in ('A', 'B', 'C'));
comment on column put_away_rules.item_class is 'For items of this class in the warehouse, of any by null.';
