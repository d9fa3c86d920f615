-- Serials that leave with a correction of stock, or are found.

alter table serial_steps drop constraint serial_steps_kind_check;
alter table serial_steps add constraint serial_steps_kind_check check (kind in (
  'RECEIVED', 'RECEIPT_REVERSED', 'PACKED', 'UNPACKED', 'SHIPPED', 'SHIP_VOIDED', 'RETURNED', 'RETURN_REVERSED',
  'ADJUSTED_OUT', 'FOUND'));
