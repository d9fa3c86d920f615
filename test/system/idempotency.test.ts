import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect as openSocket } from "node:net";
import { purgeCommands } from "../../activities/maintenance/retention.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { takesKey } from "../../api/http/idempotency.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { routes } from "../../api/routes.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import { type Answer, type Caller, statusAndBody } from "../support/caller.js";
import type { Change } from "../support/change.js";
import { countWarehousesApart } from "../support/connectors.js";
import { db } from "../support/db.js";
import { differing, versions } from "../support/everything.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { nameOf } from "../support/operations.js";
import { openProxy } from "../support/proxy.js";
import { changeOf } from "../support/requests.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { actor } from "../support/walk.js";

const REUSE = [409, { error: "idempotency_key_reuse" }];
const TWINS = 4;

/** The caller's own password cannot be changed twice with one token: auth-password.test.ts. */
const changing = routes.filter((route) => takesKey(route) && route.path !== "/api/auth/change-password");

/** Another route of the same callers. */
function anotherThan({ for: { kind }, path }: (typeof routes)[number]): string {
  if (kind === "partner")
    return path.endsWith("/test") ? "/api/partner/webhooks" : `/api/partner/webhooks/${NOBODY}/test`;
  return path.includes("warehouses") ? "/api/admin/items" : "/api/admin/warehouses";
}

const keyed = (by: Caller, key: string) => by.with({ "idempotency-key": key });
const isReplay = ({ headers }: Answer) => headers.get("x-idempotent-replay") === "true";
/** To the byte. */
const told = ({ status, body }: Answer) => [status, JSON.stringify(body)];

const recorded = async () =>
  (await db.row<{ audits: number; events: number; commands: number }>(
    `select (select count(*) from audit_log) as audits, (select count(*) from integration_events) as events,
            (select count(*) from command_log) as commands`,
  )) as { audits: number; events: number; commands: number };

describe("an Idempotency-Key", function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    // What a sender notes besides says nothing of a request.
    const env = { DISPATCHER_ENABLED: "false" };
    service = await openService({ worker: true, env });
    await countWarehousesApart();
  });
  after(() => service.close());

  const send = async (route: (typeof routes)[number], change: Change, key: string, body: object) => {
    const { by, path = route.path, settled } = change;
    const answer = await keyed(by, key).call(route.method.toUpperCase(), path, body);
    await settled?.();
    return answer;
  };

  for (const route of changing) {
    const name = nameOf(route);
    const fresh = async () =>
      (await changeOf(service, name)) ?? assert.fail(`test/support/requests.ts does not say how to ask ${name}`);

    describe(name, () => {
      /** Audit rows, events and commands of one request. */
      let once: number[] | undefined;
      const grown = async (ask: () => Promise<void>) => {
        const before = await recorded();
        await ask();
        const after = await recorded();
        return [after.audits - before.audits, after.events - before.events, after.commands - before.commands];
      };

      it("answers a repeat as the first time and changes nothing", async () => {
        const change = await fresh();
        const key = randomUUID();
        const ask = () => send(route, change, key, change.body);
        let first = {} as Answer;
        once = await grown(async () => {
          first = await ask();
        });
        assert.ok(first.status < 300, JSON.stringify(first.body));
        assert.equal(isReplay(first), false);
        const before = await versions();
        const again = await ask();
        assert.deepEqual(told(again), told(first));
        assert.equal(isReplay(again), true);
        const other = await send(route, change, key, change.other);
        assert.deepEqual([other.status, other.body], REUSE);
        const elsewhere = await keyed(change.by, key).post(anotherThan(route), {
          ...{ warehouse_code: "X", warehouse_name: "X" },
        });
        assert.deepEqual([elsewhere.status, elsewhere.body], REUSE);
        // A repeat gets a token of its own where there is one in the answer, which its session notes.
        const changed = differing(before, await versions()).filter((table) => table !== "user_sessions");
        assert.deepEqual(changed, []);
      });

      it(`does once what ${TWINS} ask at once`, async () => {
        const change = await fresh();
        const key = randomUUID();
        let answers: Answer[] = [];
        const grew = await grown(async () => {
          answers = await Promise.all(Array.from({ length: TWINS }, () => send(route, change, key, change.body)));
        });
        const [first] = answers as [Answer];
        for (const answer of answers) assert.deepEqual(told(answer), told(first));
        assert.ok(first.status < 300, JSON.stringify(first.body));
        assert.equal(answers.filter(isReplay).length, TWINS - 1);
        assert.deepEqual(grew, once);
      });
    });
  }

  it("leaves sums that agree, whatever was asked again", () => assertInvariants());

  describe("as such", () => {
    const shape = (name: string) => ({ sku: name, item_name: name });
    const addItem = (by: Caller, key: string, name: string) => keyed(by, key).post("/api/admin/items", shape(name));

    it("has 1 to 255 printable characters", async () => {
      for (const [key, type] of [
        ["", "string_too_short"],
        ["k".repeat(256), "string_too_long"],
        ["a\tb", "string_pattern_mismatch"],
        ["schlüssel", "string_pattern_mismatch"],
      ] as const) {
        const { status, body } = await addItem(service.admin, key, "ODD");
        assert.deepEqual([status, body.error], [400, "validation_error"], key);
        const [{ loc, ...detail }] = body.details;
        assert.deepEqual([loc, detail.type], [["Idempotency-Key"], type]);
      }
      const long = "k ~".repeat(85);
      assert.equal((await addItem(service.admin, long, "LONG")).status, 201);
      assert.ok(isReplay(await addItem(service.admin, long, "LONG")));
    });

    it("is the user's own", async () => {
      const other = await service.user({ role: "ADMIN" });
      assert.equal((await addItem(service.admin, "mine", "A-1")).status, 201);
      const answer = await addItem(other, "mine", "A-2");
      assert.deepEqual([answer.status, isReplay(answer)], [201, false]);
    });

    it("does not care in which order a body's fields come", async () => {
      const post = (body: string) => keyed(service.admin, "order").call("POST", "/api/admin/items", body);
      await post('{"sku": "O-1", "item_name": "Mug"}');
      const again = await post('{"item_name":"Mug","sku":"O-1"}');
      assert.deepEqual([again.status, isReplay(again)], [201, true]);
    });

    it("cares for the path and the query", async () => {
      const post = (path: string) =>
        keyed(service.admin, "path").post(path, { records: [{ sku: "P-1", item_name: "Mug" }] });
      assert.equal((await post("/api/admin/import/items")).status, 200);
      for (const path of ["/api/admin/import/bins", "/api/admin/import/items?warehouse_id=1"])
        assert.deepEqual((await post(path)).status, 409, path);
    });

    it("is refused for another body before anything of that body is looked at", async () => {
      await addItem(service.admin, "early", "E-1");
      const { status, body } = await keyed(service.admin, "early").post("/api/admin/items", { nonsense: true });
      assert.deepEqual([status, body], REUSE);
    });

    it("means nothing to what only reads", async () => {
      await addItem(service.admin, "read", "R-1");
      const reader = keyed(service.admin, "read");
      const warehouse_id = await fixtures.warehouse();
      const item_id = (await fixtures.item()).item_id;
      for (let n = 1; n <= 2; n++) {
        const { so_number } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: n }]);
        const scan = await reader.post("/api/picking/wave-validate", { so_barcode: so_number, warehouse_id });
        assert.deepEqual([scan.body.total_units, isReplay(scan)], [n, false]);
      }
      for (const answer of [
        await reader.get("/api/admin/items"),
        await reader.post("/api/auth/refresh"),
        await keyed(service.admin, "").get("/api/admin/items"),
      ])
        assert.deepEqual([answer.status, isReplay(answer)], [200, false]);
    });

    it("does not keep a refusal: the same request may be tried again, through a process too", async () => {
      const warehouse_id = await fixtures.warehouse();
      const by = await service.user({ warehouse_ids: [warehouse_id] });
      const { item_id, sku } = await fixtures.item();
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      const create = () => keyed(by, "create").post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      const refused = await create();
      assert.deepEqual([refused.status, isReplay(refused)], [409, false]);
      const bin_id = await fixtures.bin(warehouse_id);
      await fixtures.stock(warehouse_id, bin_id, item_id, 1);
      const { batch_id, first_pick } = (await create()).body;
      const complete = () => keyed(by, "complete").post("/api/picking/complete-batch", { batch_id });
      const early = await complete();
      assert.deepEqual([early.status, isReplay(early)], [400, false]);
      await by.ok("POST", "/api/picking/confirm", {
        pick_task_id: first_pick.pick_task_id,
        scanned_barcode: sku,
        quantity_picked: 1,
      });
      const done = await complete();
      assert.deepEqual([done.status, isReplay(done)], [200, false]);
      assert.equal(isReplay(await complete()), true);
    });

    it("is as new after 24 hours, though its row is still there", async () => {
      const age = (interval: string) =>
        db.run(
          `update command_log set created_at = now() - $2::interval, valid_until = now() + '24 hours' - $2::interval
           where command_id = $1`,
          [`${service.admin.userId}:old`, interval],
        );
      await addItem(service.admin, "old", "OLD-1");
      await age("23:59:50");
      assert.equal((await addItem(service.admin, "old", "OLD-2")).status, 409);
      await age("24:00:01");
      const fresh = await addItem(service.admin, "old", "OLD-2");
      assert.deepEqual([fresh.status, isReplay(fresh)], [201, false]);
      assert.equal(isReplay(await addItem(service.admin, "old", "OLD-2")), true);
      assert.equal((await addItem(service.admin, "old", "OLD-1")).status, 409);
    });
  });

  describe("a step that the engine runs again", () => {
    it("is the same step after days, unlike another request under its key", async () => {
      const warehouse_id = await fixtures.warehouse();
      const bin_id = await fixtures.bin(warehouse_id);
      const { item_id } = await fixtures.item();
      const attempt = () => ({
        ...{ ...actor(service.admin), commandId: "1:days" },
        keyed: { requestHash: "0".repeat(64), attemptId: randomUUID() },
      });
      const adjust = (by: ReturnType<typeof attempt>) =>
        adjustDirectly({ item_id, bin_id, warehouse_id, quantity: 1, adjustment_type: "ADD", reason: "found" }, by);
      const by = attempt();
      const first = await adjust(by);
      await db.run(`update command_log set created_at = now() - interval '3 days',
        valid_until = now() - interval '2 days'
         where command_id = '1:days'`);
      assert.deepEqual(await adjust(by), first);
      const another = await adjust(attempt());
      assert.notEqual(another.adjustment_id, first.adjustment_id);
    });

    it("finds its row for a week; then the row is purged", async () => {
      await db.run(
        `insert into command_log (command_id, operation, request_hash, created_at)
         select 'purge:' || n, 'test', repeat('0', 64), now() - case when n = 1 then interval '6 days'
           else interval '8 days' end
         from generate_series(1, 6001) n`,
      );
      await db.run(
        `insert into login_attempts (key, locked_until, last_attempt)
         select 'purge:' || n, now() + n * interval '1 minute', now() - interval '20 minutes'
           from unnest(array[-5, 5]) n`,
      );
      await db.run(
        `insert into request_counts (key, minute, taken)
         select 'purge:' || n, date_trunc('minute', now()) + n * interval '1 minute', 1 from unnest(array[-1, 60]) n`,
      );
      await db.run(
        `insert into ended_sessions (session_id, ended_at)
         select 'purge:' || n, now() - n * interval '1 day' from unnest(array[364, 366]) n`,
      );
      await db.run(
        `insert into provider_sessions (session_id, user_id, issuer, subject, begun_at)
         select 'purge:' || n, user_id, 'https://id.example', 'ann', now() - n * interval '1 day'
         from unnest(array[364, 366]) n, (select user_id from users limit 1) u`,
      );
      await db.run(
        `insert into sign_in_uses (used, valid_until)
         select 'purge:' || n, now() + n * interval '1 hour' from unnest(array[-1, 1]) n`,
      );
      await db.run(
        `insert into factor_challenges (challenge_hash, user_id, purpose, expires_at)
         select 'purge:' || n, (select min(user_id) from users), 'sign_in', now() + n * interval '1 minute'
           from unnest(array[-1, 1]) n`,
      );
      const purged = await temporalClient().workflow.execute("maintenance", {
        ...{ taskQueue, workflowId: `purge-${taskQueue}`, args: ["purge"] },
      });
      const signIns = { approvals: 0, challenges: 1, provider_sessions: 1, sign_in_uses: 1, user_sessions: 0 };
      assert.deepEqual(purged, { commands: 6_000, logins: 1, print_jobs: 0, requests: 1, sessions: 1, ...signIns });
      assert.equal(await purgeCommands(), 0);
      assert.deepEqual(await db.rows("select command_id from command_log where operation = 'test'"), [
        { command_id: "purge:1" },
      ]);
    });
  });

  describe("an import that was cut off", () => {
    const PATH = "/api/admin/import/items";
    it("has written nothing, and is written whole under its key, which then is for these records alone", async () => {
      const records = Array.from({ length: 1200 }, (_, n) => ({ sku: `CUT-${n}`, item_name: "Mug" }));
      const importer = keyed(service.admin, "cut off");
      await db.run("alter table items add constraint no_cut check (sku <> 'CUT-700')");
      assert.equal((await importer.post(PATH, { records })).status, 409);
      await db.run("alter table items drop constraint no_cut");
      const made = async () => (await db.rows("select from items where sku like 'CUT-%'")).length;
      assert.equal(await made(), 0);
      const resumed = await importer.post(PATH, { records });
      assert.deepEqual([resumed.body.imported, isReplay(resumed), await made()], [1200, false, 1200]);
      const again = await importer.post(PATH, { records });
      assert.deepEqual(told(again), told(resumed));
      assert.equal(isReplay(again), true);
      assert.deepEqual(statusAndBody(await importer.post(PATH, { records: records.slice(1) })), REUSE);
    });

    it("that had no sound record keeps its key as well", async () => {
      const importer = keyed(service.admin, "nothing sound");
      const first = await importer.post(PATH, { records: [1] });
      const again = await importer.post(PATH, { records: [1] });
      assert.deepEqual(told(again), told(first));
      assert.equal(isReplay(again), true);
      assert.equal((await importer.post(PATH, { records: [2] })).status, 409);
    });
  });

  describe("a request whose answer was lost", () => {
    const change = async () => (await changeOf(service, "post /api/receiving/receive")) as Change;
    const receive = ({ by, body }: Change, key: string) => keyed(by, key).post("/api/receiving/receive", body);
    const isDone = (by: Caller, key: string) =>
      db.row("select from command_log where command_id = $1", [`${by.userId}:${key}`]);

    it("because the caller was gone gets it when it comes again", async () => {
      const asked = await change();
      const key = randomUUID();
      const { hostname, port } = new URL(service.url);
      const socket = openSocket(Number(port), hostname);
      const body = JSON.stringify(asked.body);
      const headers = {
        host: "scanner",
        ...asked.by.headers,
        "content-type": "application/json",
        "content-length": body.length,
        "idempotency-key": key,
      };
      const lines = Object.entries(headers).map(([k, v]) => `${k}: ${v}\r\n`);
      socket.write(`POST /api/receiving/receive HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
      await until(async () => (await isDone(asked.by, key)) !== undefined);
      socket.destroy();
      const answer = await receive(asked, key);
      assert.deepEqual([answer.status, isReplay(answer)], [200, true]);
      await assertInvariants();
    });

    it("because the database's word of the commit was lost gets it when it comes again", async () => {
      const asked = await change();
      const key = randomUUID();
      const proxy = await openProxy(service.config.databaseUrl);
      await disconnect();
      connect(proxy.url, 1);
      proxy.loseAt(`${asked.by.userId}:${key}`, "after commit");
      const lost = await receive(asked, key);
      await disconnect();
      connect(service.config.databaseUrl);
      await proxy.close();
      assert.equal(lost.status, 503);
      assert.ok(await isDone(asked.by, key));
      const answer = await receive(asked, key);
      assert.deepEqual([answer.status, isReplay(answer)], [200, true]);
      await assertInvariants();
    });
  });
});
