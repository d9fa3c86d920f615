import type { Knex } from "knex";

// How long a command id stays somebody's: a day for the Idempotency-Key of a user, longer for stations and tills.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table command_log add column valid_until timestamptz;
    update command_log set valid_until = created_at + interval '24 hours';
    alter table command_log
      alter column valid_until set not null, alter column valid_until set default now() + interval '24 hours';
    comment on column command_log.valid_until is
      'Until then the same id is the same command; ''infinity'' for a counter sale, which is never made twice.';
    drop index command_log_created;
    create index command_log_created on command_log (created_at) where valid_until < 'infinity';
    alter table sales_orders drop column idempotency_key, drop column idempotency_body_hash,
      drop column cached_response_body;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sales_orders
      add column idempotency_key varchar(64),
      add column idempotency_body_hash char(64),
      add column cached_response_body jsonb;
    create unique index sales_orders_idempotency_key on sales_orders (idempotency_key)
      where idempotency_key is not null;
    drop index command_log_created;
    create index command_log_created on command_log (created_at);
    alter table command_log drop column valid_until;
  `);
}
