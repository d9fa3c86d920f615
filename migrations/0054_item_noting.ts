import type { Knex } from "knex";

// New and renamed items are noted, as stock is (0049), only while a channel is active: it took 2 to 3 % of the time of
// an item that another system pushes, and a worker's time to take the rows away.

const STOCK = ["inventory_availability_new", "inventory_availability_changed", "inventory_availability_gone"];
const ITEMS = ["items_availability_new", "items_availability_changed"];
const alter = (table: string, what: "enable" | "disable", names: string[]) =>
  `alter table ${table} ${names.map((name) => `${what} trigger ${name}`).join(", ")}`;

/** The functions of 0049, for these tables. */
const noting = (tables: string[], all: (what: "enable" | "disable") => string[]) => `
  create or replace function note_stock() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as
  $$
  begin
    lock table ${tables.join(", ")} in share row exclusive mode;
    ${all("enable").join("; ")};
    return null;
  end
  $$;
  create or replace function stop_noting_stock() returns void language plpgsql security definer
    set search_path = public, pg_temp as
  $$
  begin
    lock table ${tables.join(", ")} in share row exclusive mode nowait;
    if not exists (select from channels where status = 'active') then
      ${all("disable").join("; ")};
    end if;
  exception when lock_not_available then
    return;
  end
  $$;`;

const stockAlone = (what: "enable" | "disable") => [alter("inventory", what, STOCK)];
const both = (what: "enable" | "disable") => [alter("items", what, ITEMS), ...stockAlone(what)];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${noting(["items", "inventory"], both)}
    comment on function note_stock is
      'Changes of stock and of items are noted from now on. It waits for all who are writing to them, and others wait '
      'for its commit, so that none of them is missed.';
    comment on function stop_noting_stock is
      'No change of stock or of an item is noted any more if no channel is active. While they are being written it '
      'does nothing.';
  `);
  if ((await knex.raw("select from channels where status = 'active'")).rows.length === 0)
    await knex.raw(alter("items", "disable", ITEMS));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${alter("items", "enable", ITEMS)};
    ${noting(["inventory"], stockAlone)}
    comment on function note_stock is
      'Changes of stock are noted from now on. It waits for all who are writing to stock, and others wait for its '
      'commit, so that none of them is missed.';
    comment on function stop_noting_stock is
      'No change of stock is noted any more if no channel is active. While stock is being written it does nothing.';
  `);
}
