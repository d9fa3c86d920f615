-- What can be sold depends on item, bin, zone and warehouse (src/stock/sellable.ts): a change of any of them is noted
-- for the channels, as a change of stock is.

drop trigger bins_availability on bins;
create trigger bins_availability after update of bin_type, is_active, zone_id on bins for each row
  when (new.bin_type <> old.bin_type or new.is_active <> old.is_active or new.zone_id <> old.zone_id)
  execute function note_bin_availability();
create function note_zone_availability() returns trigger language plpgsql as $$
begin
  insert into availability_changes (bin_id) select bin_id from bins where zone_id = new.zone_id;
  return null;
end
$$;
create trigger zones_availability after update of zone_type, is_active on zones for each row
  when (new.zone_type <> old.zone_type or new.is_active <> old.is_active)
  execute function note_zone_availability();
create function note_warehouse_availability() returns trigger language plpgsql as $$
begin
  insert into availability_changes (bin_id) select bin_id from bins where warehouse_id = new.warehouse_id;
  return null;
end
$$;
create trigger warehouses_availability after update of is_active on warehouses for each row
  when (new.is_active <> old.is_active) execute function note_warehouse_availability();
drop trigger items_availability_changed on items;
create trigger items_availability_changed after update of sku, category, is_active on items for each row
  when (new.sku <> old.sku or new.category is distinct from old.category or new.is_active <> old.is_active)
  execute function note_item_availability();

-- It stays off while no channel is active.
do $$
begin
  if not exists (select from channels where status = 'active') then
    alter table items disable trigger items_availability_new, disable trigger items_availability_changed;
  end if;
end
$$;
