-- Where the aisles and rows of a warehouse lie.

create table warehouse_layouts (
  warehouse_id integer      not null primary key references warehouses on delete cascade,
  layout       jsonb        not null,
  updated_by   varchar(150) not null,
  updated_at   timestamptz  not null default now()
);
comment on table warehouse_layouts is
  'Where the aisles, cross aisles and rows of a warehouse lie (docs/layout.md). Without one, walks go by pick_sequence.';
