import type { Knex } from "knex";

// What a command needs to write fast.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function refuse_repeat() returns boolean language plpgsql as $$
    begin
      raise exception 'this command was done before' using errcode = 'unique_violation', constraint =
        'command_log_pkey';
    end
    $$;
    comment on function refuse_repeat is
      'Fails the statement that finds its command id taken. The commit that travels behind it then rolls back.';

    -- Rows that live through several states stay on their page, and need no new entry in each index.
    alter table purchase_orders set (fillfactor = 85);
    alter table purchase_order_lines set (fillfactor = 85);
    alter table sales_orders set (fillfactor = 85);
    alter table pick_batches set (fillfactor = 85);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pick_batches reset (fillfactor);
    alter table sales_orders reset (fillfactor);
    alter table purchase_order_lines reset (fillfactor);
    alter table purchase_orders reset (fillfactor);
    drop function refuse_repeat;
  `);
}
