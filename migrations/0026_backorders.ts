import type { Knex } from "knex";

// What waiting orders need, by item, so that an increase of stock finds those that it may release among thousands; the
// list of backorders, by tab.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table stock_waits (
      so_id        integer not null references sales_orders on delete cascade,
      item_id      integer not null,
      warehouse_id integer not null,
      units        bigint not null,
      watched      boolean not null default true,
      primary key (so_id, item_id)
    );
    comment on table stock_waits is
      'What each WAITING_STOCK order needs, by item. Triggers of sales_orders and sales_order_lines keep it.';
    comment on column stock_waits.watched is
      'An increase of stock tests the orders that watch its item. All items of an order are watched, or one that it '
      'lacks.';
    create index stock_waits_item on stock_waits (item_id, warehouse_id);
    create index stock_waits_watched on stock_waits (warehouse_id, item_id, units) where watched;

    -- Its plan is kept by each connection, from a time when the table may have been empty.
    create function refresh_stock_waits(ids integer[]) returns void language plpgsql set enable_seqscan = off as $$
    begin
      delete from stock_waits where so_id = any(ids);
      insert into stock_waits (so_id, item_id, warehouse_id, units)
      select so_id, item_id, warehouse_id, sum(quantity_ordered - quantity_allocated)
      from sales_orders join sales_order_lines using (so_id)
      where so_id = any(ids) and sales_orders.status = 'WAITING_STOCK' group by so_id, item_id, warehouse_id;
    end $$;

    create function stock_waits_of_order() returns trigger language plpgsql as $$
    begin
      perform refresh_stock_waits(array[new.so_id]);
      return null;
    end $$;
    create trigger stock_waits_change after update of status, warehouse_id on sales_orders
      for each row when ((old.status = 'WAITING_STOCK' or new.status = 'WAITING_STOCK')
        and (old.status <> new.status or old.warehouse_id <> new.warehouse_id))
      execute function stock_waits_of_order();

    create function stock_waits_of_new_lines() returns trigger language plpgsql as $$
    declare
      ids integer[] := array(select distinct so_id from new_lines join sales_orders so using (so_id)
                             where so.status = 'WAITING_STOCK');
    begin
      if ids <> '{}' then perform refresh_stock_waits(ids); end if;
      return null;
    end $$;
    create trigger stock_waits_lines after insert on sales_order_lines referencing new table as new_lines
      for each statement execute function stock_waits_of_new_lines();

    create function stock_waits_of_line() returns trigger language plpgsql as $$
    begin
      perform refresh_stock_waits(array[old.so_id]);
      return null;
    end $$;
    create trigger stock_waits_line_change after update of quantity_ordered, item_id on sales_order_lines
      for each row when (old.quantity_ordered <> new.quantity_ordered or old.item_id <> new.item_id)
      execute function stock_waits_of_line();
    create trigger stock_waits_line_end after delete on sales_order_lines
      for each row execute function stock_waits_of_line();

    select refresh_stock_waits(array(select so_id from sales_orders where status = 'WAITING_STOCK'));

    create index sales_orders_waiting on sales_orders (warehouse_id, (coalesce(backorder_opened_at, created_at)), so_id)
      where status = 'WAITING_STOCK';
    create index sales_orders_backorders_ready on sales_orders (warehouse_id, backorder_opened_at)
      where backorder_opened_at is not null and status in ('OPEN', 'PICKED', 'PACKED');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sales_orders_waiting, sales_orders_backorders_ready;
    drop trigger stock_waits_change on sales_orders;
    drop trigger stock_waits_lines on sales_order_lines;
    drop trigger stock_waits_line_change on sales_order_lines;
    drop trigger stock_waits_line_end on sales_order_lines;
    drop function stock_waits_of_order, stock_waits_of_new_lines, stock_waits_of_line, refresh_stock_waits;
    drop table stock_waits;
  `);
}
