-- After a short pick the books keep the units that the picker did not find. They are in doubt until somebody counts the
-- bin: nobody is promised any of them.

alter table inventory add column quantity_doubted integer not null default 0 check (quantity_doubted >= 0);
comment on column inventory.quantity_doubted is
  'Units on the books that a picker looked for in vain: nobody is promised any of them until the bin is counted. '
  'At most quantity_on_hand: what leaves the bin has been there.';
create function limit_doubt() returns trigger language plpgsql as $$
begin
  new.quantity_doubted := greatest(0, new.quantity_on_hand);
  return new;
end
$$;
create trigger inventory_doubt before update on inventory for each row
  when (new.quantity_doubted > new.quantity_on_hand) execute function limit_doubt();

alter table sales_orders add column short_accepted_at timestamptz;
comment on column sales_orders.short_accepted_at is
  'When somebody decided that the order is shipped as it was picked, though some of it is missing.';
drop trigger inventory_availability_changed on inventory;
create trigger inventory_availability_changed after update on inventory for each row
  when (
    new.quantity_on_hand - new.quantity_allocated - new.quantity_doubted
      <> old.quantity_on_hand - old.quantity_allocated - old.quantity_doubted
    or new.bin_id <> old.bin_id)
  execute function note_item_availability();
comment on trigger inventory_availability_changed on inventory is
  'A pick takes as many units as were allocated to it: what is available stays the same, and nothing is written.';

-- It stays off while no channel is active.
do $$
begin
  if not exists (select from channels where status = 'active') then
    alter table inventory disable trigger inventory_availability_changed;
  end if;
end
$$;
