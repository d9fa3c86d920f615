import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { startApi } from "../support/api-process.js";
import type { Caller } from "../support/caller.js";
import { connectorWarehouse, storeConfig } from "../support/connectors.js";
import { killRoles } from "../support/roles.js";
import { send } from "../support/send.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

const MB = 1024 * 1024;
const STALLED = 200;

describe("bodies that are begun and not ended", function () {
  this.timeout(120_000);
  let service: TestService;
  let url: string;
  let api: ChildProcess;
  let shop: number;
  let admin: Caller;
  /** In MB, before anybody asked anything. */
  let atStart: number;
  /** Begun first, so that its time is over when the others are done. */
  let first: Awaited<ReturnType<typeof stalled>>;
  const memoryOf = async (what: "VmRSS" | "VmHWM"): Promise<number> => {
    const status = await readFile(`/proc/${api.pid}/status`, "utf8");
    return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  };
  before(async () => {
    service = await openService();
    const { jwtSecret, databaseUrl, tokenPepper, encryptionKey } = service.config;
    const started = await startApi(databaseUrl, tokenPepper, {
      ...{ JWT_SECRET: jwtSecret, SERVICE_ENCRYPTION_KEY: encryptionKey },
      ...{ RATE_LIMIT_PER_MINUTE: "0", OPEN_RATE_LIMIT_PER_MINUTE: "0" },
      SERVICE_REQUEST_TIMEOUT_S: "20",
      NODE_OPTIONS: "--max-old-space-size=128",
    });
    api = started.api;
    url = started.caller.url;
    admin = started.caller.with(service.admin.headers);
    atStart = await memoryOf("VmRSS");
    shop = await connectorWarehouse();
    const config = { shop_url: "https://shop.example.com", access_token: "token", webhook_secret: "secret" };
    await storeConfig("shopify", shop, config, service.config);
    first = await stalled("/api/receiving/receive", service.admin.headers, Buffer.from("{"));
  });
  after(async () => {
    killRoles();
    await service.close();
  });

  /** A request whose body never ends, and what came back for it. */
  async function stalled(path: string, headers: Record<string, string>, body: Buffer) {
    const { hostname, port } = new URL(url);
    const socket: Socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const head = { host: hostname, "content-type": "application/json", ...headers, "content-length": `${MB}` };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.on("error", () => {});
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    const ended = once(socket, "close");
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    socket.write(body);
    return { socket, answer: () => answer, ended };
  }

  const senders: Record<string, () => [string, Record<string, string>, Buffer]> = {
    "to the webhooks of a shop, without a login": () => [
      `/api/v1/connectors/shopify/${shop}/webhooks`,
      {},
      Buffer.alloc(MB - 1, "x"),
    ],
    "by a user of the floor": () => ["/api/receiving/receive", service.admin.headers, Buffer.alloc(MB - 1, "x")],
    "by a user, compressed": () => [
      "/api/receiving/receive",
      { ...service.admin.headers, "content-encoding": "gzip" },
      gzipSync(Buffer.alloc(MB - 1, "x")).subarray(0, -1),
    ],
  };
  for (const [whose, sender] of Object.entries(senders))
    it(`leave room for everybody else: ${whose}`, async () => {
      const all = await Promise.all(Array.from({ length: STALLED }, () => stalled(...sender())));
      // Those for which there is no room are told so; the others wait for the rest of their body.
      await until(() => all.filter(({ answer }) => answer().startsWith("HTTP/1.1 429")).length >= STALLED - 20, 30_000);
      assert.ok(all.some(({ answer }) => answer() === ""));
      assert.match(String(all.find(({ answer }) => answer())?.answer()), /retry-after: 5/i);
      assert.equal((await send(url, { method: "GET", path: "/api/health" })).status, 200);
      for (const { socket } of all) socket.destroy();
      // As soon as they are gone, there is room again.
      const body = JSON.stringify({ po_id: 1, items: [], memo: "x".repeat(MB / 2) });
      const path = "/api/receiving/receive";
      await until(async () => (await admin.post(path, body)).status === 400);
    });

  it("keep no import of the largest size from being read", async () => {
    const [path, headers, part] = senders["to the webhooks of a shop, without a login"]?.() ?? assert.fail();
    const all = await Promise.all(Array.from({ length: STALLED }, () => stalled(path, headers, part)));
    await until(() => all.filter(({ answer }) => answer()).length >= STALLED - 20, 30_000);
    const records = Array.from({ length: 4_000 }, (_, i) => ({ sku: `BIG-${i}`, item_name: "x".repeat(200) }));
    const { status, body } = await admin.post("/api/admin/import/items", { records, padding: "x".repeat(8 * MB) });
    assert.equal(status, 400, JSON.stringify(body).slice(0, 200));
    assert.match(JSON.stringify(body), /padding/);
    for (const { socket } of all) socket.destroy();
  });

  it("end in time, with an answer that says so", async () => {
    await first.ended;
    assert.match(first.answer(), /^HTTP\/1\.1 408 /);
  });

  it("do not make the process large", async () => {
    const most = (await memoryOf("VmHWM")) - atStart;
    // 64 MB of bodies, as much again of those that are gone and not yet collected, and the import as it is parsed: 130
    // to 200 MB, as the collector has time. Without a limit (`SERVICE_BODIES_MB=4000`) it is 620 MB.
    assert.ok(most < 400, `${most} MB more than at the start`);
  });
});
