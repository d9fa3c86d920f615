-- What a channel is told is told of an SKU. An item that gets another one has a row for each: the old one is told 0,
-- and keeps its version, above which whoever gets that SKU goes on.

with gone as (
  delete from channel_items k using items i
  where i.item_id = k.item_id and i.sku <> k.sku and exists (
    select from channel_items o
    where o.channel_id = k.channel_id and o.sku = k.sku and o.item_id <> k.item_id)
  returning k.channel_id)
update channels set whole_after = 0 where status = 'active' and channel_id in (select channel_id from gone);
alter table channel_items drop constraint channel_items_pkey, add primary key (channel_id, sku);
drop index channel_items_item;
create index channel_items_item on channel_items (item_id, channel_id);
comment on table channel_items is
  'One row per channel and SKU: what the channel has been told, or is to be told next, and the version of that.';
comment on column channel_items.item_id is
  'The item that has the SKU, or had it last: it is then told as not available.';
