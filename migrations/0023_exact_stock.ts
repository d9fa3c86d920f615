import type { Knex } from "knex";

// What a count expected when it was made, beside what it expects when it is submitted; sums of units that one row may
// not hold.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table cycle_count_lines
      add expected_at_creation bigint not null default 0 check (expected_at_creation >= 0),
      alter expected_quantity type bigint;
    update cycle_count_lines set expected_at_creation = expected_quantity where expected_quantity <> 0;
    comment on column cycle_count_lines.expected_quantity is
      'What the stock rows said when the line was counted; until then, when the count was made.';
    comment on column cycle_count_lines.expected_at_creation is
      'What the stock rows said when the count was made; 0 for an item that was not there.';
    alter table pick_batches alter total_items type bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table cycle_count_lines
      drop expected_at_creation,
      alter expected_quantity type integer using least(expected_quantity, 2147483647);
    comment on column cycle_count_lines.expected_quantity is null;
    alter table pick_batches alter total_items type integer using least(total_items, 2147483647);
  `);
}
