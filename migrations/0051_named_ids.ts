import type { Knex } from "knex";

// Finding the ids in the data of an event took a third of the time of numbering it, most of that in translate().
// with_source_ids() stays for workers of the version before: the sequencer has it in its statement now.

/** Creates named_ids with what tells an id from other text, behind the test for the places of its dashes. */
const namedIds = (isId: string) => `
  create or replace function named_ids(data text) returns setof uuid language sql immutable parallel safe as $$
    select left(part, 36)::uuid from string_to_table(data, '_external_id":"') part
    where part like '________-____-____-____-____________"%' and ${isId}
  $$;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(namedIds("left(part, 36) ~ '^[0-9a-f]+(-[0-9a-f]+){4}$'"));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(namedIds("translate(left(part, 36), '0123456789abcdef', '') = '----'"));
}
