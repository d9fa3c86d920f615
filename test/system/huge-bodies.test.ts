import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { routes } from "../../api/routes.js";
import { startApi } from "../support/api-process.js";
import { connectorWarehouse, storeConfig } from "../support/connectors.js";
import * as fixtures from "../support/fixtures.js";
import { patient } from "../support/machine-speed.js";
import { killRoles } from "../support/roles.js";
import { send } from "../support/send.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

const MB = 1024 * 1024;
/** In which /proc counts: a hundredth of a second, on every Linux that Node runs on. */
const TICK_MS = 10;
/** So long may a request keep others waiting. */
const MOST_MS = patient(250);
const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`;
/** So often, and no more than that many bytes. */
const list = (entry: string, bytes: number) => `{"items":[${`${entry},`.repeat(bytes / (entry.length + 1) - 8)}0]}`;

/** What asks for much more work, or room, than its bytes. */
const bodies: Record<string, string> = {
  "800,000 unknown fields": fields(800_000),
  "60,000 unknown fields": fields(60_000),
  "5,000 unknown fields": fields(5_000),
  "objects of 10 MB": list("{}", 10 * MB),
  "objects of 1 MB": list("{}", MB),
  "objects of 64 KB": list("{}", 64 * 1024),
  "4,900 objects that miss their fields": list("{}", 14_700),
  "zeros of 10 MB": list("0", 10 * MB),
  "lists within lists of 10 MB": "[".repeat(10 * MB),
  "objects within objects of 1 MB": '{"a":'.repeat(MB / 5 - 1),
  "a number of 60,000 digits": `{"po_id":${"9".repeat(60_000)}}`,
  "a number of 1 MB": `{"po_id":${"9".repeat(MB - 16)}}`,
  "numbers beyond all numbers": list("1e999999", 60_000),
  "a text of 10 MB": `{"x":"${"x".repeat(10 * MB - 16)}"}`,
  "a name of 1 MB": `{"${"x".repeat(MB - 16)}":1}`,
};

/** A route for each way of being let in, and each limit; and what is no route, or takes no body. */
const paths = [
  "post /api/auth/login",
  "post /api/csp-report",
  "post /api/auth/change-password",
  "post /api/auth/refresh",
  "post /api/receiving/receive",
  "post /api/inventory/cycle-count/submit",
  "post /api/admin/users",
  "put /api/admin/settings",
  "post /api/admin/tokens",
  "post /api/admin/import/items",
  "post /api/admin/inbound/try",
  "post /api/admin/transfer-orders/import",
  "post /api/v1/inbound/items",
  "post /api/v1/events/ack",
  "post /api/v1/station/orders/:so_number/ship",
  "post /api/v1/pos/checkout",
  "post /api/v1/connectors/:name/:warehouse_id/webhooks",
  "get /api/admin/users",
  "post /api/nowhere",
];

describe("a body that asks for more than its bytes", function () {
  this.timeout(120_000);
  let service: TestService;
  let url: string;
  let api: ChildProcess;
  /** The warehouse of a shop that may send webhooks. */
  let shop: number;
  let headers: Record<string, string>;
  let benchHeaders: Record<string, string>;
  before(async () => {
    service = await openService();
    const { jwtSecret, databaseUrl, tokenPepper, encryptionKey } = service.config;
    const started = await startApi(databaseUrl, tokenPepper, {
      ...{ JWT_SECRET: jwtSecret, SERVICE_ENCRYPTION_KEY: encryptionKey },
      ...{ RATE_LIMIT_PER_MINUTE: "0", OPEN_RATE_LIMIT_PER_MINUTE: "0", INBOUND_RATE_LIMIT_PER_MINUTE: "0" },
      SERVICE_INBOUND_MAX_BODY_KB: "4096",
      NODE_OPTIONS: "--max-old-space-size=128",
    });
    api = started.api;
    url = started.caller.url;
    const { plaintext } = await tokenCaller(service, {
      ...{ source_system: "shop", inbound_resources: ["items"] },
      ...{ event_types: ["ship.confirmed"], endpoints: ["events.ack"] },
    });
    headers = { ...service.admin.headers, "x-wms-token": plaintext, "content-type": "application/json" };
    const bench = await tokenCaller(service, {
      ...{ endpoints: ["station.dispatch", "pos.dispatch"], warehouse_ids: [await fixtures.warehouse()] },
    });
    benchHeaders = { "x-wms-token": bench.plaintext, "content-type": "application/json" };
    shop = await connectorWarehouse();
    const config = { shop_url: "https://shop.example.com", access_token: "token", webhook_secret: "secret" };
    await storeConfig("shopify", shop, config, service.config);
  });
  after(async () => {
    killRoles();
    await service.close();
  });

  /**
   * The CPU time of the API so far, in milliseconds. While it computes it answers no request; unlike the time that a
   * client waits, this does not depend on what else the machine does.
   */
  async function computed(): Promise<number> {
    const stat = await readFile(`/proc/${api.pid}/stat`, "utf8");
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(utime) + Number(stime)) * TICK_MS;
  }

  /** Sends it while others ask for the health, and gives the answer and how long the API computed for all of that. */
  async function sendBeside(method: string, declared: string, body: string) {
    const before = await computed();
    let over = false;
    const path = declared.replace(":so_number", "SO-1").replace(":name/:warehouse_id", `shopify/${shop}`);
    const sender = /\/(station|pos)\//.test(path) ? benchHeaders : headers;
    const sent = send(url, { method, path, headers: sender, body }).finally(() => {
      over = true;
    });
    do {
      const health = await send(url, { method: "GET", path: "/api/health" });
      assert.equal(health.status, 200);
      await pause(20);
    } while (!over);
    const answer = await sent;
    return { ...answer, computed: (await computed()) - before };
  }

  for (const line of paths) {
    const [method = "", path = ""] = line.split(" ");
    const route = routes.find((one) => one.path === path && one.method === method);
    const takesBody = route?.body || route?.signedBody;
    it(`is sent to ${line}, and nobody else waits for it`, async () => {
      const seen = new Set<number>();
      for (const [what, body] of Object.entries(bodies)) {
        const times: number[] = [];
        // A collection of garbage that was due anyway takes long once, a body that is costly each time.
        for (let i = 0; i < 3 && Math.min(...times) >= MOST_MS; i++) {
          const answer = await sendBeside(method.toUpperCase(), path, body);
          times.push(answer.computed);
          const { status } = answer;
          seen.add(status);
          assert.ok(status < 500, `${what}: ${status}`);
          // Such a body is refused for what it is, not for who sent it or how often.
          const unread = route?.signedBody ? [403, 404, 429] : [401, 403, 404, 429];
          if (takesBody) assert.ok(status >= 400 && !unread.includes(status), `${what}: ${status}`);
          assert.ok(answer.body.length < 2.5 * MB, what);
        }
        assert.ok(Math.min(...times) < MOST_MS, `${what}: ${times} ms`);
      }
      if (route?.signedBody) assert.ok(seen.has(413), "no body was received");
    });
  }

  it("does not make the process large", async () => {
    const status = await readFile(`/proc/${api.pid}/status`, "utf8");
    const most = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    assert.ok(most < 300, `${most} MB`);
  });
});
