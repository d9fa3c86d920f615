-- Serials that leave with what an inspection sends back, or a recall destroys.

alter table serial_steps drop constraint serial_steps_kind_check;
alter table serial_steps add constraint serial_steps_kind_check check (kind in (
  'RECEIVED', 'RECEIPT_REVERSED', 'PACKED', 'UNPACKED', 'SHIPPED', 'SHIP_VOIDED', 'RETURNED', 'RETURN_REVERSED',
  'ADJUSTED_OUT', 'FOUND', 'SENT_BACK', 'DESTROYED'));

comment on column recall_lots.known_quantity is
  'Units of the lot in the house and with customers when the recall was opened, but for those that came from vendors '
  'since; read when the lot is held, null until then.';
