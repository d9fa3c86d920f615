import type { Knex } from "knex";
import { triggers } from "./0043_channel_changes.js";

// Changes of stock are noted by triggers that are enabled only while a channel is active. Asking whether one is active,
// for each row that changed, took 5 % of a put-away's time on all cores.

const TRIGGERS = ["inventory_availability_new", "inventory_availability_changed", "inventory_availability_gone"];
const all = (what: "enable" | "disable") => TRIGGERS.map((name) => `${what} trigger ${name}`).join(", ");

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${triggers("note_item_availability")}
    alter table inventory ${all("disable")};
    drop function note_stock_availability();

    create function note_stock() returns trigger language plpgsql security definer set search_path = public, pg_temp as
    $$
    begin
      alter table inventory ${all("enable")};
      return null;
    end
    $$;
    comment on function note_stock is
      'Changes of stock are noted from now on. It waits for all who are writing to stock, and others wait for its '
      'commit, so that none of them is missed.';
    create trigger channels_note_stock_new after insert on channels for each row
      when (new.status = 'active') execute function note_stock();
    create trigger channels_note_stock_resumed after update on channels for each row
      when (new.status = 'active' and old.status <> 'active') execute function note_stock();

    create function stop_noting_stock() returns void language plpgsql security definer
      set search_path = public, pg_temp as
    $$
    begin
      lock table inventory in share row exclusive mode nowait;
      if not exists (select from channels where status = 'active') then
        alter table inventory ${all("disable")};
      end if;
    exception when lock_not_available then
      return;
    end
    $$;
    comment on function stop_noting_stock is
      'No change of stock is noted any more if no channel is active. While stock is being written it does nothing.';
  `);
  if ((await knex.raw("select from channels where status = 'active'")).rows.length > 0)
    await knex.raw(`alter table inventory ${all("enable")}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function stop_noting_stock();
    drop trigger channels_note_stock_resumed on channels;
    drop trigger channels_note_stock_new on channels;
    drop function note_stock();
    create function note_stock_availability() returns trigger language plpgsql as $$
    begin
      if exists (select from channels where status = 'active') then
        insert into availability_changes (item_id)
          values (case when tg_op = 'DELETE' then old.item_id else new.item_id end);
      end if;
      return null;
    end
    $$;
    ${triggers("note_stock_availability")}
  `);
}
