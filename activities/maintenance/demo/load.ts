import type { Actor } from "../../../src/platform/actor.js";
import { bool, text } from "../../../src/platform/db/columns.js";
import { DemoThere } from "../../../src/system/demo/problems.js";
import { command } from "../../command.js";

const Begun = { demo_id: text };
const Found = { demo_id: text, is_loaded: bool };

/** Begins the demo, or goes on with one whose loading was interrupted; returns the id that its commands have. */
export function beginDemo(by: Actor): Promise<{ demo_id: string }> {
  return command("demo.begin", by, {}, async (tx) => {
    const begun = await tx.row(
      Begun,
      "insert into demos (made_by) values ($1) on conflict (is_only) do nothing returning demo_id",
      [by.username],
    );
    if (begun) return begun;
    const found = await tx.row(Found, "select demo_id, loaded_at is not null as is_loaded from demos", []);
    if (!found || found.is_loaded) throw DemoThere();
    return { demo_id: found.demo_id };
  });
}

/** What a demo is made of. */
export interface Loaded {
  warehouse_ids: number[];
  item_ids: number[];
}

/** Notes what is removed with the demo, which is then whole. */
export function noteDemo(demo_id: string, { warehouse_ids, item_ids }: Loaded, by: Actor): Promise<null> {
  return command("demo.note", by, { demo_id }, async (tx) => {
    await tx.run("update demos set warehouse_ids = $2, item_ids = $3, loaded_at = now() where demo_id = $1", [
      demo_id,
      warehouse_ids,
      item_ids,
    ]);
    tx.audit({ action: "DEMO_LOAD", entity: "WAREHOUSE", entityId: warehouse_ids[0] ?? 0 });
    return null;
  });
}

/** Notes the same of the demo that a start loads, so that the desk can remove it as well. */
export function noteDemoAtStart({ warehouse_ids, item_ids }: Loaded, by: Actor): Promise<null> {
  return command("demo.loaded", by, {}, async (tx) => {
    await tx.run(
      `insert into demos (made_by, warehouse_ids, item_ids, loaded_at) values ($1, $2, $3, now())
       on conflict (is_only) do nothing`,
      [by.username, warehouse_ids, item_ids],
    );
    tx.audit({ action: "DEMO_LOAD", entity: "WAREHOUSE", entityId: warehouse_ids[0] ?? 0 });
    return null;
  });
}
