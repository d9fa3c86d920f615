import type { Knex } from "knex";

// After a short pick the books keep the units that the picker did not find. They are in doubt until somebody counts the
// bin: nobody is promised any of them.

/** The trigger that notes changes of what is available; it stays off while no channel is active, as 0049 has it. */
async function noting(knex: Knex, doubted: string): Promise<void> {
  const available = (row: string) =>
    `${row}.quantity_on_hand - ${row}.quantity_allocated${doubted && ` - ${row}.${doubted}`}`;
  await knex.raw(`
    drop trigger inventory_availability_changed on inventory;
    create trigger inventory_availability_changed after update on inventory for each row
      when (${available("new")} <> ${available("old")} or new.bin_id <> old.bin_id)
      execute function note_item_availability();
    comment on trigger inventory_availability_changed on inventory is
      'A pick takes as many units as were allocated to it: what is available stays the same, and nothing is written.';
  `);
  if ((await knex.raw("select from channels where status = 'active'")).rows.length === 0)
    await knex.raw("alter table inventory disable trigger inventory_availability_changed");
}

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table inventory add column quantity_doubted integer not null default 0 check (quantity_doubted >= 0);
    comment on column inventory.quantity_doubted is
      'Units on the books that a picker looked for in vain: nobody is promised any of them until the bin is counted. '
      'At most quantity_on_hand: what leaves the bin has been there.';
    create function limit_doubt() returns trigger language plpgsql as $$
    begin
      new.quantity_doubted := greatest(0, new.quantity_on_hand);
      return new;
    end
    $$;
    create trigger inventory_doubt before update on inventory for each row
      when (new.quantity_doubted > new.quantity_on_hand) execute function limit_doubt();

    alter table sales_orders add column short_accepted_at timestamptz;
    comment on column sales_orders.short_accepted_at is
      'When somebody decided that the order is shipped as it was picked, though some of it is missing.';
  `);
  await noting(knex, "quantity_doubted");
}

export async function down(knex: Knex): Promise<void> {
  await noting(knex, "");
  await knex.raw(`
    alter table sales_orders drop column short_accepted_at;
    drop trigger inventory_doubt on inventory;
    drop function limit_doubt;
    alter table inventory drop column quantity_doubted;
  `);
}
