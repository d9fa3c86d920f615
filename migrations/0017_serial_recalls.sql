-- Serials that leave with what an inspection sends back, or a recall destroys; recalls of serials.

alter table serial_steps drop constraint serial_steps_kind_check;
alter table serial_steps add constraint serial_steps_kind_check check (kind in (
  'RECEIVED', 'RECEIPT_REVERSED', 'PACKED', 'UNPACKED', 'SHIPPED', 'SHIP_VOIDED', 'RETURNED', 'RETURN_REVERSED',
  'ADJUSTED_OUT', 'FOUND', 'SENT_BACK', 'DESTROYED'));

create table recall_serials (
  recall_id integer not null references recalls on delete cascade,
  serial_id integer not null references serials on delete cascade,
  primary key (recall_id, serial_id)
);
comment on table recall_serials is
  'Units that are called back by their serial numbers. While the recall is open they are neither packed nor shipped.';
create index recall_serials_serial on recall_serials (serial_id);

comment on table recalls is
  'Lots and serials that are called back. It is open until somebody closes it; where their units are is read from stock, '
  'picks and shipments (docs/recall.md).';
comment on column recall_lots.known_quantity is
  'Units of the lot in the house and with customers when the recall was opened, but for those that came from vendors '
  'since; read when the lot is held, null until then.';
