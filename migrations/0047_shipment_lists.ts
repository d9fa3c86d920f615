import type { Knex } from "knex";

// The list of shipments and that of the messages to a notification destination: a page is a walk along an index in the
// order of the list.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index item_fulfillments_day;
    create index item_fulfillments_day on item_fulfillments (warehouse_id, shipped_at, fulfillment_id);
    create index item_fulfillments_newest on item_fulfillments (shipped_at, fulfillment_id);
    create index item_fulfillments_carrier on item_fulfillments (lower(carrier), shipped_at, fulfillment_id);
    comment on index item_fulfillments_carrier is 'Carriers are typed by hand: UPS and ups are one.';
    create index item_fulfillments_search on item_fulfillments using gin (tracking_number gin_trgm_ops);

    drop index notifications_webhook;
    create index notifications_webhook on notifications (webhook_id, notification_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index item_fulfillments_day, item_fulfillments_newest, item_fulfillments_carrier, item_fulfillments_search;
    create index item_fulfillments_day on item_fulfillments (warehouse_id, shipped_at);

    drop index notifications_webhook;
    create index notifications_webhook on notifications (webhook_id);
  `);
}
