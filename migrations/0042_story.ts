import type { Knex } from "knex";

// What the story of an order reads. Events get their entry when they are numbered, which no scan waits for.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index integration_events_of_order on integration_events (entity_id)
      where entity_type = 'sales_order' and event_id is not null;
    create index webhook_deliveries_event on webhook_deliveries
      using brin (event_id) with (pages_per_range = 16, autosummarize = on);
    comment on index webhook_deliveries_event is
      'BRIN: deliveries are inserted nearly in the order of their events, and changes of them cost it nothing.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index integration_events_of_order, webhook_deliveries_event");
}
