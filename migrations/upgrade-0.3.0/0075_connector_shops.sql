-- Ids belong to the shop that gave them. A connector that is led to another shop must not take that shop's ids for
-- those of the one before, so it is remembered which shop the links of a connector are of, also while no credentials
-- are stored.

create table connector_shops (
  connector_name varchar(64) not null,
  warehouse_id   int not null references warehouses,
  shop_no        int not null,
  shop           text not null,
  is_current     boolean not null,
  primary key (connector_name, warehouse_id, shop_no),
  unique (connector_name, warehouse_id, shop)
);
create index connector_shops_warehouse on connector_shops (warehouse_id);
create unique index connector_shops_current on connector_shops (connector_name, warehouse_id) where is_current;
comment on table connector_shops is
  'The shops that a connector leads to or has led to, by host and path. Links of one that is not current have the '
  'source system <connector>-<warehouse id>@<shop_no>, until it is current again.';

alter table fulfillment_pushes add former_shop text;
comment on column fulfillment_pushes.former_shop is
  'The shop that the order is of, where its connector leads to another one now, which is told nothing of it.';
