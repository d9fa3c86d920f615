import type { Knex } from "knex";

// Postgres parses the condition of a trigger anew for each statement. That of the two triggers of sales_orders took a
// tenth of an update of one row, so the functions ask themselves.

const tables = ["bins", "purchase_orders", "sales_orders"];

/** Creates the triggers that note when a row was changed, with this condition. */
const noteUpdates = (condition: string) =>
  tables
    .map(
      (table) => `
        drop trigger ${table}_note_update on ${table};
        create trigger ${table}_note_update before update on ${table}
          for each row ${condition} execute function note_update();`,
    )
    .join("");

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function note_update() returns trigger language plpgsql as $$
    begin
      if old is distinct from new then
        new.updated_at := clock_timestamp();
      end if;
      return new;
    end $$;
    ${noteUpdates("")}

    create or replace function stock_waits_of_order() returns trigger language plpgsql as $$
    begin
      if (old.status = 'WAITING_STOCK' or new.status = 'WAITING_STOCK')
        and (old.status <> new.status or old.warehouse_id <> new.warehouse_id) then
        perform refresh_stock_waits(array[new.so_id]);
      end if;
      return null;
    end $$;
    drop trigger stock_waits_change on sales_orders;
    create trigger stock_waits_change after update of status, warehouse_id on sales_orders
      for each row execute function stock_waits_of_order();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger stock_waits_change on sales_orders;
    create trigger stock_waits_change after update of status, warehouse_id on sales_orders
      for each row when ((old.status = 'WAITING_STOCK' or new.status = 'WAITING_STOCK')
        and (old.status <> new.status or old.warehouse_id <> new.warehouse_id))
      execute function stock_waits_of_order();
    create or replace function stock_waits_of_order() returns trigger language plpgsql as $$
    begin
      perform refresh_stock_waits(array[new.so_id]);
      return null;
    end $$;

    ${noteUpdates("when (old is distinct from new)")}
    create or replace function note_update() returns trigger language plpgsql as $$
    begin
      new.updated_at := clock_timestamp();
      return new;
    end $$;
  `);
}
