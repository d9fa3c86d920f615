import { randomUUID } from "node:crypto";
import { int } from "../../../src/platform/db/columns.js";
import type { Sql } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";

export interface NewClient {
  client_id: string;
  client_name: string;
  redirect_uris: string[];
}

/** Anybody may register a program, so there is an end to them. */
const MOST_CLIENTS = 2000;
/** How long a program may take until a person has let it in, and how long where there is no room. */
const WAITS_MIN = 24 * 60;
const WAITS_AT_LEAST_MIN = 10;

/**
 * Registers a program; false where there is no room. Those that nobody has let in are removed after a day. It is in no
 * audit log: a program is nothing here until a person lets it in, and anybody could fill the log.
 */
export function registerClient({ client_id, client_name, redirect_uris }: NewClient): Promise<boolean> {
  return command("oauth.registerClient", systemActor(randomUUID()), { client_id }, async (tx) => {
    await removeUnused(tx, (await clients(tx)) >= MOST_CLIENTS ? WAITS_AT_LEAST_MIN : WAITS_MIN);
    if ((await clients(tx)) >= MOST_CLIENTS) return false;
    await tx.run("insert into oauth_clients (client_id, client_name, redirect_uris) values ($1, $2, $3)", [
      ...[client_id, client_name, redirect_uris],
    ]);
    return true;
  });
}

async function clients(sql: Sql): Promise<number> {
  const counted = await sql.row({ count: int }, "select count(*)::int from oauth_clients");
  return counted?.count as number;
}

const removeUnused = (sql: Sql, minutes: number) =>
  sql.run(
    `delete from oauth_clients c
     where registered_at < now() - make_interval(mins => $1)
       and not exists (select from personal_keys k where k.client_id = c.client_id)
       and not exists (select from oauth_codes o where o.client_id = c.client_id and o.expires_at > now())`,
    [minutes],
  );
