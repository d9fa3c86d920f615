import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { type OpenSource, openSource, type SourceOptions } from "../../activities/connectors/source.js";
import { defineConnector, SourceAway, SourceError, SourceMisconfigured } from "../../src/connectors/connector.js";
import { DestinationBlocked } from "../../src/connectors/http/ask.js";
import { cleaned } from "../../src/connectors/http/clean.js";
import { retryWait } from "../../src/connectors/http/waits.js";
import { freePort } from "../../src/launcher/free-port.js";
import { connectorWarehouse, localOptions, openShop, type Shop, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { type NameServer, openNameServer } from "../support/name-server.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const TOKEN = "tok_1f9a77c2e1";
const connector = defineConnector({
  name: "requests",
  versions: "lexicographic",
  config: z.strictObject({ token: z.string().min(8), site: z.string().optional() }),
  testConnection: async () => "connected",
});
const HOUR = 3_600_000;

describe("a request of a connector", () => {
  const service = testService();
  let shop: Shop;
  let warehouse: number;
  beforeEach(async () => {
    shop = await openShop();
    warehouse = await connectorWarehouse();
    await storeConfig(connector.name, warehouse, { token: TOKEN }, service.config);
  });
  afterEach(() => shop.close());

  const open = (changed: Partial<SourceOptions> = {}, signal?: AbortSignal): Promise<OpenSource> =>
    openSource(connector, warehouse, localOptions(service.config, changed), signal);
  const get = async (path = "/", changed: Partial<SourceOptions> = {}) =>
    (await open(changed)).request({ url: shop.url + path });
  const refused =
    (message: RegExp, status: number | null = null) =>
    (error: unknown) => {
      assert(error instanceof SourceError, String(error));
      assert.match(error.message, message);
      assert.equal(error.status, status);
      return true;
    };

  describe("its configuration", () => {
    it("is what is stored, decrypted", async () => {
      assert.deepEqual((await open()).config, { token: TOKEN });
    });

    it("has to be stored, before anything is reached", async () => {
      warehouse = await connectorWarehouse();
      await assert.rejects(open(), refused(/^No credentials of requests are stored for this warehouse$/));
    });

    it("is needed only by connectors that need one", async () => {
      const free = defineConnector({ ...connector, config: z.strictObject({}) });
      const source = await openSource(free, await connectorWarehouse(), localOptions(service.config));
      assert.equal((await source.request({ url: shop.url })).status, 200);
    });

    it("is refused by the names of its fields when it is not whole", async () => {
      await storeConfig(connector.name, warehouse, { token: "short", other: "value-of-other" }, service.config);
      await assert.rejects(open(), refused(/^Credentials of requests that are missing or not valid: token, other$/));
    });

    it("names what cannot be decrypted", async () => {
      const other = { encryptionKey: Buffer.alloc(32, 9).toString("base64"), encryptionKeysPrevious: [] };
      await storeConfig(connector.name, warehouse, { site: "x" }, other);
      await assert.rejects(open(), refused(/^The stored site cannot be decrypted$/));
    });

    it("cannot be taken from another warehouse's row", async () => {
      const copy = await connectorWarehouse();
      await db.run(
        `insert into connector_credentials (connector_name, warehouse_id, credential_key, encrypted_value)
         select connector_name, $2, credential_key, encrypted_value from connector_credentials where warehouse_id = $1`,
        [warehouse, copy],
      );
      const opening = openSource(connector, copy, localOptions(service.config));
      await assert.rejects(opening, refused(/^The stored token cannot be decrypted$/));
    });
  });

  it("gets status, headers and body of the answer", async () => {
    shop.answerNext({ status: 201, headers: { Link: "<next>", "X-A": "1" }, body: { items: ["ä"] } });
    const answer = await get("/items?page=1");
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.link, "<next>");
    assert.equal(answer.headers["x-a"], "1");
    assert.deepEqual(answer.json(), { items: ["ä"] });
    assert.deepEqual(pluckAll(shop.requests, "method", "path", "body"), [["GET", "/items?page=1", ""]]);
  });

  it("sends headers, and a body as JSON", async () => {
    const source = await open();
    await source.request({ url: shop.url, body: { note: "für" }, headers: { "X-Token": TOKEN } });
    await source.request({ url: `${shop.url}/1`, method: "PUT", body: [], headers: { "Content-Type": "a/b" } });
    await source.request({ url: `${shop.url}/1`, method: "DELETE" });
    assert.deepEqual(
      shop.requests.map(({ method, headers, body }) => [method, headers["content-type"], headers["x-token"], body]),
      [
        ["POST", "application/json", TOKEN, '{"note":"für"}'],
        ["PUT", "a/b", undefined, "[]"],
        ["DELETE", undefined, undefined, ""],
      ],
    );
  });

  it("says that an answer is not JSON only to who wants JSON", async () => {
    shop.answerNext({ body: "<html>" });
    const answer = await get();
    assert.equal(answer.text, "<html>");
    assert.throws(() => answer.json(), refused(/^The answer of the source is not JSON$/, 200));
  });

  describe("that is answered with an error", () => {
    it("tells the status and what a JSON answer gives as reason", async () => {
      const reasons: [unknown, RegExp][] = [
        [{ message: "No such page", code: "none" }, /^The source answered with HTTP status 404: No such page$/],
        [{ errors: { order: ["is closed"] } }, /status 404: \{"order":\["is closed"\]\}$/],
        [{ error: "x", error_description: "Expired" }, /status 404: Expired$/],
        ["<html>Not found</html>", /status 404$/],
        [[1], /status 404$/],
        ["null", /status 404$/],
        ["", /status 404$/],
      ];
      for (const [body, message] of reasons) {
        shop.answerNext({ status: 404, body });
        await assert.rejects(get(), refused(message, 404));
      }
    });

    it("tells nothing of the configuration, of what was sent, or of bytes that are not printable", async () => {
      await storeConfig(connector.name, warehouse, { site: "https://shop.example/a b" }, service.config);
      const basic = Buffer.from(`key:${TOKEN}`).toString("base64");
      shop.usual = ({ headers }) => ({
        status: 401,
        body: {
          message:
            `\u0007${headers.authorization} ${TOKEN} ${encodeURIComponent("https://shop.example/a b")} ` +
            `${Buffer.from(TOKEN).toString("base64")} ä\ttab\nline ${"x".repeat(600)}${TOKEN}`,
        },
      });
      const source = await open();
      const request = { url: shop.url, headers: { authorization: `Basic ${basic}` } };
      await assert.rejects(source.request(request), (error: Error) => {
        assert.equal(error.message.length, 500);
        assert.match(error.message, /status 401: \*\*\* \*\*\* \*\*\* \*\*\* \*\*\* \ttab\nline xxx/);
        for (const secret of [TOKEN, basic, "shop.example"]) assert(!error.stack?.includes(secret), error.stack);
        return true;
      });
    });

    it("is a fault of the configuration where the key is not accepted", async () => {
      const isKey = async (status: number, body: unknown) => {
        shop.answerNext({ status, body });
        return (await get().catch((error: unknown) => error)) instanceof SourceMisconfigured;
      };
      assert.deepEqual(
        [await isKey(401, ""), await isKey(403, { errors: "No scope" }), await isKey(403, "<html>Are you human?")],
        [true, true, false],
      );
      assert.equal(await isKey(404, { errors: "gone" }), false);
    });

    it("leaves no half of a secret where a text is cut", () => {
      for (let at = 480; at <= 500; at++)
        assert(!cleaned(`${"x".repeat(at)}${TOKEN}`, [TOKEN]).includes("tok"), `${at}`);
    });

    it("is refused with the words of the source cut and cleaned where the connector cleans them itself", async () => {
      const source = await open();
      assert.equal(source.cleaned(`Bad ${TOKEN}\u0000 é`), "Bad *** ");
    });
  });

  it("follows no redirect", async () => {
    const elsewhere = await openShop();
    shop.answerNext({ status: 302, headers: { location: elsewhere.url } });
    await assert.rejects(get(), refused(/HTTP status 302: redirects are not followed$/, 302));
    assert.equal(elsewhere.requests.length, 0);
    await elsewhere.close();
  });

  describe("that is answered 429 or 503", () => {
    for (const status of [429, 503])
      it(`succeeds at the third attempt after ${status}`, async () => {
        shop.answerNext({ status }, { status });
        assert.equal((await get()).status, 200);
        assert.equal(shop.requests.length, 3);
      });

    it("fails after the third attempt", async () => {
      shop.usual = () => ({ status: 429, body: { message: "Slow down" } });
      await assert.rejects(get(), refused(/429: Slow down/, 429));
      assert.equal(shop.requests.length, 3);
    });

    it("is the only one that is repeated", async () => {
      for (const status of [400, 404, 408, 500, 502, 504]) {
        shop.answerNext({ status });
        await assert.rejects(get(), refused(/HTTP status/, status));
      }
      assert.equal(shop.requests.length, 6);
    });

    it("waits as the source asks, not as long as usual", async () => {
      const past = new Date(Date.now() - HOUR).toUTCString();
      for (const after of ["0", "1", past]) {
        shop.answerNext({ status: 429, headers: { "retry-after": after } });
        assert.equal((await get("/", { connectorBackoffMs: HOUR })).status, 200);
      }
    });

    it("is put off at once where the source asks for more than a minute, for all who ask it", async () => {
      shop.answerNext({ status: 429, headers: { "retry-after": "600" } });
      await assert.rejects(get(), (error) => error instanceof SourceAway && error.wait_ms === 600_000);
      await assert.rejects(get(), (error) => error instanceof SourceAway && (error.wait_ms ?? 0) > 60_000);
      assert.equal(shop.requests.length, 1);
    });

    it("waits twice as long each time, and a minute at most where the source asks for more", () => {
      const now = Date.parse("2026-05-06T12:00:00Z");
      const wait = (after: string | undefined, repeat = 0, random = 0) => retryWait(after, repeat, 1_000, now, random);
      assert.deepEqual([wait(undefined, 0), wait(undefined, 1), wait(undefined, 1, 0.5)], [1_000, 2_000, 2_500]);
      assert.deepEqual([wait("7"), wait(" 61 "), wait("99999999999999999999")], [7_000, 60_000, 60_000]);
      assert.deepEqual([wait("2.0"), wait("0.5")], [2_000, 500]);
      assert.equal(wait("Wed, 06 May 2026 12:00:09 GMT"), 9_000);
      assert.equal(wait("Wed, 06 May 2026 11:00:00 GMT"), 0);
      assert.equal(wait("Thu, 07 May 2026 12:00:00 GMT"), 60_000);
      assert.equal(wait("soon", 1), 2_000);
    });
  });

  it("waits before the next one while less than a tenth of what the source allows is left", async () => {
    const stop = new AbortController();
    const source = await open({ connectorBackoffMs: HOUR }, stop.signal);
    const left = (remaining: number, limit: number) => ({
      headers: { "X-RateLimit-Remaining": `${remaining}`, "X-RateLimit-Limit": `${limit}` },
    });
    shop.answerNext(left(4, 40), left(0, 0), { headers: { "X-RateLimit-Remaining": "0" } }, left(3, 40));
    for (let i = 0; i < 4; i++) await source.request({ url: shop.url });
    const fifth = source.request({ url: shop.url });
    stop.abort(new Error("stopped"));
    await assert.rejects(fifth, /^Error: stopped$/);
    assert.equal(shop.requests.length, 4);
  });

  it("is ended at once by its signal, with the signal's reason", async () => {
    const stop = new AbortController();
    shop.usual = () => () => {};
    const source = await open({}, stop.signal);
    const waits = source.request({ url: shop.url });
    await until(() => shop.requests.length === 1);
    stop.abort(new Error("stopped"));
    await assert.rejects(waits, /^Error: stopped$/);
    await assert.rejects(source.request({ url: shop.url }), /^Error: stopped$/);
    assert.equal(shop.requests.length, 1);
  });

  it("is ended by its signal while it waits for the next attempt", async () => {
    const stop = new AbortController();
    shop.usual = () => ({ status: 503 });
    const source = await open({ connectorBackoffMs: HOUR }, stop.signal);
    const waits = source.request({ url: shop.url });
    await until(() => shop.requests.length === 1);
    stop.abort(new Error("stopped"));
    await assert.rejects(waits, /^Error: stopped$/);
  });

  it("takes no longer than its timeout, whether no answer comes or only half of one", async () => {
    const short = { connectorHttpTimeoutMs: 150 };
    shop.answerNext(() => {});
    await assert.rejects(get("/", short), refused(/^Not done within 150 ms$/));
    shop.answerNext((response) => void response.writeHead(200).write("half"));
    await assert.rejects(get("/", short), refused(/^Not done within 150 ms$/));
  });

  it("says why there was no answer", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const source = await open();
    await assert.rejects(source.request({ url }), refused(/^No connection \(ECONNREFUSED\)$/));
    shop.answerNext((response) => void response.socket?.destroy());
    await assert.rejects(source.request({ url: shop.url }), refused(/^The connection broke off/));
    await assert.rejects(source.request({ url: "http://nowhere.invalid" }), refused(/^The host name was not resolved/));
  });

  it("reads 32 MB, and no byte more", async () => {
    const megabyte = Buffer.alloc(1024 * 1024, "x");
    const send = (bytes: number) => (response: ServerResponse) => {
      const chunks = [...Array(32).fill(megabyte), Buffer.alloc(bytes - 32 * megabyte.length, "x")];
      const next = () => {
        const chunk = chunks.shift();
        if (!chunk) response.end();
        else if (response.write(chunk)) setImmediate(next);
        else response.once("drain", next);
      };
      next();
    };
    shop.answerNext(send(32 * megabyte.length), send(32 * megabyte.length + 1));
    assert.equal((await get()).text.length, 32 * megabyte.length);
    await assert.rejects(get(), refused(/^The answer has more than 32 MB$/));
  });

  describe("parses JSON", () => {
    const json = async (body: string, status = 200) => {
      shop.answerNext({ body, status });
      return (await get()).json();
    };

    it("of the largest pages of shops", async () => {
      const order = { id: 1, note: '"quoted\\\\", {}, []', lines: Array(700).fill({ id: 2, sku: "\\" }) };
      const page = { orders: Array(250).fill(order) };
      assert.deepEqual(await json(JSON.stringify(page)), page);
      assert.deepEqual(await json("\uFEFF[1]"), [1]);
    });

    it("that is neither too large, nor too much, nor too deep, and else does not begin", async () => {
      await assert.rejects(
        json(`[${"{},".repeat(10_000_000)}{}]`),
        refused(/^The answer of the source has more than 16 MB/, 200),
      );
      await assert.rejects(json(`[${"{},".repeat(5_000_000)}{}]`), refused(/has more than 1000000 values$/, 200));
      await assert.rejects(json(`${"[".repeat(15_000_000)}`), refused(/is nested more than 64 deep$/, 200));
      await assert.rejects(json('{"a":'.repeat(65)), refused(/is nested more than 64 deep$/, 200));
    });

    it("of a reason only as far as it is short", async () => {
      const long = JSON.stringify({ errors: "x".repeat(65 * 1024) });
      await assert.rejects(json(long, 422), refused(/^The source answered with HTTP status 422$/, 422));
      await assert.rejects(json(`{"errors":${"[".repeat(60_000)}`, 422), refused(/HTTP status 422$/, 422));
      const endless = (response: ServerResponse) => {
        response.writeHead(422);
        const more = () => void (response.destroyed || response.write(Buffer.alloc(64 * 1024, "x"), more));
        more();
      };
      shop.answerNext(endless);
      await assert.rejects(get(), refused(/HTTP status 422$/, 422));
    });
  });

  describe("only reaches the public internet", () => {
    it("and so nothing at private, local or metadata addresses", async () => {
      const source = await open({ allowInternalConnectors: false });
      for (const host of ["127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "[::1]", "2130706433"])
        await assert.rejects(
          source.request({ url: `https://${host}:${shop.port}/` }),
          (error) => error instanceof DestinationBlocked && /not on the public internet$/.test(error.message),
          host,
        );
      assert.equal(shop.requests.length, 0);
    });

    it("and so no name that leads to such an address", async () => {
      const names = await openNameServer(() => ["93.184.216.34", "10.0.0.7"]);
      const source = await open({ allowInternalConnectors: false, nameServers: [names.address] });
      await assert.rejects(
        source.request({ url: "https://shop.example/" }),
        (error) => error instanceof DestinationBlocked && /leads to 10\.0\.0\.7/.test(error.message),
      );
      names.close();
    });

    it("over HTTPS alone", async () => {
      const source = await open({ allowInternalConnectors: false });
      await assert.rejects(
        source.request({ url: "http://example.com" }),
        refused(/^http: is not allowed, only https:$/),
      );
      const local = await open();
      for (const url of ["ftp://127.0.0.1/", "file:///etc/hosts", "data:,x"])
        await assert.rejects(local.request({ url }), refused(/is not allowed/));
      await assert.rejects(local.request({ url: "/orders" }), refused(/^The URL of a request is not valid$/));
    });

    it("at the address that was checked, looked up for each attempt", async () => {
      // A further lookup by an attempt would lead elsewhere.
      const names: NameServer = await openNameServer(() => [names.asked.length > 2 ? "127.0.0.2" : "127.0.0.1"]);
      const source = await open({ nameServers: [names.address] });
      shop.answerNext({ status: 503 });
      const answer = await source.request({ url: `http://shop.example:${shop.port}/` });
      assert.equal(answer.status, 200);
      assert.deepEqual(
        shop.requests.map(({ headers }) => headers.host),
        [`shop.example:${shop.port}`, `shop.example:${shop.port}`],
      );
      assert.deepEqual(names.asked, ["shop.example", "shop.example"]);
      names.close();
    });
  });

  describe("over a connection that was kept", () => {
    const from = () => shop.requests.map((request) => request.from);

    it("where one was made before, also by another connector", async () => {
      const [one, another] = [await open(), await open()];
      await one.request({ url: shop.url });
      await another.request({ url: shop.url, body: {} });
      assert.equal(from()[0], from()[1]);
      assert.equal(await shop.connections(), 1);
    });

    it("by one request at a time", async () => {
      shop.usual = async () => {
        await until(() => shop.requests.length === 2);
        return {};
      };
      await Promise.all([get(), get()]);
      assert.notEqual(from()[0], from()[1]);
      assert.equal(await shop.connections(), 2);
    });

    it("that leads where the name leads now", async () => {
      const names: NameServer = await openNameServer(() => [names.asked.length > 1 ? "127.0.0.2" : "127.0.0.1"]);
      const source = await open({ nameServers: [names.address] });
      const url = `http://shop.example:${shop.port}/`;
      await source.request({ url });
      assert.equal(await shop.connections(), 1);
      await assert.rejects(source.request({ url }), SourceAway);
      assert.equal(shop.requests.length, 1);
      names.close();
    });

    it("unless the server closes it", async () => {
      shop.answerNext({ headers: { Connection: "close" } });
      await get();
      await get();
      assert.notEqual(from()[0], from()[1]);
    });

    it("until nobody uses it", async () => {
      await get();
      await until(async () => (await shop.connections()) === 0);
    });
  });

  it("lets nobody write further headers or paths into it", async () => {
    const source = await open();
    for (const headers of [{ "X-A": "a\r\nX-Evil: 1" }, { "X-A\r\nX-Evil": "1" }, { "X-A": "日本" }] as Record<
      string,
      string
    >[])
      await assert.rejects(source.request({ url: shop.url, headers }), refused(/HTTP does not allow$/));
    assert.equal(shop.requests.length, 0);
  });
});
