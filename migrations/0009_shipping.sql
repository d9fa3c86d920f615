-- What an item asks for when it is shipped: the least days that units must have left.

alter table inventory add sale_ended date;
comment on column inventory.sale_ended is
  'The last day on which the units were sold, once a job has found that they have fewer days left than their item must '
  'have at shipping (items.min_days_at_shipping), and has ended their promises.';

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
