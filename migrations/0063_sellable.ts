import type { Knex } from "knex";

// What can be sold depends on item, bin, zone and warehouse (src/stock/sellable.ts): a change of any of them is noted
// for the channels, as a change of stock is.

const ITEMS = ["items_availability_new", "items_availability_changed"];

/** Makes the trigger of changed items anew; it stays off while no channel is active, as 0054 has it. */
async function ofItems(knex: Knex, columns: string, condition: string): Promise<void> {
  await knex.raw(`
    drop trigger items_availability_changed on items;
    create trigger items_availability_changed after update of ${columns} on items for each row
      when (new.sku <> old.sku or new.category is distinct from old.category ${condition})
      execute function note_item_availability();
  `);
  if ((await knex.raw("select from channels where status = 'active'")).rows.length === 0)
    await knex.raw(`alter table items ${ITEMS.map((name) => `disable trigger ${name}`).join(", ")}`);
}

const ofBins = (columns: string, condition: string) => `
  drop trigger bins_availability on bins;
  create trigger bins_availability after update of ${columns} on bins for each row
    when (new.bin_type <> old.bin_type or new.is_active <> old.is_active ${condition})
    execute function note_bin_availability();`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${ofBins("bin_type, is_active, zone_id", "or new.zone_id <> old.zone_id")}
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
  `);
  await ofItems(knex, "sku, category, is_active", "or new.is_active <> old.is_active");
}

export async function down(knex: Knex): Promise<void> {
  await ofItems(knex, "sku, category", "");
  await knex.raw(`
    drop trigger warehouses_availability on warehouses;
    drop trigger zones_availability on zones;
    drop function note_warehouse_availability, note_zone_availability;
    ${ofBins("bin_type, is_active", "")}
  `);
}
