import type { Knex } from "knex";

// Each run of a sync, so that people see how the last ones went, and how far one is.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_runs (
      run_id         uuid primary key,
      connector_name varchar(64) not null,
      warehouse_id   integer not null references warehouses,
      sync_type      varchar(32) not null constraint sync_runs_sync_type_check
                     check (sync_type in ('orders', 'items', 'inventory', 'fulfillment')),
      workflow_id    text not null,
      status         varchar(16) not null default 'running' constraint sync_runs_status_check
                     check (status in ('running', 'completed', 'failed', 'cancelled', 'superseded')),
      started_at     timestamptz not null,
      ended_at       timestamptz,
      pages          integer not null default 0,
      read           integer not null default 0,
      written        integer not null default 0,
      known          integer not null default 0,
      refused        integer not null default 0,
      failures       integer not null default 0,
      error_message  varchar(500),
      constraint sync_runs_end_with_status check ((status = 'running') = (ended_at is null))
    );
    comment on column sync_runs.status is 'superseded: its row of sync_state was reset, or another run took it over.';
    comment on column sync_runs.pages is 'Read so far, as the counts of records are; a run that failed reads on.';
    comment on column sync_runs.failures is 'Attempts that failed; a run has several.';
    create index sync_runs_of_connector on sync_runs (warehouse_id, connector_name, started_at);
    create index sync_runs_running on sync_runs (warehouse_id, connector_name, sync_type) where status = 'running';
    create index sync_runs_started on sync_runs (started_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table sync_runs");
}
