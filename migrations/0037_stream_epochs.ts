import type { Knex } from "knex";

// A stream of events that survives a restore: event numbers are never given twice, and partners are told of the gap.

const envelope = (epoch: string) => `
  create or replace function event_envelope(e integration_events, event_id bigint, data text) returns text
    language sql stable as $$
    select '{"event_id":' || event_id || ',"event_type":"' || e.event_type || '","event_version":' || e.event_version
      || ',"event_timestamp":"' || trim(to_json(e.event_timestamp at time zone 'UTC')::text, '"') || '+00:00'
      || '","aggregate_type":"' || e.aggregate_type || '","aggregate_id":"' || e.aggregate_external_id
      || '","warehouse_id":' || e.warehouse_id || ',"source_txn_id":"' || e.source_txn_id
      || ${epoch}'","data":' || data || '}'
  $$;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table stream_epochs (
      epoch        uuid primary key default gen_random_uuid(),
      begins_after bigint not null unique,
      survived_to  bigint not null,
      started_at   timestamptz not null default now(),
      constraint stream_epochs_begin_later check (begins_after >= survived_to)
    );
    comment on table stream_epochs is
      'Events are numbered in epochs: a new one begins when the database was restored. No number is given in two.';
    comment on column stream_epochs.begins_after is 'The first event of the epoch has the next number.';
    comment on column stream_epochs.survived_to is
      'The last number of the epochs before that is in the restored database. Numbers from there to begins_after were '
      'given to events that the restore lost, if at all.';
    insert into stream_epochs (begins_after, survived_to) values (0, 0);

    ${envelope(`'","epoch":"' || (select epoch from stream_epochs order by begins_after desc limit 1) || `)}

    -- For whoever restores by other means than npm run restore: select start_stream_epoch().
    create function start_stream_epoch() returns stream_epochs language plpgsql as $$
    declare
      started stream_epochs;
    begin
      -- The sequencer's lock (activities/outbound/sequencer.ts).
      perform pg_advisory_xact_lock(7301);
      -- The clock in microseconds: above all numbers that were given, also after an earlier restore of the same backup.
      insert into stream_epochs (begins_after, survived_to)
      select greatest(last_no, (extract(epoch from clock_timestamp()) * 1000000)::bigint), last_no
      from sequencer_state where name = 'events'
      returning * into started;
      update sequencer_state set last_no = started.begins_after where name = 'events';
      -- Channels take no version below the one that they have: all items are sent again, above it.
      update channel_items
      set version = greatest(version, started.begins_after), parked = false, attempts = 0,
          dirty_since = coalesce(dirty_since, now()), due_at = now();
      insert into audit_log (action_type, entity_type, entity_id, user_id, details)
      values ('STREAM_EPOCH_START', 'EVENT_STREAM', 0, 'system:restore',
              jsonb_build_object('epoch', started.epoch, 'survived_to', started.survived_to,
                                 'begins_after', started.begins_after));
      return started;
    end $$;
    comment on function start_stream_epoch is
      'Run once after the database was restored, before the service starts: partners are told that events were lost.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function start_stream_epoch();
    ${envelope("")}
    drop table stream_epochs;
  `);
}
