import type { Knex } from "knex";

// What each increase of stock asks of stock_waits. Connections keep plans from a time when the table
// was empty, and the statistics of a few items for which thousands wait suggest to read all of it; so these always use
// its indexes. Not by bitmap: only a plain scan marks dead entries, of which one command may leave thousands.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function awaited_places(warehouses integer[], items integer[])
    returns table (warehouse_id integer, item_id integer)
    language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
    begin
      return query select w.id, i.id
      from (select distinct unnest(warehouses)) w(id), (select distinct unnest(items)) i(id),
        lateral (select from stock_waits s where s.item_id = i.id and s.warehouse_id = w.id limit 1) s;
    end $$;
    comment on function awaited_places is 'Of these items in these warehouses those that some order waits for.';

    create function is_watched(warehouse integer, item integer) returns boolean
    language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
    begin
      return exists (select from stock_waits s where s.warehouse_id = warehouse and s.item_id = item and s.watched);
    end $$;
    comment on function is_watched is 'Whether any order watches an item.';

    create function watching_orders(warehouse integer, item integer, available bigint) returns setof integer
    language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
    begin
      return query select s.so_id from stock_waits s
      where s.warehouse_id = warehouse and s.item_id = item and s.watched and s.units <= available;
    end $$;
    comment on function watching_orders is 'The orders that watch an item and ask for no more units of it than these.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop function awaited_places, is_watched, watching_orders");
}
