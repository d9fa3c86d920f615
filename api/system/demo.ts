import { z } from "zod";
import { beginDemo, noteDemo } from "../../activities/maintenance/demo/load.js";
import { removeDemo as remove } from "../../activities/maintenance/demo/remove.js";
import { loadDemo } from "../../demo/load.js";
import type { Actor } from "../../src/platform/actor.js";
import { Message } from "../../src/platform/fields.js";
import { DemoInUse, DemoThere, NoDemo } from "../../src/system/demo/problems.js";
import { demo, unfinishedDemo } from "../../src/system/demo/queries.js";
import { Demo } from "../../src/system/demo/shapes.js";
import { sessions } from "../auth/caches.js";
import { endWorkflowsOf } from "../http/end-workflows.js";
import { admin, route } from "../http/route.js";

/** The demo that is thrown away: docs/demo.md. */

/** Loads the demo of this id as far as it is not loaded yet: each of its commands has an id of its own. */
async function load(demo_id: string, { keyed: _, ...by }: Actor): Promise<void> {
  const command = `demo:${demo_id}:`;
  const loaded = await loadDemo(by, { command, main: "DEMO", virtual: "DEMO-VIRTUAL", prefix: "DEMO-" });
  await noteDemo(demo_id, loaded, { ...by, commandId: `${command}noted` });
}

export const getDemo = route("get /api/admin/demo", {
  for: admin,
  summary: "The demo, with how much is removed with it; null where there is none",
  answers: { 200: z.strictObject({ demo: Demo.nullable().describe("The demo; null where there is none.") }) },
  run: async () => ({ demo: (await demo()) ?? null }),
});

export const makeDemo = route("post /api/admin/demo", {
  for: admin,
  summary: "Loads a demo into warehouses of its own: items, stock and orders to try everything with",
  answers: { 201: Message },
  errors: [DemoThere],
  run: async ({ by }) => {
    const { demo_id } = await beginDemo(by);
    await load(demo_id, by);
    return { message: "Demo loaded" };
  },
});

export const removeDemo = route("delete /api/admin/demo", {
  for: admin,
  summary: "Removes the demo whole, with all that is in its warehouses by now",
  answers: { 200: Message },
  errors: [NoDemo, DemoInUse],
  run: async ({ by }) => {
    // What there is of one that was interrupted is known once it is whole.
    const unfinished = await unfinishedDemo();
    if (unfinished) await load(unfinished, by);
    const { message, warehouse_ids } = await sessions.invalidateAfter(remove(by));
    for (const id of warehouse_ids) await endWorkflowsOf(id, "the demo was removed");
    return { message };
  },
});
