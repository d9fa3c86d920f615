-- What a channel was told of an item outlives the item: its SKU is told as 0 once more, and whoever gets that SKU goes
-- on above its version.

alter table channel_items drop constraint channel_items_item_id_fkey;
comment on column channel_items.item_id is
  'The item that has the SKU, or had it last, which may be deleted: the SKU is then told as not available.';
create trigger item_deletions_availability after delete on items for each row
  execute function note_item_availability();
