import type { Knex } from "knex";

// Days, hours and today are those of the warehouse's clock. Data that was taken over may have names that Postgres does
// not know; they would fail each report.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update warehouses set timezone = null where timezone not in (select name from pg_timezone_names);
    comment on column warehouses.timezone is
      'By whose clock its days and hours are, of the IANA list, or null for the company''s.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    comment on column warehouses.timezone is
      'Kept for takeover of older data; days are cut by the company time zone of the configuration.';
  `);
}
