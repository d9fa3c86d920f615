import type { Knex } from "knex";

// What partners get of an event is written once, when the event gets its number, and then only passed on.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function with_source_ids(jsonb);
    -- Of events that wait: jsonb puts a space behind each colon.
    alter table integration_events
      alter payload drop not null,
      alter payload type json using replace(payload::text, '_external_id": "', '_external_id":"')::json,
      add column envelope text;
    comment on column integration_events.payload is
      'The data as the event''s cause told them. Null once it has its number: then they stand in its envelope.';
    comment on column integration_events.envelope is
      'JSON, as partners get it, polled or delivered. Never changed.';

    create function event_envelope(e integration_events, event_id bigint, data text) returns text language sql stable as
      $$
      select '{"event_id":' || event_id || ',"event_type":"' || e.event_type || '","event_version":' || e.event_version
        || ',"event_timestamp":"' || trim(to_json(e.event_timestamp at time zone 'UTC')::text, '"') || '+00:00'
        || '","aggregate_type":"' || e.aggregate_type || '","aggregate_id":"' || e.aggregate_external_id
        || '","warehouse_id":' || e.warehouse_id || ',"source_txn_id":"' || e.source_txn_id
        || '","data":' || data || '}'
    $$;
    create function event_data(e integration_events) returns jsonb language sql stable as $$
      select coalesce(e.payload::jsonb, e.envelope::jsonb->'data')
    $$;
    comment on function event_data is 'For people: the data of an event, whether it has its number or not.';
    update integration_events e set envelope = event_envelope(e, event_id, payload::text), payload = null
    where event_id is not null;

    create function named_ids(data text) returns setof uuid language sql immutable parallel safe as $$
      select left(part, 36)::uuid from string_to_table(data, '_external_id":"') part
      where part like '________-____-____-____-____________"%' and translate(left(part, 36), '0123456789abcdef', '') =
        '----'
    $$;
    comment on function named_ids is
      'The ids in the data of an event, as JSON without spaces. A quote inside a text has a backslash before it, so '
      'only names of fields are found.';

    -- By its index, however small the table was when this was planned: without statistics the planner would rather read
    -- all of it.
    create function source_ids(ids uuid[]) returns jsonb language sql stable parallel safe
      set enable_seqscan to off as $$
      select jsonb_object_agg(canonical_id, source_id)
      from (select distinct on (canonical_id) canonical_id, source_id from cross_system_mappings
            where canonical_id = any(ids) order by canonical_id, mapping_id) known
    $$;
    comment on function source_ids is
      'Which ids another system gave to ours, by ours; where several did, the earliest. Null when there is none.';

    create function with_source_ids(data text, known jsonb) returns text language plpgsql immutable parallel safe as $$
    declare
      id text;
    begin
      for id in select distinct named::text from named_ids(data) named where known->(named::text) is not null loop
        data := replace(data, '_external_id":"' || id || '"', '_external_id":' || (known->id)::text);
      end loop;
      return data;
    end
    $$;
    comment on function with_source_ids is 'The data of an event with the known ids in the places of ours.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function with_source_ids(text, jsonb);
    drop function source_ids, named_ids, event_envelope;
    alter table integration_events alter payload type jsonb using coalesce(payload::jsonb, envelope::jsonb->'data');
    drop function event_data;
    alter table integration_events alter payload set not null, drop column envelope;

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
  `);
}
