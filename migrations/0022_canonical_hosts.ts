import type { Knex } from "knex";

// Where deleted webhooks sent to is compared without the dots that may end a host name: what was noted before loses
// them.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    update webhook_subscriptions_tombstones
    set delivery_url_canonical = regexp_replace(delivery_url_canonical,
      '^(https{0,1}://([^/@]*@){0,1}[^/:]*[^/:.])[.]+([:/])', '\1\3')
    where delivery_url_canonical ~ '^https{0,1}://([^/@]*@){0,1}[^/:]*[.][:/]'
  `);
}

export async function down(): Promise<void> {
  // With the dots or without them, it is the same host.
}
