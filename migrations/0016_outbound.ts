import type { Knex } from "knex";

// What partners take out: consumer groups that poll, scans of the inventory, webhooks and their deliveries.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index integration_events_type, integration_events_warehouse;
    create index integration_events_filtered on integration_events (warehouse_id, event_type, event_id)
      where event_id is not null;
    comment on index integration_events_filtered is
      'Who wants some types of some warehouses reads as many short runs of it, however rare or frequent they are.';

    -- By its index, however small the table was when this was planned: without statistics the planner would rather read
    -- all of it.
    create function with_source_ids(data jsonb) returns jsonb language plpgsql stable parallel safe
      set enable_seqscan to off as $$
    declare
      result text := data;
      known record;
    begin
      for known in
        select id, source_id
        from (select distinct left(part, 36) as id from string_to_table(result, '_external_id": "') part
              where part like '________-____-____-____-____________"%'
                and translate(left(part, 36), '0123456789abcdef', '') = '----') named,
             lateral (select source_id from cross_system_mappings
                      where canonical_id = named.id::uuid order by mapping_id + 0 limit 1) m
      loop
        result := replace(result, '_external_id": "' || known.id || '"', '_external_id": ' || to_json(known.source_id));
      end loop;
      return result;
    end
    $$;
    comment on function with_source_ids is
      'The data of an event with the ids that another system gave in the places of ours; where several did, the '
      'earliest. A quote inside a text has a backslash before it, so only names of fields are found.';

    create function sequencer_state_tell() returns trigger language plpgsql as $$
    begin
      perform pg_notify('integration_events_visible', new.last_no::text);
      return null;
    end
    $$;
    create trigger sequencer_state_tell after update on sequencer_state
      for each row when (new.name = 'events' and new.last_no > old.last_no) execute function sequencer_state_tell();

    truncate wms_token_minutes;
    alter table wms_token_minutes
      drop constraint wms_token_minutes_pkey,
      add column counted varchar(32) not null,
      add primary key (token_id, counted);
    comment on column wms_token_minutes.counted is 'What the requests are for; each has a limit of its own.';

    create table consumer_groups (
      consumer_group_id varchar(64) primary key,
      connector_id      varchar(64) not null references connectors,
      last_cursor       bigint not null default 0,
      last_heartbeat    timestamptz,
      subscription      jsonb not null default '{}',
      created_at        timestamptz not null default now(),
      updated_at        timestamptz not null default now()
    );
    comment on column consumer_groups.last_cursor is 'The newest event_id that the group has acknowledged.';
    comment on column consumer_groups.last_heartbeat is 'When it polled, to half a minute.';
    create index consumer_groups_connector on consumer_groups (connector_id);

    create table consumer_groups_tombstones (
      consumer_group_id     varchar(64) primary key,
      last_cursor_at_delete bigint not null,
      connector_id          varchar(64) not null,
      deleted_at            timestamptz not null default now(),
      deleted_by            varchar(150) not null
    );
    comment on table consumer_groups_tombstones is
      'Groups that are gone: who makes one of the same name again is told that it starts from the beginning.';

    create table snapshot_scans (
      scan_id             uuid primary key default gen_random_uuid(),
      warehouse_id        integer not null,
      snapshot_event_id   bigint not null,
      row_count           integer not null,
      status              varchar(16) not null default 'active' constraint snapshot_scans_status_check
                          check (status in ('active', 'done', 'expired')),
      started_at          timestamptz not null default now(),
      last_accessed_at    timestamptz not null default now(),
      created_by_token_id bigint not null
    );
    comment on table snapshot_scans is 'A walk of one token through the inventory of one warehouse, as of one moment.';
    comment on column snapshot_scans.snapshot_event_id is
      'The rows hold what all events up to this one did, and nothing of what later ones do.';
    create unique index snapshot_scans_active on snapshot_scans (created_by_token_id) where status = 'active';

    create unlogged table snapshot_rows (
      scan_id            uuid not null,
      place              integer not null,
      item_external_id   text not null,
      bin_external_id    text not null,
      quantity_on_hand   integer not null,
      quantity_allocated integer not null,
      lot_number         varchar(100),
      primary key (scan_id, place)
    );
    comment on table snapshot_rows is
      'The rows of a scan, copied by one statement when it begins, so that no connection is held between its pages. A '
      'crash may forget them.';

    create table webhook_subscriptions (
      subscription_id         uuid primary key default gen_random_uuid(),
      connector_id            varchar(64) not null references connectors,
      display_name            varchar(128) not null,
      delivery_url            varchar(2048) not null constraint webhook_subscriptions_delivery_url_check
                              check (delivery_url ~* '^https{0,1}://'),
      subscription_filter     jsonb not null default '{}',
      last_delivered_event_id bigint not null default 0,
      scanned_event_id        bigint not null default 0,
      status                  varchar(16) not null default 'active' constraint webhook_subscriptions_status_check
                              check (status in ('active', 'paused', 'revoked')),
      pause_reason            varchar(32) constraint webhook_subscriptions_pause_reason_check
                              check (pause_reason in ('manual', 'pending_ceiling', 'dlq_ceiling', 'malformed_filter')),
      rate_limit_per_second   integer not null default 50 constraint webhook_subscriptions_rate_check
                              check (rate_limit_per_second between 1 and 100),
      pending_ceiling         integer not null default 10000 constraint webhook_subscriptions_pending_ceiling_check
                              check (pending_ceiling between 100 and 100000),
      dlq_ceiling             integer not null default 1000 constraint webhook_subscriptions_dlq_ceiling_check
                              check (dlq_ceiling between 10 and 10000),
      created_at              timestamptz not null default now(),
      updated_at              timestamptz not null default now(),
      constraint webhook_subscriptions_paused_with_reason check ((status = 'paused') = (pause_reason is not null))
    ) with (fillfactor = 50);
    comment on column webhook_subscriptions.last_delivered_event_id is
      'The newest event that was delivered or given up.';
    comment on column webhook_subscriptions.scanned_event_id is
      'How far the filter was held against events, so that those it does not want are not read again. A new filter '
      'starts at the last delivered one.';
    create index webhook_subscriptions_connector on webhook_subscriptions (connector_id);

    create table webhook_secrets (
      subscription_id   uuid not null references webhook_subscriptions on delete cascade,
      generation        smallint not null constraint webhook_secrets_generation_check check (generation in (1, 2)),
      secret_ciphertext text not null,
      created_at        timestamptz not null default now(),
      expires_at        timestamptz,
      primary key (subscription_id, generation),
      constraint webhook_secrets_old_one_expires check ((generation = 2) = (expires_at is not null))
    );
    comment on table webhook_secrets is
      'Sealed under SERVICE_ENCRYPTION_KEY. Generation 1 signs; 2 is the one before, for 24 hours.';

    create table webhook_deliveries (
      delivery_id        bigint generated by default as identity primary key,
      subscription_id    uuid not null references webhook_subscriptions,
      event_id           bigint not null,
      attempt_number     smallint not null default 1 constraint webhook_deliveries_attempt_check
        check (attempt_number between 1 and 8),
      first_delivery_id  bigint,
      status             varchar(16) not null default 'pending' constraint webhook_deliveries_status_check
                         check (status in ('pending', 'in_flight', 'succeeded', 'failed', 'dlq')),
      scheduled_at       timestamptz not null default now(),
      attempted_at       timestamptz,
      completed_at       timestamptz,
      http_status        smallint,
      response_body_hash char(64),
      response_time_ms   integer,
      error_kind         varchar(32),
      error_detail       varchar(512),
      secret_generation  smallint,
      created_at         timestamptz not null default now(),
      constraint webhook_deliveries_ended_with_time check ((status in ('succeeded', 'failed', 'dlq')) = (completed_at is
        not null))
    );
    comment on table webhook_deliveries is 'One row for each attempt to give one event to one subscription.';
    comment on column webhook_deliveries.first_delivery_id is
      'The first of the attempts that this one goes on with; null for a first one.';
    comment on column webhook_deliveries.status is
      'in_flight: a sender has taken it, and is sending it or one before it.';
    create index webhook_deliveries_attempts on webhook_deliveries (first_delivery_id)
      where first_delivery_id is not null;
    create index webhook_deliveries_live on webhook_deliveries (subscription_id, coalesce(first_delivery_id,
      delivery_id))
      where status in ('pending', 'in_flight');
    create index webhook_deliveries_ended on webhook_deliveries (subscription_id, completed_at)
      include (status, response_time_ms);
    comment on index webhook_deliveries_ended is
      'Of all rows, so that a subscription can be deleted without reading the deliveries of all others.';
    create index webhook_deliveries_dlq on webhook_deliveries (subscription_id, completed_at, delivery_id)
      where status = 'dlq';
    create index webhook_deliveries_errors_of on webhook_deliveries (subscription_id, completed_at, delivery_id)
      where status in ('failed', 'dlq');
    create index webhook_deliveries_errors on webhook_deliveries (completed_at, delivery_id)
      where status in ('failed', 'dlq');
    create index webhook_deliveries_old on webhook_deliveries (completed_at) where completed_at is not null;

    create table webhook_delivery_counts (
      subscription_id uuid not null references webhook_subscriptions on delete cascade,
      slot            timestamptz not null,
      succeeded       integer not null,
      failed          integer not null,
      dlq             integer not null,
      primary key (subscription_id, slot)
    ) with (fillfactor = 50);
    comment on table webhook_delivery_counts is
      'How many attempts ended in which ten minutes, so that a list of subscriptions need not count those of a whole '
      'day.';

    create function webhook_deliveries_count() returns trigger language plpgsql as $$
    begin
      insert into webhook_delivery_counts as c (subscription_id, slot, succeeded, failed, dlq)
      select subscription_id, date_bin('10 minutes', completed_at, 'epoch'), count(*)
        filter (where status = 'succeeded'),
             count(*) filter (where status = 'failed'), count(*) filter (where status = 'dlq')
      from ended where completed_at is not null group by 1, 2 order by 1, 2
      on conflict (subscription_id, slot) do update
        set succeeded = c.succeeded + excluded.succeeded, failed = c.failed + excluded.failed, dlq = c.dlq +
          excluded.dlq;
      return null;
    end
    $$;
    comment on function webhook_deliveries_count is
      'A row that has ended is never changed again, so it is counted once.';
    create trigger webhook_deliveries_count_new after insert on webhook_deliveries
      referencing new table as ended for each statement execute function webhook_deliveries_count();
    create trigger webhook_deliveries_count after update on webhook_deliveries
      referencing new table as ended for each statement execute function webhook_deliveries_count();

    create table webhook_subscriptions_tombstones (
      tombstone_id           bigint generated by default as identity primary key,
      subscription_id        uuid not null,
      delivery_url_at_delete varchar(2048) not null,
      delivery_url_canonical varchar(2048) not null,
      connector_id           varchar(64) not null,
      deleted_at             timestamptz not null default now(),
      deleted_by             integer not null,
      acknowledged_at        timestamptz,
      acknowledged_by        integer
    );
    comment on table webhook_subscriptions_tombstones is
      'Where events used to go: who sends some there again has to say that it is meant.';
    create index webhook_subscriptions_tombstones_url on webhook_subscriptions_tombstones (delivery_url_canonical)
      where acknowledged_at is null;

    create table hygiene_runs (
      run_id        bigint generated by default as identity primary key,
      job           varchar(32) not null,
      started_at    timestamptz not null default now(),
      finished_at   timestamptz,
      rows_changed  integer not null default 0,
      status        varchar(16) not null default 'running' constraint hygiene_runs_status_check
                    check (status in ('running', 'succeeded', 'failed')),
      error_message text
    );
    comment on table hygiene_runs is 'What the maintenance of webhooks and scans did, run by run.';
    create index hygiene_runs_newest on hygiene_runs (job, started_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table hygiene_runs, webhook_subscriptions_tombstones, webhook_delivery_counts, webhook_deliveries,
      webhook_secrets,
      webhook_subscriptions, snapshot_rows, snapshot_scans, consumer_groups_tombstones, consumer_groups;
    drop function webhook_deliveries_count;
    truncate wms_token_minutes;
    alter table wms_token_minutes
      drop constraint wms_token_minutes_pkey,
      drop column counted,
      add primary key (token_id);
    drop trigger sequencer_state_tell on sequencer_state;
    drop function sequencer_state_tell;
    drop function with_source_ids;
    drop index integration_events_filtered;
    create index integration_events_type on integration_events (event_type, event_id) where event_id is not null;
    create index integration_events_warehouse on integration_events (warehouse_id, event_id) where event_id is not null;
  `);
}
