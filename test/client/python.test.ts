import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { badNetwork, drop, json } from "../support/bad-network.js";
import { PASSWORD, person } from "../support/people.js";
import { hasPython, runPython } from "../support/python.js";
import { openService, type TestService } from "../support/service.js";

/** Tells what a call of the client gave, or how it failed. */
const CALL = `
import json, sys
from warehouse_client import Refusal, Unreachable
from warehouse_client.transport import Transport

url, options, method, key = json.loads(sys.argv[1])
client = Transport(url, **{"first_wait": 0.001, **options})
try:
    body = {"name": "mug"} if method == "POST" else None
    answer = client._call(method, "/things/{id}", {"id": 7}, {"q": "a b", "none": None}, body, key)
    print(json.dumps({"answer": answer}))
except Refusal as refusal:
    print(json.dumps({"status": refusal.status, "code": refusal.code, "message": str(refusal), "body": refusal.body}))
except Unreachable as unreachable:
    print(json.dumps({"unreachable": str(unreachable)}))
`;

describe("the client for Python", function () {
  this.timeout(60_000);
  before(function () {
    if (hasPython()) return;
    console.log("      there is no python3 from 3.9 on");
    this.skip();
  });

  describe("with the service", () => {
    let service: TestService;
    before(async () => {
      service = await openService({ worker: true });
    });
    after(() => service?.close());

    it("takes an order from the purchase to the carrier, and reads a list to its end", async () => {
      const { username } = await person();
      const program = fileURLToPath(new URL("../../../test/client/order_walk.py", import.meta.url));
      await service.admin.ok("POST", "/api/admin/items", { sku: "JUG-01", item_name: "Jug" });
      assert.deepEqual(await runPython([program, service.url, username, PASSWORD]), {
        statuses: ["RECEIVED", "PICKED", "PACKED", "SHIPPED"],
        skus: ["JUG-01", "MUG-02"],
        total: 2,
      });
    });

    it("has types that Python can read", async () => {
      const program = `
import ast, json, warehouse_client.types as types
from warehouse_client import WarehouseClient
fields = sum(len(getattr(kind, "__annotations__", {})) for kind in vars(types).values())
receive = WarehouseClient.receive_items
print(json.dumps([fields, receive.__annotations__["return"], receive.__doc__]))`;
      const [fields, type, text] = (await runPython(["-c", program])) as [number, string, string];
      assert.ok(fields > 1_000);
      assert.deepEqual([type, text], ["ReceiveItemsAnswer", "Receives items of a purchase order into bins"]);
    });
  });

  describe("over a bad network", () => {
    const network = badNetwork();
    const call = (method = "POST", options: object = {}, key: string | null = null) =>
      runPython(["-c", CALL, JSON.stringify([network.url, options, method, key])]) as Promise<Record<string, unknown>>;

    it("sends again when the connection breaks, under the same key", async () => {
      network.answers = [drop, drop];
      assert.deepEqual(await call(), { answer: { id: 7 } });
      assert.equal(network.requests.length, 3);
      const [first, ...others] = network.requests;
      assert.match(first?.key ?? "", /^[0-9a-f]{32}$/);
      for (const other of others) assert.deepEqual(other, first);
    });

    it("has another key for each call, or the one that is given", async () => {
      await call();
      await call();
      await call("POST", {}, "mine");
      const keys = network.requests.map(({ key }) => key);
      assert.equal(new Set(keys).size, 3);
      assert.equal(keys[2], "mine");
    });

    it("sends again what a busy service or its proxy puts off", async () => {
      network.answers = [json(429, { error: "later" }, { "retry-after": "0" }), json(503, {}), json(502, {})];
      assert.deepEqual(await call("GET"), { answer: { id: 7 } });
      assert.deepEqual(
        network.requests.map(({ method, url, key }) => [method, url, key]),
        Array(4).fill(["GET", "/things/7?q=a+b", undefined]),
      );
    });

    it("gives up when it is told to wait too long, with that answer, and in the end where there is none", async () => {
      network.answers = [json(503, { error: "Database busy", code: "database_busy" }, { "retry-after": "60" })];
      assert.equal((await call("POST", { give_up_after: 0.05 })).code, "database_busy");
      assert.equal(network.requests.length, 1);
      network.answers = Array(99).fill(drop);
      assert.deepEqual(await call("POST", { give_up_after: 0.03 }), { unreachable: "The service does not answer" });
    });

    it("gives up an attempt that is not answered, and makes the next", async () => {
      network.answers = [() => {}];
      assert.deepEqual(await call("POST", { attempt_timeout: 0.1 }), { answer: { id: 7 } });
    });

    it("does not send again what was refused, and says why; nor does it follow to elsewhere", async () => {
      const body = { error: "Too many", code: "over_receipt", remaining: 3 };
      network.answers = [json(400, body)];
      assert.deepEqual(await call(), { status: 400, code: "over_receipt", message: "Too many", body });
      const missing = { error: "validation_error", details: [{ loc: ["name"], msg: "is missing" }] };
      network.answers = [json(400, missing)];
      assert.equal((await call()).message, "name is missing");
      network.answers = [json(302, {}, { location: "http://127.0.0.1:1/elsewhere" })];
      assert.equal((await call("GET")).status, 302);
      assert.equal(network.requests.length, 3);
    });
  });
});
