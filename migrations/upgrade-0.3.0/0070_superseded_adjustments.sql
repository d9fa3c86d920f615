-- What a count proposed is not booked any more once its item was counted again in the bin: both would change stock.

alter table inventory_adjustments
  add column superseded_by_count_id integer references cycle_counts on delete set null;
comment on column inventory_adjustments.superseded_by_count_id is
  'The count that found the item anew while this waited for approval. The adjustment is REJECTED then.';
create index inventory_adjustments_superseded on inventory_adjustments (superseded_by_count_id)
  where superseded_by_count_id is not null;
create index inventory_adjustments_pending_bin on inventory_adjustments (bin_id) where status = 'PENDING';
