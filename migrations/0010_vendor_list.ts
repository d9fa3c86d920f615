import type { Knex } from "knex";

// The list of vendors goes by name, and is searched by name, contact and email.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index vendors_name on vendors (vendor_name, canonical_id);
    drop index vendors_search;
    create index vendors_search on vendors
      using gin (vendor_name gin_trgm_ops, contact_name gin_trgm_ops, email gin_trgm_ops) with (fastupdate = off);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index vendors_search;
    create index vendors_search on vendors using gin (vendor_name gin_trgm_ops);
    drop index vendors_name;
  `);
}
