import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { item, salesOrder } from "../support/fixtures.js";
import { type Line, logged } from "../support/log.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

describe("the access log", () => {
  const { at, shelved, startWave } = pickFloor();
  const { logIn, browser } = sessionsOf(() => at().service);

  /** The lines of requests, as many as expected, that were logged from this level on. */
  const lines = async (count: number, work: () => Promise<unknown>, level = "info"): Promise<Line[]> => {
    const all: Line[] = await logged(level, async (soFar) => {
      await work();
      // A request ends for the server a moment after its answer has arrived.
      await until(() => requests(soFar).length >= count);
    });
    return requests(all);
  };
  const requests = (all: Line[]) => all.filter(({ msg }) => msg === "request");

  it("has one line of each request: route, status, duration, request id, who, and the workflow", async () => {
    const { picker, warehouse_id } = at();
    const { item_id } = await shelved(5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const [line, ...others] = await lines(1, () => startWave(so_id));
    assert.deepEqual(others, []);
    const { time, pid, hostname, ms, requestId, workflowId, ...rest } = line as Line;
    assert.deepEqual(rest, {
      ...{ level: 30, msg: "request", method: "POST", route: "/api/picking/wave-create", status: 200 },
      user: picker.username,
    });
    assert.ok(typeof ms === "number" && ms > 0);
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    assert.match(String(workflowId), /^pick-wave-\d+$/);
  });

  it("is JSON whatever a user is called", async () => {
    const username = `O"Neil\\ ${randomUUID()}`;
    const asking = await at().service.user({ username });
    const [line] = await lines(1, () => asking.get("/api/auth/me"));
    assert.equal(line?.user, username);
  });

  it("tells the time as the other lines do", async () => {
    const before = Date.now();
    const [line] = await lines(1, () => at().picker.get("/api/auth/me"));
    const time = String(line?.time);
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Date.parse(time) >= before && Date.parse(time) <= Date.now());
  });

  it("has the request id of the answer", async () => {
    const id = "0f2dd2a5-5f4a-4d51-9d0b-0f1b46a7f3c1";
    const asking = at().picker.with({ "X-Request-ID": id });
    const [line] = await lines(1, () => asking.get("/api/auth/me"));
    assert.equal(line?.requestId, id);
  });

  it("names routes, not what stands in their paths and queries", async () => {
    const { service, picker } = at();
    const { upc, item_id } = await item();
    const found = await lines(5, async () => {
      await picker.get(`/api/lookup/item/${upc}`);
      await service.admin.get(`/api/admin/items/${item_id}?secret=in-the-query`);
      await service.anyone.get("/api/no-such-route/secret-in-the-path");
      await service.anyone.get("/docs");
      await service.anyone.get("/console/orders");
    });
    assert.deepEqual(pluckAll(found, "method", "route"), [
      ["GET", "/api/lookup/item/:barcode"],
      ["GET", "/api/admin/items/:item_id"],
      ["GET", "none"],
      ["GET", "/docs"],
      ["GET", "pages"],
    ]);
    for (const secret of [upc, "secret"]) assert.ok(!JSON.stringify(found).includes(String(secret)), String(secret));
  });

  it("has the name of a token", async () => {
    const { service } = at();
    const token = await tokenCaller(service, { token_name: "the shop", event_types: ["ship.confirmed"] });
    const [line] = await lines(1, () => token.caller.get("/api/v1/events"));
    assert.deepEqual([line?.token, line?.user], ["the shop", undefined]);
  });

  it("has no password, token, cookie, body or query in it, whatever is logged", async () => {
    const { service } = at();
    const { username } = await person();
    const { plaintext } = await tokenCaller(service);
    const { caller, headers } = { ...(await browser(username)), headers: service.admin.headers };
    const found = await lines(
      6,
      async () => {
        await logIn(username, "wrong horse 1");
        await logIn(username, PASSWORD);
        await caller.post("/api/auth/change-password", {
          current_password: "wrong horse 1",
          new_password: "battery staple 2",
        });
        await service.anyone.with({ "x-wms-token": plaintext }).get("/api/v1/events?token=secret-query");
        await service.anyone.with({ cookie: "service_auth=secret-cookie" }).get("/api/auth/me");
        await service.admin.post("/api/admin/items", { sku: "secret-body" });
      },
      "trace",
    );
    const text = JSON.stringify(found);
    const [, bearer] = String(headers.authorization).split(" ");
    const secrets = [PASSWORD, "wrong horse", "battery staple", "secret-", plaintext, bearer, caller.headers.cookie];
    for (const secret of secrets) assert.ok(secret && !text.includes(secret), secret);
  });

  it("says which requests were broken off", async () => {
    const { service } = at();
    const [line] = await lines(1, async () => {
      const { host } = new URL(service.url);
      const [hostname, port] = host.split(":");
      const asking = request({ hostname, port, method: "POST", path: "/api/auth/login", headers: UNFINISHED });
      asking.on("error", () => {});
      asking.write("{");
      await new Promise((resolve) => asking.once("socket", (socket) => socket.once("connect", resolve)));
      await new Promise((resolve) => setTimeout(resolve, 100));
      asking.destroy();
    });
    assert.deepEqual([line?.route, line?.aborted], ["/api/auth/login", true]);
  });

  it("has probes at debug level only", async () => {
    const { service } = at();
    const probe = async () => {
      await service.anyone.get("/api/health");
      await service.anyone.get("/api/ready");
      await service.anyone.get("/docs");
    };
    assert.deepEqual(pluck(await lines(1, probe), "route"), ["/docs"]);
    assert.deepEqual(pluckAll(await lines(3, probe, "debug"), "level", "route"), [
      [20, "/api/health"],
      [20, "/api/ready"],
      [30, "/docs"],
    ]);
  });

  it("is silent above its level", async () => {
    const found = await logged("warn", () => at().picker.get("/api/auth/me"));
    assert.deepEqual(requests(found), []);
  });
});

const UNFINISHED = { "Content-Type": "application/json", "Content-Length": "100" };
