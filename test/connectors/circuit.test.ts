import assert from "node:assert/strict";
import { z } from "zod";
import { openSource, type SourceOptions } from "../../activities/connectors/source.js";
import { defineConnector, type SourceError } from "../../src/connectors/connector.js";
import { freePort } from "../../src/launcher/free-port.js";
import { connectorWarehouse, localOptions, openShop, type Shop, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const connector = defineConnector({
  name: "circuits",
  versions: "lexicographic",
  config: z.strictObject({ token: z.string() }),
  testConnection: async () => "connected",
});
const DAY = 86_400_000;
const LEFT_ALONE = /failed 5 times in a row, and is not asked again before \d{4}-\d\d-\d\dT/;

describe("the circuit breaker of a source", () => {
  const service = testService();
  let shop: Shop;
  let warehouse: number;
  beforeEach(async () => {
    shop = await openShop();
    warehouse = await connectorWarehouse();
    await storeConfig(connector.name, warehouse, { token: "secret" }, service.config);
  });
  afterEach(() => shop.close());

  const open = (changed: Partial<SourceOptions> = {}, of = warehouse) =>
    openSource(connector, of, localOptions(service.config, { connectorCircuitOpenMs: DAY, ...changed }));
  const circuit = () =>
    db.row<{ failures: number; is_open: boolean; tried: boolean; xmin: string }>(
      `select failures, open_until is not null as is_open, trial_until is not null as tried, xmin::text
       from connector_circuits where connector_name = $1 and warehouse_id = $2`,
      [connector.name, warehouse],
    );
  const statusOf = (asking: Promise<unknown>) =>
    asking.then(
      () => 200,
      (error: SourceError) => error.status ?? error.message,
    );
  /** As if so much time had passed. */
  const letWaitEnd = () =>
    db.run("update connector_circuits set open_until = now() where warehouse_id = $1", [warehouse]);
  const openCircuit = async () => {
    shop.answerNext(...Array(5).fill({ status: 500 }));
    const source = await open();
    for (let i = 0; i < 5; i++) await statusOf(source.request({ url: shop.url }));
  };

  it("opens at the fifth failure in a row: no request is made then", async () => {
    const source = await open();
    shop.usual = () => ({ status: 500 });
    for (let i = 0; i < 5; i++) assert.equal(await statusOf(source.request({ url: shop.url })), 500);
    await assert.rejects(source.request({ url: shop.url }), LEFT_ALONE);
    await assert.rejects((await open()).request({ url: shop.url }), LEFT_ALONE);
    assert.equal(shop.requests.length, 5);
  });

  it("counts failures of the network, timeouts included", async () => {
    const source = await open({ connectorHttpTimeoutMs: 100 });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(source.request({ url: nobody }));
    await assert.rejects(source.request({ url: "http://nowhere.invalid" }));
    shop.answerNext(
      () => {},
      (response) => void response.socket?.destroy(),
      (response) => void response.writeHead(200).write("half"),
    );
    for (let i = 0; i < 3; i++) await assert.rejects(source.request({ url: shop.url }));
    assert.equal((await circuit())?.is_open, true);
  });

  it("counts each attempt of a request, and makes none after it opened", async () => {
    shop.usual = () => ({ status: 503 });
    const source = await open();
    for (let i = 0; i < 2; i++) assert.equal(await statusOf(source.request({ url: shop.url })), 503);
    assert.equal(shop.requests.length, 5);
    await assert.rejects(source.request({ url: shop.url }), LEFT_ALONE);
  });

  it("does not count what is no failure of the source", async () => {
    const source = await open();
    shop.answerNext({ status: 404 }, { status: 302 }, { status: 429 }, { status: 401 });
    for (let i = 0; i < 3; i++) await statusOf(source.request({ url: shop.url }));
    await statusOf(source.request({ url: "ftp://elsewhere" }));
    const strict = await open({ allowInternalConnectors: false });
    await statusOf(strict.request({ url: "https://127.0.0.1" }));
    const stop = new AbortController();
    const stopped = await openSource(connector, warehouse, localOptions(service.config), stop.signal);
    shop.answerNext(() => {});
    const asked = shop.requests.length;
    const asking = stopped.request({ url: shop.url });
    await until(() => shop.requests.length > asked);
    stop.abort(new Error("stopped"));
    await assert.rejects(asking, /stopped/);
    assert.equal(await circuit(), undefined);
  });

  it("begins anew after a success", async () => {
    const source = await open();
    const failing = Array(4).fill({ status: 500 });
    shop.answerNext(...failing, {}, ...failing, {});
    for (let i = 0; i < 10; i++) await statusOf(source.request({ url: shop.url }));
    assert.equal(shop.requests.length, 10);
    assert.equal(await circuit(), undefined);
  });

  it("writes nothing while a source works", async () => {
    await (await open()).request({ url: shop.url });
    assert.equal(await circuit(), undefined);
  });

  it("is shared by all who reach the source of a warehouse, and by no other warehouse", async () => {
    const [one, two] = [await open(), await open()];
    shop.usual = () => ({ status: 500 });
    for (const source of [one, two, one, two, one])
      assert.equal(await statusOf(source.request({ url: shop.url })), 500);
    await assert.rejects((await open()).request({ url: shop.url }), LEFT_ALONE);
    const other = await connectorWarehouse();
    await storeConfig(connector.name, other, { token: "secret" }, service.config);
    assert.equal(await statusOf((await open({}, other)).request({ url: shop.url })), 500);
  });

  it("lets one request try the source when the wait is over, and closes when it succeeds", async () => {
    await openCircuit();
    await letWaitEnd();
    let answer = () => {};
    shop.usual = () => (response) => {
      answer = () => void response.end("{}");
    };
    const sources = await Promise.all([open(), open(), open()]);
    const told: (string | number)[] = [];
    const asking = sources.map((source) => statusOf(source.request({ url: shop.url })).then((so) => told.push(so)));
    await until(() => told.length === 2 && shop.requests.length === 6);
    for (const message of told) assert.match(`${message}`, LEFT_ALONE);
    answer();
    await Promise.all(asking);
    assert.equal(told[2], 200);
    assert.equal(await circuit(), undefined);
    shop.usual = () => ({ body: {} });
    for (const source of sources) assert.equal(await statusOf(source.request({ url: shop.url })), 200);
  });

  it("opens again when the trial fails, at once", async () => {
    await openCircuit();
    await letWaitEnd();
    shop.usual = () => ({ status: 503 });
    const source = await open();
    assert.equal(await statusOf(source.request({ url: shop.url })), 503);
    assert.equal(shop.requests.length, 6);
    await assert.rejects(source.request({ url: shop.url }), LEFT_ALONE);
    assert.equal(shop.requests.length, 6);
  });

  it("lets another request try when the trial was given up", async () => {
    await openCircuit();
    await letWaitEnd();
    const stop = new AbortController();
    const options = localOptions(service.config, { connectorCircuitOpenMs: DAY });
    const source = await openSource(connector, warehouse, options, stop.signal);
    shop.answerNext(() => {});
    const trial = source.request({ url: shop.url });
    await until(() => shop.requests.length === 6);
    stop.abort(new Error("stopped"));
    await assert.rejects(trial, /stopped/);
    assert.equal(await statusOf((await open()).request({ url: shop.url })), 200);
  });

  it("lets another request try when the process of the trial died", async () => {
    await openCircuit();
    await letWaitEnd();
    await db.run("update connector_circuits set trial_until = now() where warehouse_id = $1", [warehouse]);
    assert.equal(await statusOf((await open()).request({ url: shop.url })), 200);
  });

  it("stays open when a request fails that began before", async () => {
    await openCircuit();
    const openUntil = () =>
      db.row<{ open_until: string }>("select open_until from connector_circuits where warehouse_id = $1", [warehouse]);
    const opened = await openUntil();
    const late = await open();
    const setOpenUntil = (time: string | undefined) =>
      db.run("update connector_circuits set open_until = $2 where warehouse_id = $1", [warehouse, time ?? null]);
    await setOpenUntil(undefined);
    const early = await open();
    await setOpenUntil(opened?.open_until);
    shop.usual = () => ({ status: 500 });
    assert.equal(await statusOf(early.request({ url: shop.url })), 500);
    assert.deepEqual(await openUntil(), opened);
    await assert.rejects(late.request({ url: shop.url }), LEFT_ALONE);
  });
});
