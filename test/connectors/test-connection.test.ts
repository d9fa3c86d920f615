import assert from "node:assert/strict";
import {
  CONNECTORS,
  connectorWarehouse,
  loadTestConnectors,
  openShop,
  type Shop,
  storeConfig,
} from "../support/connectors.js";
import { db } from "../support/db.js";
import { openService, type TestService } from "../support/service.js";

const TOKEN = "tok_5c0ffee5ec7e7";

describe("the test of a connection", () => {
  let service: TestService;
  let shop: Shop;
  let warehouse_id: number;

  const store = (config: Record<string, string>, connector = "probe") =>
    storeConfig(connector, warehouse_id, config, service.config);
  const test = (connector = "probe") => service.admin.post(`${CONNECTORS}/${connector}/test`, { warehouse_id });
  const told = async (connector?: string) => {
    const { status, body } = await test(connector);
    assert.equal(status, 200, JSON.stringify(body));
    const { connected, message, ...of } = body;
    assert.deepEqual(of, { connector: connector ?? "probe", warehouse_id });
    return [connected, message];
  };

  describe("where sources on this machine are allowed", () => {
    before(async () => {
      const env = {
        ...{ SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1" },
        ...{ CONNECTOR_HTTP_TIMEOUT_MS: "500", CONNECTOR_CIRCUIT_OPEN_MS: "86400000" },
      };
      service = await openService({ env });
      await loadTestConnectors();
    });
    after(() => service.close());
    beforeEach(async () => {
      shop = await openShop(() => ({ body: { name: " the shop\u0007 é " } }));
      warehouse_id = await connectorWarehouse();
      await store({ token: TOKEN, shop_url: shop.url });
    });
    afterEach(() => shop.close());

    it("tells what the connector says, in printable characters", async () => {
      assert.deepEqual(await told(), [true, "Connected as the shop "]);
      assert.deepEqual(
        shop.requests.map(({ path, headers }) => [path, headers["x-token"]]),
        [["/me", TOKEN]],
      );
    });

    it("tells why the source refuses, without what is secret", async () => {
      shop.usual = ({ headers }) => ({ status: 401, body: { errors: `Unknown token ${headers["x-token"]}` } });
      assert.deepEqual(await told(), [false, "The source answered with HTTP status 401: Unknown token ***"]);
    });

    it("tells at most 500 characters", async () => {
      shop.usual = () => ({ body: { name: "x".repeat(600) } });
      const [connected, message] = await told();
      assert.equal(connected, true);
      assert.equal(message.length, 500);
    });

    it("survives whatever a connector does", async () => {
      shop.usual = () => ({ body: { name: 5 } });
      assert.deepEqual(await told(), [false, "The connector failed: name.trim is not a function"]);
      shop.usual = () => ({ body: `{"name": "${TOKEN}` });
      assert.deepEqual(await told(), [false, "The answer of the source is not JSON"]);
    });

    it("reads little JSON, as it is the process of all that reads it", async () => {
      for (const [body, why] of [
        [`[${"{},".repeat(100_000)}{}]`, "has more than 100000 values"],
        [`["${"x".repeat(2 * 1024 * 1024)}"]`, "has more than 2 MB of JSON"],
        ["[".repeat(1_000_000), "is nested more than 64 deep"],
      ] as const) {
        shop.usual = () => ({ body });
        assert.deepEqual(await told(), [false, `The answer of the source ${why}`]);
      }
    });

    it("does not wait longer than for two requests", async () => {
      shop.usual = () => ({ status: 429, headers: { "retry-after": "60" } });
      assert.deepEqual(await told(), [false, "The source did not answer in time"]);
    });

    it("counts for the circuit breaker", async () => {
      shop.usual = () => ({ status: 500 });
      for (let i = 0; i < 5; i++) assert.equal((await told())[0], false);
      assert.match(
        `${await told()}`,
        /^false,The source failed 5 times in a row, and is not asked again before \d{4}-/,
      );
      assert.equal(shop.requests.length, 5);
    });

    it("is refused by name for what is missing or cannot be read", async () => {
      const refused = async (message: string, missing: string[], invalid: string[]) => {
        const { status, code, body } = await test();
        const of = { connector: "probe", warehouse_id, connected: false, message };
        assert.deepEqual(
          [status, code, body],
          [400, "connector_not_configured", { error: message, ...of, missing, invalid }],
        );
      };
      await db.run("delete from connector_credentials where warehouse_id = $1 and credential_key = 'token'", [
        warehouse_id,
      ]);
      await refused("Credentials of probe that are missing or not valid: token", ["token"], []);
      await store({ shop_url: "no URL" });
      await refused("Credentials of probe that are missing or not valid: token, shop_url", ["token"], ["shop_url"]);
      await db.run("update connector_credentials set encrypted_value = 'v1.00000000.AAAA' where warehouse_id = $1", [
        warehouse_id,
      ]);
      await refused("The stored shop_url cannot be decrypted", [], ["shop_url"]);
      warehouse_id = await connectorWarehouse();
      await refused("No credentials of probe are stored for this warehouse", ["token", "shop_url"], []);
      assert.equal(shop.requests.length, 0);
    });

    it("needs no credentials of a connector that asks nobody", async () => {
      warehouse_id = await connectorWarehouse();
      assert.deepEqual(await told("example"), [true, "The example connector is always connected"]);
    });
  });

  describe("elsewhere", () => {
    before(async () => {
      service = await openService();
      await loadTestConnectors();
    });
    after(() => service.close());
    beforeEach(async () => {
      warehouse_id = await connectorWarehouse();
    });

    it("blocks destinations that are not on the public internet, whether the connector asks them or not", async () => {
      const shop = await openShop();
      const urls = [
        ...[shop.url, "https://localhost/", "https://169.254.169.254/", "https://[::1]/", "https://[fd00::1]/"],
        ...["http://10.0.0.7/x", "https://shop.internal", "file:///etc/hosts", "https://0x7f000001/"],
      ];
      for (const [connector, field] of [
        ["probe", "shop_url"],
        ["example", "base_url"],
      ] as const)
        for (const url of urls) {
          await store({ [connector === "probe" ? "token" : "api_key"]: TOKEN, [field]: url }, connector);
          const { status, body, code } = await test(connector);
          assert.equal(status, 400, url);
          const { message, ...rest } = body;
          assert.deepEqual(rest, { error: "blocked_destination", connector, warehouse_id, connected: false });
          assert.match(message, /not on the public internet$/);
          assert.equal(code, "blocked_destination");
        }
      assert.equal(shop.requests.length, 0);
      await shop.close();
    });

    it("blocks them before it asks whether the configuration is whole", async () => {
      await store({ shop_url: "https://127.0.0.1" });
      assert.equal((await test()).status, 400);
    });

    it("is not connected where the host has no address", async () => {
      for (const [connector, field] of [
        ["probe", "shop_url"],
        ["example", "base_url"],
      ] as const) {
        await store({ [field]: "https://nowhere.invalid/" }, connector);
        const [connected, message] = await told(connector);
        assert.equal(connected, false);
        assert.match(message, /^The host name was not resolved/);
      }
    });
  });
});
