import { z } from "zod";
import { parseConfig, type Scope } from "../../../src/outbound/channels/config.js";
import { arrayOf, bool, int, json, text, time } from "../../../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../../../src/platform/db/db.js";
import { inNoSandbox } from "../../../src/platform/db/sandboxes.js";
import { SELLABLE_STOCK } from "../../../src/stock/sellable.js";
import { channelReceivers, notifySenders, pauseMalformedConfig } from "../receivers.js";

/** Advisory lock: only one process at a time takes what has changed. */
const COLLECTING_LOCK = 7_306;
/** Changes of one transaction, and items where the whole is published. */
const MOST_CHANGES = 10_000;
const PAGE = 5_000;

const ActiveChannel = z.strictObject({
  channel_id: text,
  updated_at: time,
  sku_scope: json,
  transform: json,
  whole_after: int.nullable(),
});
type ActiveChannel = z.infer<typeof ActiveChannel>;

const WAITING = `
  select exists (select from availability_changes)
    or exists (select from channels where whole_after is not null and status = 'active') as waiting`;

const CollectAvailabilityRow = { changes: int, items: arrayOf(int) };

/**
 * Marks for each active channel the items whose availability differs from what it was told and, while its whole
 * availability is published, the next page of all items (docs/interface.md, Channels). What has changed is in
 * `availability_changes`, in rows that are visible once the change is, so availability that is read in or after the
 * statement that takes them includes it. It is no command: run again, it takes what is left.
 * @returns Whether there is more left than fits into one transaction.
 */
export async function collectAvailability(): Promise<boolean> {
  const found = await db.row({ waiting: bool }, WAITING);
  if (!found?.waiting) return false;
  const malformed: ActiveChannel[] = [];
  const more = await transaction(async (tx) => {
    const lock = await tx.row({ got: bool }, `select pg_try_advisory_xact_lock(${COLLECTING_LOCK}) as got`);
    if (!lock?.got) return false;
    const [taken, channels] = await tx.inOrder([
      tx.row(CollectAvailabilityRow, TAKE),
      tx.rows(
        ActiveChannel,
        `select channel_id, updated_at, sku_scope, transform, whole_after from channels
         where status = 'active' order by channel_id for update`,
      ),
    ]);
    const { changes = 0, items = [] } = taken ?? {};
    if (channels.length === 0 && changes > 0) await tx.run("select stop_noting_stock()");
    const left = await Promise.all(
      channels.map((channel) => {
        if (channel.whole_after === null && items.length === 0) return false;
        const config = parseConfig(channel);
        if (config) return collectFor(tx, channel, config.scope, items);
        malformed.push(channel);
        return false;
      }),
    );
    return changes === MOST_CHANGES || left.includes(true);
  });
  for (const { channel_id, updated_at } of malformed) await pauseMalformedConfig(channel_id, updated_at);
  return more;
}

/** Takes changes, and gives the items that they are of. */
const TAKE = `
  with taken as (
    delete from availability_changes
    where ctid = any(array(select ctid from availability_changes limit ${MOST_CHANGES})) returning item_id, bin_id
  ), items as (
    select item_id from taken where item_id is not null
    union select i.item_id from taken join inventory i using (bin_id)
  )
  select (select count(*) from taken) as changes, (select coalesce(json_agg(item_id), '[]') from items) as items`;

/** Marks what a channel is to be told; gives whether more of its whole availability is left. */
async function collectFor(
  tx: Sql,
  { channel_id, whole_after }: ActiveChannel,
  scope: Scope,
  changed: number[],
): Promise<boolean> {
  // Items above `whole_after` are in this page of the whole availability, or in a later one.
  const before = whole_after === null ? changed : changed.filter((id) => id <= whole_after);
  let marked = before.length > 0 ? await mark(tx, channel_id, before, scope, false) : 0;
  let more = false;
  if (whole_after !== null) {
    const page = await tx.rows(
      { item_id: int },
      `select item_id from items where item_id > $1 order by item_id limit ${PAGE}`,
      [whole_after],
    );
    const ids = page.map(({ item_id }) => item_id);
    more = ids.length === PAGE;
    marked += await mark(tx, channel_id, ids, scope, true);
    await tx.run("update channels set whole_after = $2 where channel_id = $1", [channel_id, more ? ids.at(-1) : null]);
  }
  if (marked > 0) await notifySenders(tx, channelReceivers, channel_id);
  return more;
}

async function mark(tx: Sql, channelId: string, itemIds: number[], scope: Scope, whole: boolean): Promise<number> {
  const { skus, categories, warehouse_ids } = scope;
  const now = await tx.run(MARK, { channelId, itemIds, skus, categories, warehouse_ids, whole });
  return now + (await tx.run(MARK_FORMER, [channelId, itemIds, whole]));
}

/**
 * An SKU that its item no longer has, nor any other, is told once more, as not available. With the whole availability
 * these are all whose item was deleted.
 */
const MARK_FORMER = `
  update channel_items k
  set available = 0, version = k.version + 1, in_scope = false, dirty_since = coalesce(k.dirty_since, now()),
      due_at = case when $3 then now() else coalesce(k.due_at, now() + make_interval(secs => c.debounce_seconds)) end,
      attempts = case when k.parked or $3 then 0 else k.attempts end, parked = false
  from channels c
  where c.channel_id = $1 and k.channel_id = $1 and k.in_scope
    and (k.item_id = any($2) or $3 and not exists (select from items i where i.item_id = k.item_id))
    and not exists (select from items o where o.sku = k.sku)`;

/**
 * Available is what can be sold on shelves, reserve bins among them (docs/interface.md, Channels). An item that left
 * the scope is told once more, as not available. One that is archived and was never in stock is not told at all.
 */
const MARK = `
  with wanted as (
    select i.item_id, i.sku, i.is_active,
           coalesce((:skus::text[] is null or i.sku in (select unnest(:skus::text[])))
             and (:categories::text[] is null or i.category in (select unnest(:categories::text[]))), false) as in_scope
    from items i where i.item_id = any(:itemIds) and not i.is_sandbox
  ), stock as (
    select item_id, sum(available) as units from ${SELLABLE_STOCK} s
    where item_id = any(:itemIds) and is_on_shelf
      and (:warehouse_ids::int[] is null or warehouse_id = any(:warehouse_ids))
      and ${inNoSandbox("s.warehouse_id")}
    group by item_id
  )
  insert into channel_items as t (channel_id, item_id, sku, available, version, in_scope, dirty_since, due_at)
  select :channelId, w.item_id, w.sku, case when w.in_scope then coalesce(stock.units, 0) else 0 end,
         1 + coalesce((select max(version) from channel_items
                        where channel_id = :channelId and item_id = w.item_id), 0),
         w.in_scope, now(),
         now() + case when :whole then interval '0' else make_interval(secs => c.debounce_seconds) end
  from channels c cross join wanted w left join stock using (item_id)
    left join channel_items k on k.channel_id = :channelId and k.sku = w.sku
  where c.channel_id = :channelId and (w.in_scope and (w.is_active or stock.units is not null) or k.in_scope)
  order by w.item_id
  on conflict (channel_id, sku) do update
    set item_id = excluded.item_id, available = excluded.available, in_scope = excluded.in_scope,
        version = greatest(t.version + 1, excluded.version),
        dirty_since = coalesce(t.dirty_since, excluded.dirty_since),
        due_at = case when :whole then excluded.due_at else coalesce(t.due_at, excluded.due_at) end,
        attempts = case when t.parked or :whole then 0 else t.attempts end, parked = false
    where t.available <> excluded.available or t.item_id <> excluded.item_id or t.in_scope <> excluded.in_scope
      or :whole and excluded.in_scope`;
