-- Labels that a carrier does not take back, or does not pay back after all.

alter table label_purchases drop constraint label_purchases_status_check;
alter table label_purchases add constraint label_purchases_status_check check (status in ('pending', 'bought',
  'failed', 'cancelled', 'voiding', 'voided', 'void_failed', 'written_off'));
alter table label_purchases drop constraint label_purchases_refund_check;
alter table label_purchases add constraint label_purchases_refund_check
  check (refund in ('submitted', 'refunded', 'rejected'));
create index label_purchases_refunds on label_purchases (updated_at) where refund = 'submitted';
