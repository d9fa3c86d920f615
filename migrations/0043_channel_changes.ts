import type { Knex } from "knex";

// What a channel may have to be told is noted of stock only while a channel is active: everybody who moves stock waits
// for the last page of that table, and the update of a stock row took twice as long.

/** The triggers of stock, to be made with the function that they call. */
export const triggers = (noted: string) => `
  drop trigger inventory_availability_new on inventory;
  drop trigger inventory_availability_changed on inventory;
  drop trigger inventory_availability_gone on inventory;
  create trigger inventory_availability_new after insert on inventory for each row
    when (new.quantity_on_hand <> new.quantity_allocated) execute function ${noted}();
  create trigger inventory_availability_changed after update on inventory for each row
    when (new.quantity_on_hand - new.quantity_allocated <> old.quantity_on_hand - old.quantity_allocated
          or new.bin_id <> old.bin_id)
    execute function ${noted}();
  create trigger inventory_availability_gone after delete on inventory for each row
    when (old.quantity_on_hand <> old.quantity_allocated) execute function ${noted}();
  comment on trigger inventory_availability_changed on inventory is
    'A pick takes as many units as were allocated to it: what is available stays the same, and nothing is written.';`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function note_stock_availability() returns trigger language plpgsql as $$
    begin
      if exists (select from channels where status = 'active') then
        insert into availability_changes (item_id)
          values (case when tg_op = 'DELETE' then old.item_id else new.item_id end);
      end if;
      return null;
    end
    $$;
    comment on function note_stock_availability is
      'Whoever makes a channel active locks inventory in share mode, so that nobody writes to it who cannot see the '
      'channel yet.';
    ${triggers("note_stock_availability")}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${triggers("note_item_availability")}
    drop function note_stock_availability;
  `);
}
