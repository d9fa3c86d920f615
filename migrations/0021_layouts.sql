-- Where the aisles and rows of a warehouse lie, and how far its pickers walk.

create table warehouse_layouts (
  warehouse_id integer      not null primary key references warehouses on delete cascade,
  layout       jsonb        not null,
  updated_by   varchar(150) not null,
  updated_at   timestamptz  not null default now()
);
comment on table warehouse_layouts is
  'Where the aisles, cross aisles and rows of a warehouse lie (docs/layout.md). Without one, walks go by pick_sequence.';

alter table pick_batches
  add walk_metres double precision check (walk_metres >= 0),
  add sequence_metres double precision check (sequence_metres >= 0),
  add constraint pick_batches_walk_is_compared check ((walk_metres is null) = (sequence_metres is null));
comment on column pick_batches.walk_metres is
  'How far its walk was when it was made, from the depot and back; null where there is no layout, or a bin has no place '
  'in it. Its tasks are numbered in the order of that walk.';
comment on column pick_batches.sequence_metres is
  'How far the same walk would have been in the order of the pick_sequence of its bins.';
comment on column pick_tasks.pick_sequence is
  'Copied from the bin, so that a re-numbered aisle does not shuffle a walk under way; in a batch with walk_metres the '
  'place in its walk.';
