import type { Knex } from "knex";

// What a shipping station says of a parcel has its place in the audit row. Its own name stands with the shipment too:
// whoever ships the order once more is told where it was shipped, and a token may be renamed or deleted.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table item_fulfillments add column station_label varchar(128);
    comment on column item_fulfillments.station_label is 'The name of the station''s token when it shipped.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table item_fulfillments drop column station_label;`);
}
