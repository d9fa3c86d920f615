import type { Knex } from "knex";

// Sales channels, what each was told is available, and which items have to be looked at again.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table channels (
      channel_id            varchar(64) primary key,
      display_name          varchar(128) not null,
      delivery_url          varchar(2048) not null constraint channels_delivery_url_check
                            check (delivery_url ~* '^https{0,1}://'),
      sku_scope             jsonb not null default '{}',
      transform             jsonb not null default '{}',
      status                varchar(16) not null default 'active' constraint channels_status_check
                            check (status in ('active', 'paused', 'revoked')),
      pause_reason          varchar(32) constraint channels_pause_reason_check
                            check (pause_reason in ('manual', 'pending_ceiling', 'dlq_ceiling', 'malformed_config')),
      rate_limit_per_second integer not null default 10 constraint channels_rate_check
                            check (rate_limit_per_second between 1 and 1000),
      batch_size            integer not null default 100 constraint channels_batch_size_check
                            check (batch_size between 1 and 1000),
      debounce_seconds      integer not null default 30 constraint channels_debounce_check
                            check (debounce_seconds between 0 and 3600),
      pending_ceiling       integer not null default 100000 constraint channels_pending_ceiling_check
                            check (pending_ceiling between 100 and 1000000),
      dlq_ceiling           integer not null default 1000 constraint channels_dlq_ceiling_check
                            check (dlq_ceiling between 10 and 100000),
      whole_after           integer,
      failures              integer not null default 0,
      retry_at              timestamptz,
      last_error            varchar(512),
      last_published_at     timestamptz,
      created_at            timestamptz not null default now(),
      updated_at            timestamptz not null default now(),
      constraint channels_paused_with_reason check ((status = 'paused') = (pause_reason is not null)),
      constraint channels_retry_after_failures check ((failures > 0) = (retry_at is not null))
    ) with (fillfactor = 50);
    comment on table channels is 'Shops and marketplaces that are told how many units of each item can be sold.';
    comment on column channels.whole_after is
      'The whole availability is being marked as due, up to this item; null when it is done. Zero begins it: at '
      'creation, when the channel is resumed, and when it gets another scope, transform or URL.';
    comment on column channels.failures is 'Requests that failed, one after the other; a success ends them.';
    comment on column channels.retry_at is 'Nothing is sent before this time, because the last request failed.';
    comment on column channels.updated_at is
      'Set by every change of the channel or its secrets: a sender uses what it has read as long as this is the same.';

    create table channel_secrets (
      channel_id        varchar(64) not null references channels,
      generation        smallint not null constraint channel_secrets_generation_check check (generation in (1, 2)),
      secret_ciphertext text not null,
      created_at        timestamptz not null default now(),
      expires_at        timestamptz,
      primary key (channel_id, generation),
      constraint channel_secrets_old_one_expires check ((generation = 2) = (expires_at is not null))
    );
    comment on table channel_secrets is
      'Sealed under SERVICE_ENCRYPTION_KEY. Generation 1 signs; 2 is the one before, for 24 hours.';

    create table channel_items (
      channel_id  varchar(64) not null references channels,
      item_id     integer not null references items on delete cascade,
      sku         varchar(128) not null,
      available   bigint not null check (available >= 0),
      version     bigint not null,
      in_scope    boolean not null,
      dirty_since timestamptz,
      due_at      timestamptz,
      attempts    smallint not null default 0,
      parked      boolean not null default false,
      last_error  varchar(512),
      primary key (channel_id, item_id),
      constraint channel_items_due_when_dirty
        check ((due_at is not null) = (dirty_since is not null and not parked))
    ) with (fillfactor = 70);
    comment on table channel_items is
      'One row per channel and item: what the channel has been told, or is to be told next, and the version of that.';
    comment on column channel_items.version is 'Rises with each change, and when the whole availability is sent again.';
    comment on column channel_items.in_scope is
      'Whether the channel wants the item. One that left its scope is published once more, as not available.';
    comment on column channel_items.dirty_since is 'The first change that the channel has not been told.';
    comment on column channel_items.due_at is 'When it is to be sent: after the debounce, or after a failed attempt.';
    comment on column channel_items.parked is
      'All attempts failed. It is tried anew when its availability changes, or the whole is sent again.';
    create index channel_items_due on channel_items (channel_id, due_at, item_id) where due_at is not null;
    create index channel_items_parked on channel_items (channel_id, item_id) where parked;
    create index channel_items_item on channel_items (item_id);

    create table availability_changes (
      item_id integer,
      bin_id  integer,
      constraint availability_changes_of_one check (num_nonnulls(item_id, bin_id) = 1)
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
            autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 1000000);
    comment on table availability_changes is
      'Items whose available units may have changed, and bins whose items may have. Written by triggers, and taken by '
      'one worker at a time, after the commit. It has no index and no key, so that those who write it neither wait for '
      'each other nor pay for more than the row.';

    create function note_item_availability() returns trigger language plpgsql as $$
    begin
      insert into availability_changes (item_id)
        values (case when tg_op = 'DELETE' then old.item_id else new.item_id end);
      return null;
    end
    $$;
    create function note_bin_availability() returns trigger language plpgsql as $$
    begin
      insert into availability_changes (bin_id) values (new.bin_id);
      return null;
    end
    $$;
    comment on function note_bin_availability is
      'The bin and not its items: some may be on their way into it, in a transaction that is not visible yet.';

    create trigger inventory_availability_new after insert on inventory for each row
      when (new.quantity_on_hand <> new.quantity_allocated) execute function note_item_availability();
    create trigger inventory_availability_changed after update on inventory for each row
      when (new.quantity_on_hand - new.quantity_allocated <> old.quantity_on_hand - old.quantity_allocated
            or new.bin_id <> old.bin_id)
      execute function note_item_availability();
    create trigger inventory_availability_gone after delete on inventory for each row
      when (old.quantity_on_hand <> old.quantity_allocated) execute function note_item_availability();
    create trigger bins_availability after update of bin_type, is_active on bins for each row
      when (new.bin_type <> old.bin_type or new.is_active <> old.is_active) execute function note_bin_availability();
    create function note_new_items() returns trigger language plpgsql as $$
    begin
      insert into availability_changes (item_id) select item_id from added;
      return null;
    end
    $$;
    create trigger items_availability_new after insert on items
      referencing new table as added for each statement execute function note_new_items();
    create trigger items_availability_changed after update of sku, category on items for each row
      when (new.sku <> old.sku or new.category is distinct from old.category)
      execute function note_item_availability();
    comment on trigger inventory_availability_changed on inventory is
      'A pick takes as many units as were allocated to it: what is available stays the same, and nothing is written.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger items_availability_changed on items;
    drop trigger items_availability_new on items;
    drop trigger bins_availability on bins;
    drop trigger inventory_availability_gone on inventory;
    drop trigger inventory_availability_changed on inventory;
    drop trigger inventory_availability_new on inventory;
    drop function note_new_items, note_bin_availability, note_item_availability;
    drop table availability_changes, channel_items, channel_secrets, channels;
  `);
}
