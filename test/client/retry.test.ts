import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../client/src/client.js";
import { Refusal, Unreachable } from "../../client/src/refusal.js";
import { pluckAll } from "../support/pluck.js";

interface Routes {
  "/things/{id}": {
    get: { path: { id: number }; query: { q?: string }; body: never; answer: { id: number } };
    post: { path: { id: number }; query: never; body: { name: string }; answer: { id: number } };
  };
}
type Answer = (req: IncomingMessage, res: ServerResponse) => void;

describe("the client, over a bad network", () => {
  let server: Server;
  let answers: Answer[] = [];
  let requests: { method?: string | undefined; url?: string | undefined; key?: string; body: string }[] = [];
  before(async () => {
    server = createServer(async (req, res) => {
      let body = "";
      for await (const piece of req) body += piece;
      const key = req.headers["idempotency-key"] as string | undefined;
      requests.push({ method: req.method, url: req.url, body, ...(key && { key }) });
      (answers.shift() ?? ok)(req, res);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  beforeEach(() => {
    answers = [];
    requests = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
    return (_req, res) => {
      res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    };
  };
  const ok = json(200, { id: 7 });
  const drop: Answer = (req) => void req.socket.destroy();
  const client = (options = {}) => {
    const { port } = server.address() as AddressInfo;
    return createClient<Routes>({ baseUrl: `http://127.0.0.1:${port}`, firstWaitMs: 1, ...options });
  };
  const post = (options = {}) => client().post("/things/{id}", { path: { id: 7 }, body: { name: "mug" }, ...options });

  it("sends again when the connection breaks, under the same key", async () => {
    answers = [drop, drop];
    assert.deepEqual(await post(), { id: 7 });
    assert.equal(requests.length, 3);
    const [first, ...others] = requests;
    assert.match(first?.key ?? "", /^[0-9a-f]{32}$/);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("has another key for each call, or the one that is given", async () => {
    await post();
    await post();
    await post({ idempotencyKey: "mine" });
    const keys = requests.map(({ key }) => key);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], "mine");
  });

  it("sends again what a busy service or its proxy puts off", async () => {
    answers = [json(429, { error: "later" }, { "retry-after": "0" }), json(503, {}), json(502, {})];
    await client().get("/things/{id}", { path: { id: 7 }, query: { q: "a b" } });
    assert.deepEqual(pluckAll(requests, "method", "url", "key"), Array(4).fill(["GET", "/things/7?q=a+b", undefined]));
  });

  it("gives up when it is told to wait too long, with that answer, and in the end where there is none", async () => {
    answers = Array(9).fill(json(503, { error: "Database busy", code: "database_busy" }, { "retry-after": "60" }));
    await assert.rejects(post({ giveUpAfterMs: 50 }), (error: Refusal) => error.code === "database_busy");
    assert.equal(requests.length, 1);
    answers = Array(99).fill(drop);
    await assert.rejects(post({ giveUpAfterMs: 30 }), Unreachable);
  });

  it("gives up an attempt that is not answered, and makes the next", async () => {
    answers = [() => {}];
    assert.deepEqual(await post({ attemptMs: 100 }), { id: 7 });
  });

  it("stops at once when the caller does", async () => {
    for (const answer of [() => {}, json(503, {}, { "retry-after": "20" })] as Answer[]) {
      answers = [answer];
      requests = [];
      const caller = new AbortController();
      const call = post({ signal: caller.signal });
      while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      caller.abort(new Error("left"));
      await assert.rejects(call, /left/);
      assert.equal(requests.length, 1);
    }
  });

  it("does not send again what was refused, and says why", async () => {
    answers = [json(400, { error: "Too many", code: "over_receipt", remaining: 3 })];
    await assert.rejects(post(), (error: Refusal) => {
      const { status, code, message, body } = error;
      assert.deepEqual([status, code, message, body.remaining], [400, "over_receipt", "Too many", 3]);
      return error instanceof Refusal;
    });
    answers = [json(400, { error: "validation_error", details: [{ loc: ["name"], msg: "is missing" }] })];
    await assert.rejects(post(), /name is missing/);
    assert.equal(requests.length, 2);
  });
});
