-- What an item asks for when it is shipped: the least days that units must have left.

alter table inventory add sale_ended date;
comment on column inventory.sale_ended is
  'The last day on which the units were sold, once a job has found that they have fewer days left than their item must '
  'have at shipping (items.min_days_at_shipping), and has ended their promises.';

-- Where units are sold once more, by another last day or another policy, the end of their sale is told anew.
create function forget_sale_ended() returns trigger language plpgsql as $$
begin
  new.sale_ended := null;
  return new;
end
$$;
create trigger inventory_sold_again before update of expiry_date on inventory
  for each row
  when (old.sale_ended is not null and new.expiry_date is distinct from old.expiry_date)
  execute function forget_sale_ended();
create function forget_sales_ended() returns trigger language plpgsql as $$
begin
  perform from inventory where item_id = new.item_id and sale_ended is not null
    order by item_id, bin_id, lot_number for update;
  update inventory set sale_ended = null where item_id = new.item_id and sale_ended is not null;
  return null;
end
$$;
create trigger items_sold_again after update of min_days_at_shipping on items
  for each row
  when (new.min_days_at_shipping is distinct from old.min_days_at_shipping)
  execute function forget_sales_ended();

create index items_kept_fresh on items (item_id) where min_days_at_shipping is not null;

-- Availability changes with the policy. It stays switched on where channels listen.
do $$
declare
  is_on boolean := (
    select tgenabled <> 'D' from pg_trigger
    where tgrelid = 'items'::regclass and tgname = 'items_availability_changed');
begin
  drop trigger items_availability_changed on items;
  create trigger items_availability_changed after update of sku, category, is_active, min_days_at_shipping on items
    for each row
    when (new.sku <> old.sku or new.category is distinct from old.category or new.is_active <> old.is_active
      or new.min_days_at_shipping is distinct from old.min_days_at_shipping)
    execute function note_item_availability();
  if not is_on then
    alter table items disable trigger items_availability_changed;
  end if;
end
$$;
