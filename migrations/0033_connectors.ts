import type { Knex } from "knex";

// Connectors: credentials, what is synced when, how far, and what was refused. Their records come without a token.

const resources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"];
const inbound = [...resources.map((resource) => `inbound_${resource}`), "inbound_refusals"];

const owner = `
      connector_name varchar(64) not null,
      warehouse_id   integer not null references warehouses`;
const syncType = (table: string) => `
      sync_type      varchar(32) not null constraint ${table}_sync_type_check
                     check (sync_type in ('orders', 'items', 'inventory', 'fulfillment'))`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${inbound.map((table) => `alter table ${table} alter column ingested_via_token_id drop not null;`).join("\n    ")}

    create table connector_credentials (${owner},
      credential_key  varchar(128) not null,
      encrypted_value text not null,
      credential_type varchar(32) not null default 'connector_api_key',
      created_at      timestamptz not null default now(),
      updated_at      timestamptz not null default now(),
      primary key (connector_name, warehouse_id, credential_key)
    );
    comment on table connector_credentials is
      'The configuration of a connector for a warehouse, each field sealed under SERVICE_ENCRYPTION_KEY.';
    create index connector_credentials_warehouse on connector_credentials (warehouse_id);

    create table sync_state (${owner},${syncType("sync_state")},
      sync_status        varchar(16) not null default 'idle' constraint sync_state_sync_status_check
                         check (sync_status in ('idle', 'running', 'error')),
      running_since      timestamptz,
      run_id             uuid,
      workflow_id        text,
      watermark          timestamptz,
      last_synced_at     timestamptz,
      last_success_at    timestamptz,
      last_error_at      timestamptz,
      last_error_message varchar(500),
      consecutive_errors integer not null default 0 constraint sync_state_consecutive_errors_check
                         check (consecutive_errors >= 0),
      primary key (connector_name, warehouse_id, sync_type),
      constraint sync_state_running_whole check (
        (sync_status = 'running') = (running_since is not null) and (running_since is null) = (run_id is null)
        and (run_id is null) = (workflow_id is null))
    );
    comment on table sync_state is 'How the last sync of each type went, and which run is under way.';
    comment on column sync_state.run_id is
      'Of the run that holds the row. One that was taken over no longer finds its id here, and writes nothing more.';
    comment on column sync_state.watermark is
      'The newest change that was read, by the clock of the source: the next run begins a little before it.';
    create index sync_state_warehouse on sync_state (warehouse_id);
    create index sync_state_running on sync_state (running_since) where sync_status = 'running';

    create table connector_refusals (${owner},${syncType("connector_refusals")},
      external_id      varchar(128) not null,
      external_version varchar(64) not null,
      record           jsonb not null,
      error_kind       varchar(64) not null,
      error_message    varchar(500) not null,
      attempts         integer not null default 1 constraint connector_refusals_attempts_check check (attempts > 0),
      first_refused_at timestamptz not null default now(),
      last_refused_at  timestamptz not null default now(),
      primary key (connector_name, warehouse_id, sync_type, external_id)
    );
    comment on table connector_refusals is
      'Records of a source that could not be written, such as an order of an unknown item. Each run tries them again.';
    create index connector_refusals_warehouse on connector_refusals (warehouse_id);
    create index connector_refusals_old on connector_refusals (first_refused_at);

    create table connector_schedules (${owner},${syncType("connector_schedules")},
      interval_minutes integer constraint connector_schedules_interval_minutes_check
                       check (interval_minutes between 1 and 10080),
      enabled          boolean not null default true,
      updated_at       timestamptz not null default now(),
      primary key (connector_name, warehouse_id, sync_type)
    );
    comment on table connector_schedules is 'How often a type is synced; each row has a Temporal schedule.';
    create index connector_schedules_warehouse on connector_schedules (warehouse_id);

    create table connector_circuits (${owner},
      failures    integer not null default 0 constraint connector_circuits_failures_check check (failures >= 0),
      open_until  timestamptz,
      trial_until timestamptz,
      primary key (connector_name, warehouse_id)
    );
    comment on table connector_circuits is
      'The circuit breaker of each source, shared by all processes: open after five failed requests in a row.';
    comment on column connector_circuits.trial_until is
      'Until then the one request is under way that decides whether the circuit closes.';
    create index connector_circuits_warehouse on connector_circuits (warehouse_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table connector_circuits, connector_schedules, connector_refusals, sync_state, connector_credentials;
    ${inbound.map((table) => `delete from ${table} where ingested_via_token_id is null;`).join("\n    ")}
    ${inbound.map((table) => `alter table ${table} alter column ingested_via_token_id set not null;`).join("\n    ")}
  `);
}
