-- Batches that wait for a picker.

alter table pick_batches add ship_by_date date, add priority integer, add first_sequence integer;
comment on column pick_batches.assigned_to is
  'The user name, which stays when the user is gone; assigned_user_id is for joins. Null: the batch was released and '
  'waits for a picker.';
comment on column pick_batches.ship_by_date is
  'The earliest of its orders when it began to wait, as the two next ones: by them a picker gets the next batch.';
comment on column pick_batches.priority is 'The highest of its orders.';
comment on column pick_batches.first_sequence is 'The pick sequence of its first stop.';
create index pick_batches_waiting on pick_batches (warehouse_id, ship_by_date, priority desc, batch_id)
  where status = 'OPEN' and assigned_to is null;
