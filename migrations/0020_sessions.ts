import type { Knex } from "knex";

// Sessions that were ended before their tokens expire, and one table for the requests of a minute, whoever is limited.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ended_sessions (
      session_id text primary key,
      ended_at   timestamptz not null default now()
    );
    comment on table ended_sessions is
      'Sessions that were logged out: their tokens (claim sid, else jti) are refused. Purged when none can be alive.';

    create unlogged table request_counts (
      key    text primary key,
      minute timestamptz not null,
      taken  integer not null
    ) with (fillfactor = 50);
    comment on table request_counts is
      'How many requests of the running minute the API processes have taken for themselves. A crash may forget it.';
    comment on column request_counts.key is
      'What is counted, and for whom: an integration token by its number, a client by its address.';
    comment on table wms_token_minutes is
      'Not used any more: request_counts took its place. It stays for API processes that still run the release before.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table request_counts, ended_sessions;
    comment on table wms_token_minutes is
      'How many requests of the running minute the API processes have taken for themselves. A crash may forget it, and '
      'no row needs its token.';
  `);
}
