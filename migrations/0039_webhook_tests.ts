import type { Knex } from "knex";

// The event webhook.test, which somebody has a worker send to see whether a webhook works.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_tests (
      test_id          uuid primary key,
      subscription_id  uuid not null references webhook_subscriptions on delete cascade,
      event            jsonb not null,
      created_at       timestamptz not null default clock_timestamp(),
      claimed_at       timestamptz,
      completed_at     timestamptz,
      http_status      smallint,
      error_kind       varchar(32),
      error_detail     varchar(512),
      response_time_ms integer
    );
    comment on table webhook_tests is
      'Test events, apart from deliveries: nothing waits for them, and no cursor moves by them.';
    comment on column webhook_tests.claimed_at is 'When a worker took it: it is sent once, whatever becomes of that.';
    create index webhook_tests_subscription on webhook_tests (subscription_id, created_at);
    create index webhook_tests_waiting on webhook_tests (created_at)
      where claimed_at is null and completed_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table webhook_tests");
}
