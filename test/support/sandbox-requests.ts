import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { until } from "./until.js";
import { connector } from "./webhooks.js";

const OF_PARTNER = "/api/partner/sandbox";
const SANDBOXES = "/api/admin/sandboxes";

/** A sandbox by its rows alone: nothing happens in it. */
export async function insertSandbox(): Promise<number> {
  return (await db.value<number>(
    `with made as (
       insert into warehouses (warehouse_code, warehouse_name, is_sandbox)
       values (left('SANDBOX-' || gen_random_uuid(), 32), 'Sandbox', true) returning warehouse_id, warehouse_code)
     insert into sandboxes (connector_id, warehouse_id, warehouse_code, pace_seconds, made_by, filled_at)
     select null, warehouse_id, warehouse_code, 3600, 'test', now() from made returning sandbox_id`,
  )) as number;
}

/** A sandbox that has its stock, and moves by itself only once in an hour. */
async function begunSandbox({ by }: Pick<Floor, "by">): Promise<string> {
  const body = { connector_id: await connector(), pace_seconds: 3600 };
  const { sandbox } = await by.ok("POST", SANDBOXES, body);
  const path = `${SANDBOXES}/${sandbox.sandbox_id}`;
  await until(async () => (await by.ok("GET", path)).state === "MOVING", 60_000);
  return path;
}

/** A partner by a session of its own link. */
async function partnerBy({ by }: Pick<Floor, "by">) {
  const asked = { connector_id: await connector(), link_name: "web team" };
  const { token } = await by.ok("POST", "/api/admin/partner-links", asked);
  const { session } = await by.ok("POST", "/api/partner/session", { token });
  return by.with({ "x-partner-session": session });
}

/** One that has begun its sandbox. */
async function partnerWithSandbox(at: Pick<Floor, "by">) {
  const by = await partnerBy(at);
  await by.ok("POST", OF_PARTNER, { pace_seconds: 3600 });
  await until(async () => (await by.ok("GET", OF_PARTNER)).sandbox.state === "MOVING", 60_000);
  return by;
}

const allFilled = (by: Floor["by"]) =>
  until(async () => {
    const { sandboxes } = await by.ok("GET", SANDBOXES);
    return sandboxes.every(({ state }: { state: string }) => state !== "FILLING");
  }, 60_000);

/** How the routes of sandboxes are asked. */
export const sandboxChanges: Record<string, (at: Floor) => Promise<Change>> = {
  [`post ${SANDBOXES}`]: async ({ by }) => ({
    by,
    body: { connector_id: await connector(), pace_seconds: 3600 },
    other: { connector_id: await connector(), pace_seconds: 3600 },
    settled: () => allFilled(by),
  }),
  [`put ${SANDBOXES}/:sandbox_id`]: async (at) => ({
    ...{ by: at.by, path: await begunSandbox(at), body: { pace_seconds: 1800 }, other: { pace_seconds: 900 } },
  }),
  [`post ${SANDBOXES}/:sandbox_id/step`]: async (at) => ({
    ...{ by: at.by, path: `${await begunSandbox(at)}/step` },
    ...{ body: { scenario: "receipt" }, other: { scenario: "order" } },
  }),
  [`delete ${SANDBOXES}/:sandbox_id`]: async (at) => ({
    ...{ by: at.by, path: await begunSandbox(at), body: {}, other: { again: true } },
  }),
  [`post ${OF_PARTNER}`]: async (at) => ({
    ...{ by: await partnerBy(at), body: { pace_seconds: 3600 }, other: { pace_seconds: 1800 } },
    settled: () => allFilled(at.by),
  }),
  [`post ${OF_PARTNER}/step`]: async (at) => ({
    ...{ by: await partnerWithSandbox(at), body: { scenario: "receipt" }, other: { scenario: "order" } },
  }),
  [`delete ${OF_PARTNER}`]: async (at) => ({
    ...{ by: await partnerWithSandbox(at), body: {}, other: { again: true } },
  }),
};
