import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { openSource } from "../../activities/connectors/source.js";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { connectorOf } from "../../src/connectors/registry.js";
import { storedConfig } from "../../src/connectors/stored-config.js";
import { statusAndError } from "../support/caller.js";
import { CONNECTORS, connectorWarehouse, loadTestConnectors, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { logged } from "../support/log.js";
import { openService, type TestService } from "../support/service.js";

const PATH = `${CONNECTORS}/probe/credentials`;
const TOKEN = "tok_5c0ffee5ec7e7";
const credentials = { token: TOKEN, shop_url: "https://shop.example.com" };

describe("the credentials of a connector", () => {
  let service: TestService;
  let warehouse_id: number;
  before(async () => {
    service = await openService();
    await loadTestConnectors();
  });
  after(() => service.close());
  beforeEach(async () => {
    warehouse_id = await connectorWarehouse();
  });

  const store = (fields: object = {}) => service.admin.post(PATH, { warehouse_id, credentials, ...fields });
  const list = async (of = warehouse_id) =>
    (await service.admin.ok("GET", `${PATH}?warehouse_id=${of}`)).credentials as {
      key: string;
      value: string;
      created_at: string;
      updated_at: string;
    }[];
  const remove = () => service.admin.call("DELETE", PATH, { warehouse_id });
  const stored = () => storedConfig("probe", warehouse_id, service.config);
  const audited = (of = warehouse_id) =>
    db.rows<{ action_type: string; details: object }>(
      `select action_type, details from audit_log
       where entity_type = 'CONNECTOR' and entity_id = $1 and warehouse_id = $1 order by log_id`,
      [of],
    );

  it("are stored sealed for their field and warehouse, and answered as keys", async () => {
    const { status, body } = await store();
    assert.equal(status, 200);
    const keys = ["shop_url", "token"];
    assert.deepEqual(body, { message: "Credentials stored", connector: "probe", warehouse_id, keys });
    assert.deepEqual(await stored(), credentials);
    const rows = await db.rows<{ encrypted_value: string; credential_type: string }>(
      "select encrypted_value, credential_type from connector_credentials where warehouse_id = $1",
      [warehouse_id],
    );
    for (const { encrypted_value, credential_type } of rows) {
      assert.match(encrypted_value, /^v1\.[0-9a-f]{8}\./);
      assert.equal(credential_type, "connector_api_key");
    }
  });

  it("are shown without their values", async () => {
    assert.deepEqual(await list(), []);
    await store();
    const shown = await list();
    assert.deepEqual(
      shown.map(({ key, value, created_at, updated_at }) => [key, value, created_at === updated_at]),
      [
        ["shop_url", "****", true],
        ["token", "****", true],
      ],
    );
  });

  it("stay as they are where they are not sent", async () => {
    await store();
    const before = await list();
    assert.deepEqual((await store({ credentials: { token: "tok_other_one" } })).body.keys, ["token"]);
    assert.deepEqual(await stored(), { ...credentials, token: "tok_other_one" });
    const [url, token] = await list();
    assert.deepEqual(url, before[0]);
    assert.equal(token?.created_at, before[1]?.created_at);
    assert.notEqual(token?.updated_at, before[1]?.updated_at);
  });

  it("are deleted together, of one warehouse, and deleting none succeeds", async () => {
    await store();
    const other = await connectorWarehouse();
    await store({ warehouse_id: other });
    for (let i = 0; i < 2; i++) {
      const { status, body } = await remove();
      assert.equal(status, 200);
      assert.deepEqual(body, { message: "Credentials deleted", connector: "probe", warehouse_id });
    }
    assert.deepEqual([(await list()).length, (await list(other)).length], [0, 2]);
  });

  it("are audited by their keys", async () => {
    await store();
    await store({ credentials: { note: "x" } });
    await remove();
    await remove();
    const details = (...keys: string[]) => ({ connector: "probe", keys });
    const hosts = { shop_url: { before: null, after: "shop.example.com" } };
    assert.deepEqual(await audited(), [
      { action_type: "CONNECTOR_CREDENTIALS_STORE", details: { ...details("shop_url", "token"), hosts } },
      { action_type: "CONNECTOR_CREDENTIALS_STORE", details: details("note") },
      { action_type: "CONNECTOR_CREDENTIALS_DELETE", details: details("note", "shop_url", "token") },
    ]);
  });

  it("let the connector write records as a source system of its own", async () => {
    await store();
    await store();
    const source_system = `probe-${warehouse_id}`;
    const { source_systems } = await service.admin.ok("GET", "/api/admin/source-systems");
    assert.deepEqual(
      source_systems.filter((system: { source_system: string }) => system.source_system === source_system),
      [{ source_system, kind: "connector" }],
    );
    const rows = await db.rows(
      "select action_type from audit_log where entity_type = 'SOURCE_SYSTEM' and details->>'source_system' = $1",
      [source_system],
    );
    assert.deepEqual(rows, [{ action_type: "CREATE" }]);
    await remove();
    assert.equal((await store()).status, 200);
  });

  it("need no mapping document for that source system, so that the start warns of none", async () => {
    await store();
    await db.run(
      `insert into inbound_source_systems_allowlist (source_system, kind) values ('shop', 'connector'),
       ('probe', 'connector'), ('shop-1', 'connector')`,
    );
    const lines = await logged("warn", () => loadMappings(undefined));
    const warned = lines.map(({ source_system }) => source_system);
    assert.deepEqual(warned, ["probe", "shop", "shop-1"]);
  });

  it("close the circuit breaker: what failed before says nothing of them", async () => {
    const open = () =>
      db.run(
        `insert into connector_circuits (connector_name, warehouse_id, failures, open_until)
         values ('probe', $1, 5, now())`,
        [warehouse_id],
      );
    const circuits = () => db.rows("select from connector_circuits where warehouse_id = $1", [warehouse_id]);
    await open();
    await store();
    assert.deepEqual(await circuits(), []);
    await open();
    await remove();
    assert.deepEqual(await circuits(), []);
  });

  describe("go only where they were stored for", () => {
    const ELSEWHERE = "https://elsewhere.example.net";
    const storeOf = (name: string, fields: Record<string, string>) =>
      service.admin.post(`${CONNECTORS}/${name}/credentials`, { warehouse_id, credentials: fields });

    it("so another server needs the secrets in the same request, and the audit names both hosts", async () => {
      await store();
      for (const shop_url of [ELSEWHERE, "http://shop.example.com", "https://shop.example.com:8443", "nonsense"]) {
        const { status, code, body } = await store({ credentials: { shop_url } });
        assert.deepEqual([status, code, body.keys], [409, "secrets_needed", ["token"]], shop_url);
        assert(!JSON.stringify(body).includes(TOKEN));
      }
      assert.deepEqual(await stored(), credentials);
      assert.equal((await store({ credentials: { shop_url: ELSEWHERE, token: "tok_other_one" } })).status, 200);
      assert.deepEqual(await stored(), { shop_url: ELSEWHERE, token: "tok_other_one" });
      assert.deepEqual((await audited()).at(-1)?.details, {
        connector: "probe",
        keys: ["shop_url", "token"],
        hosts: { shop_url: { before: "shop.example.com", after: "elsewhere.example.net" } },
      });
    });

    it("so another path at the same server does not", async () => {
      await store();
      assert.equal((await store({ credentials: { shop_url: "https://SHOP.example.com./de" } })).status, 200);
      assert.equal((await stored()).token, TOKEN);
    });

    it("each of three addresses, also one that was empty", async () => {
      const files = { items_url: "https://files.example.com/items.csv", username: "me", password: "pass_5c0ffee" };
      assert.equal((await storeOf("csv-drop", files)).status, 200);
      for (const field of ["items_url", "orders_url", "inventory_url"]) {
        const { status, body } = await storeOf("csv-drop", { [field]: `${ELSEWHERE}/x.csv` });
        assert.deepEqual([status, body.keys], [409, ["password", "username"]], field);
      }
      const there = await storeOf("csv-drop", {
        orders_url: "https://files.example.com/orders.csv",
        token_header: "X-T",
      });
      assert.equal(there.status, 200);
      const { username, password } = files;
      const both = await storeOf("csv-drop", { inventory_url: `${ELSEWHERE}/x.csv`, username, password });
      assert.equal(both.status, 200);
    });

    it("what is no secret may stay", async () => {
      const shop = { shop_url: "https://one.example.com", order_prefix: "W", weight_unit: "kg" };
      assert.equal((await storeOf("woocommerce", shop)).status, 200);
      assert.equal((await storeOf("woocommerce", { shop_url: ELSEWHERE })).status, 200);
    });

    it("those of Shopify to its own hosts alone", async () => {
      const secret = { access_token: "shpat_5c0ffee" };
      for (const shop_url of [
        ELSEWHERE,
        "https://myshopify.com",
        "https://.myshopify.com",
        "http://shop.myshopify.com",
        "https://shop.myshopify.com:8443",
        "https://shop.myshopify.com.example.net",
        "https://example.net/#.myshopify.com",
        "https://example.net/?.myshopify.com",
        "https://shopmyshopify.com",
      ]) {
        const { status, code } = await storeOf("shopify", { shop_url, ...secret });
        assert.deepEqual([status, code], [400, "host_not_allowed"], shop_url);
      }
      assert.equal((await storeOf("shopify", { shop_url: "https://shop.myshopify.com", ...secret })).status, 200);
      // As an earlier release may have stored it.
      await storeConfig("shopify", warehouse_id, { shop_url: ELSEWHERE }, service.config);
      const source = await openSource(connectorOf("shopify") ?? assert.fail(), warehouse_id, service.config);
      await assert.rejects(source.request({ url: ELSEWHERE }), /Only https:\/\/<name>\.myshopify\.com is asked/);
    });
  });

  describe("are refused", () => {
    const anywhere = (warehouse: number, name = "probe") =>
      [
        ["POST", `${CONNECTORS}/${name}/credentials`, { warehouse_id: warehouse, credentials }],
        ["GET", `${CONNECTORS}/${name}/credentials?warehouse_id=${warehouse}`, undefined],
        ["DELETE", `${CONNECTORS}/${name}/credentials`, { warehouse_id: warehouse }],
        ["POST", `${CONNECTORS}/${name}/test`, { warehouse_id: warehouse }],
        ["GET", `${CONNECTORS}/${name}/sync-status?warehouse_id=${warehouse}`, undefined],
      ] as const;

    it("of an unknown connector", async () => {
      for (const [method, path, body] of anywhere(warehouse_id, "nobody"))
        assert.deepEqual(statusAndError(await service.admin.call(method, path, body)), [
          404,
          "Connector nobody not found",
        ]);
    });

    it("for an unknown warehouse", async () => {
      for (const [method, path, body] of anywhere(2_147_483_647))
        assert.deepEqual(statusAndError(await service.admin.call(method, path, body)), [404, "Warehouse not found"]);
    });

    it("without a warehouse", async () => {
      for (const [method, path, body] of anywhere(warehouse_id)) {
        const { warehouse_id: _, ...rest } = { ...body } as Record<string, unknown>;
        const bare = path.replace(/\?.*/, "");
        const { status, body: refusal } = await service.admin.call(method, bare, body && rest);
        assert.equal(status, 400);
        assert.deepEqual(refusal.details, [{ type: "missing", loc: ["warehouse_id"], msg: "Field required" }]);
      }
    });

    it("for warehouses of others, and without the page", async () => {
      const mine = await connectorWarehouse();
      const user = await service.user({ warehouse_ids: [mine], page_keys: ["integrations"] });
      const other = await service.user({ warehouse_ids: [mine, warehouse_id], page_keys: ["channels"] });
      for (const [method, path, body] of anywhere(warehouse_id)) {
        assert.equal((await user.call(method, path, body)).status, 403);
        assert.equal((await other.call(method, path, body)).status, 403);
      }
      assert.deepEqual(await list(), []);
      assert.equal((await user.post(PATH, { warehouse_id: mine, credentials })).status, 200);
      assert.equal((await user.get(`${PATH}?warehouse_id=${mine}`)).body.credentials.length, 2);
      assert.equal((await user.call("DELETE", PATH, { warehouse_id: mine })).status, 200);
    });

    it("when they are none, or no texts", async () => {
      const long = "k".repeat(129);
      const wrong: [object, string][] = [
        [{}, "credentials"],
        [{ token: "" }, "credentials,token"],
        [{ token: 5 }, "credentials,token"],
        [{ token: null }, "credentials,token"],
        [{ token: "x".repeat(10_001) }, "credentials,token"],
        [{ [long]: "x" }, `credentials,${long}`],
        [{ "": "x" }, "credentials,"],
      ];
      for (const [sent, loc] of wrong) {
        const { status, body } = await store({ credentials: sent });
        assert.equal(status, 400, loc);
        assert.equal(String(body.details[0].loc), loc);
      }
      assert.equal((await service.admin.post(PATH, { warehouse_id, credentials: [TOKEN] })).status, 400);
      assert.equal((await service.admin.post(PATH, { warehouse_id })).status, 400);
      assert.deepEqual(await list(), []);
    });

    it("within a URL, which would show them", async () => {
      for (const [name, field] of [
        ...[["probe", "shop_url"] as const, ["shopify", "shop_url"] as const, ["woocommerce", "shop_url"] as const],
        ...["items_url", "orders_url", "inventory_url"].map((field) => ["csv-drop", field] as const),
      ])
        for (const url of ["https://user:pass@shop.example.com/x", "https://user@shop.example.com"]) {
          const sent = { warehouse_id, credentials: { [field]: url } };
          const { status, body } = await service.admin.post(`${CONNECTORS}/${name}/credentials`, sent);
          assert.deepEqual([status, body.error], [400, "validation_error"], field);
          const msg = "A URL with a user name or password would show them; credentials have fields of their own";
          assert.deepEqual(body.details, [{ type: "value_error", loc: ["credentials", field], msg }]);
        }
      assert.deepEqual(await list(), []);
      assert.equal((await store({ credentials: { token: "https://user:pass@x" } })).status, 200);
    });

    it("when the connector has no such field, the others with them", async () => {
      const answer = await store({ credentials: { ...credentials, constructor: "x", password: "x" } });
      assert.deepEqual(statusAndError(answer), [400, "probe has no field constructor, password"]);
      assert.deepEqual(await list(), []);
      assert.deepEqual(await audited(), []);
    });

    it("more than ten times a minute by one user", async () => {
      await service.close();
      service = await openService({ env: { RATE_LIMIT_PER_MINUTE: "1000" } });
      warehouse_id = await connectorWarehouse();
      for (let i = 0; i < 10; i++) assert.equal((await store()).status, 200);
      assert.equal((await store()).status, 429);
      assert.equal((await service.admin.post(`${CONNECTORS}/probe/test`, { warehouse_id })).status, 429);
      assert.equal((await remove()).status, 200);
      await service.close();
      service = await openService();
    });
  });

  it("are in no table, log line or answer", async () => {
    const answers: unknown[] = [];
    const keep = async (asking: Promise<unknown>) => void answers.push(await asking);
    const lines = await logged("trace", async () => {
      const keyed = service.admin.with({ "idempotency-key": randomUUID() });
      for (let i = 0; i < 2; i++) await keep(keyed.post(PATH, { warehouse_id, credentials }));
      await keep(store({ credentials: { token: [TOKEN] } }));
      await keep(store({ credentials: { token: TOKEN, unknown: TOKEN } }));
      await keep(store({ credentials: { token: TOKEN }, [TOKEN.slice(0, 3)]: TOKEN }));
      await keep(service.admin.post(PATH, `{"warehouse_id": ${warehouse_id}, "credentials": {"token": "${TOKEN}"`));
      await keep(service.admin.get(`${PATH}?warehouse_id=${warehouse_id}`));
      await keep(service.admin.post(`${CONNECTORS}/probe/test`, { warehouse_id }));
      await keep(service.admin.post(`${CONNECTORS}/nobody/credentials`, { warehouse_id, credentials }));
      await keep(service.admin.post(PATH, { warehouse_id: 2_147_483_647, credentials }));
      await keep(remove());
      await keep(store());
    });
    for (const kept of [lines, answers, await everyRow()]) {
      const text = JSON.stringify(kept);
      for (const secret of [TOKEN, Buffer.from(TOKEN).toString("base64")])
        assert(!text.includes(secret), text.slice(Math.max(0, text.indexOf(secret) - 300), text.indexOf(secret) + 50));
    }
  });
});

/** Everything that the database holds, as text. */
async function everyRow(): Promise<unknown[]> {
  const tables = await db.rows<{ name: string }>(
    "select format('%I', table_name) as name from information_schema.tables where table_schema = 'public'",
  );
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(...(await db.rows(`select ${name}::text from ${name}`)));
  return rows;
}
