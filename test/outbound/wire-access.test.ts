import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { OAuthClient } from "../../src/outbound/wire/access-tokens.js";
import { clientTls } from "../../src/outbound/wire/client-tls.js";
import type { Wire } from "../../src/outbound/wire/send.js";
import { authority, certificate, key } from "../support/certificates.js";
import { openSink, type Sink } from "../support/sink.js";
import { openTokenServer, type TokenServer } from "../support/token-server.js";
import { localWire, signed } from "../support/wire.js";

/** What a partner may want besides a signature: a certificate, or an access token. */
describe("an attempt towards a partner's server", () => {
  let sink: Sink;
  let wire: Wire;
  afterEach(async () => {
    wire.close();
    await sink.stop();
  });

  describe("that wants a certificate", () => {
    beforeEach(async () => {
      wire = localWire();
      sink = await openSink({ cert: certificate, key, ca: authority, requestCert: true, rejectUnauthorized: true });
    });
    const own = { certificate, private_key: key };
    const post = (files: Parameters<typeof clientTls>[0]) =>
      wire.send({ url: sink.url, ...signed(), tls: clientTls(files) });

    it("shows it, and believes the partner's own authority", async () => {
      assert.deepEqual(outcomeOf(await post({ ...own, ca: authority })), [200, null]);
    });

    it("fails without it", async () => {
      const { ok, http_status, error_kind } = await post({ certificate: null, private_key: null, ca: authority });
      assert.deepEqual([ok, http_status], [false, null]);
      assert.ok(error_kind === "tls" || error_kind === "connection", `${error_kind}`);
      assert.equal(sink.received.length, 0);
    });

    it("fails where nobody signed the server's certificate that is believed", async () => {
      assert.deepEqual(outcomeOf(await post({ ...own, ca: null })), [null, "tls"]);
      assert.equal(sink.received.length, 0);
    });

    it("keeps no connection for another certificate", async () => {
      await sink.stop();
      sink = await openSink({ cert: certificate, key, ca: authority, requestCert: true, rejectUnauthorized: false });
      const shown: boolean[] = [];
      sink.usual = 200;
      for (const files of [own, { certificate: null, private_key: null }, own]) {
        await post({ ...files, ca: authority });
        shown.push(sink.received.at(-1)?.authorized === true);
      }
      assert.deepEqual(shown, [true, false, true]);
      assert.equal(sink.connections, 2);
    });
  });

  describe("that wants an access token", () => {
    let tokens: TokenServer;
    let oauth: OAuthClient;
    beforeEach(async () => {
      wire = localWire();
      sink = await openSink();
      tokens = await openTokenServer();
      const secret = { client_id: "w e", client_secret: "s:ü" };
      oauth = { token_url: tokens.url, ...secret, scope: "events.write", audience: "https://api.partner.test" };
    });
    afterEach(() => tokens.close());
    const post = (to: Wire = wire) => to.send({ url: sink.url, ...signed(), oauth });
    const shown = () => sink.received.map(({ headers }) => headers.authorization);

    it("asks for one by the client credentials, and shows it as long as it holds", async () => {
      for (let n = 0; n < 3; n++) assert.equal((await post()).ok, true);
      assert.deepEqual(shown(), Array(3).fill("Bearer token-1"));
      assert.deepEqual(tokens.asked, [
        {
          authorization: `Basic ${Buffer.from("w+e:s%3A%C3%BC").toString("base64")}`,
          form: { grant_type: "client_credentials", scope: "events.write", audience: "https://api.partner.test" },
        },
      ]);
    });

    it("asks once for all who want one at a time", async () => {
      await Promise.all(Array.from({ length: 8 }, () => post()));
      assert.deepEqual(shown(), Array(8).fill("Bearer token-1"));
      assert.equal(tokens.asked.length, 1);
    });

    it("asks again when it is over", async () => {
      tokens.expires_in = 0.01;
      await post();
      await pause(20);
      await post();
      assert.deepEqual(shown(), ["Bearer token-1", "Bearer token-2"]);
    });

    it("asks for a new one when it is refused, once", async () => {
      await post();
      sink.answerNext(401, 200, 401, 401);
      assert.deepEqual(outcomeOf(await post()), [200, null]);
      assert.deepEqual(outcomeOf(await post()), [401, "4xx"]);
      assert.deepEqual(
        shown(),
        [1, 1, 2, 2, 3].map((n) => `Bearer token-${n}`),
      );
    });

    it("fails where none is given, says so, and asks again the next time", async () => {
      const faults: [status: number, body: string, kind: string, detail: string][] = [
        [400, '{"error":"invalid_client"}', "4xx", "Token endpoint: HTTP status 400"],
        [503, "", "5xx", "Token endpoint: HTTP status 503"],
        [302, "", "redirected", "Token endpoint: HTTP status 302"],
        [200, "no JSON", "unknown", "Token endpoint: The answer has no bearer token"],
        [
          200,
          '{"access_token":"a\\nb","token_type":"Bearer"}',
          "unknown",
          "Token endpoint: The answer has no bearer token",
        ],
        [200, '{"access_token":"a","token_type":"mac"}', "unknown", "Token endpoint: The answer has no bearer token"],
      ];
      for (const [status, body, kind, detail] of faults) {
        tokens.instead = { status, body };
        const { ok, http_status, error_kind, error_detail } = await post();
        assert.deepEqual([ok, http_status, error_kind, error_detail], [false, null, kind, detail]);
      }
      assert.equal(sink.received.length, 0);
      tokens.instead = undefined;
      assert.equal((await post()).ok, true);
      assert.equal(tokens.asked.length, faults.length + 1);
    });

    it("asks nobody who is not on the public internet, and not without TLS", async () => {
      for (const [options, detail] of [
        [{ allowInternal: false }, "Token endpoint: 127.0.0.1 is not on the public internet"],
        [{ allowHttp: false }, "Token endpoint: http: is not allowed"],
      ] as const) {
        const strict = localWire(options);
        const { error_kind, error_detail } = await post(strict);
        assert.deepEqual([error_kind, error_detail], ["ssrf_rejected", detail]);
        strict.close();
      }
      assert.equal(tokens.asked.length, 0);
    });
  });
});

const outcomeOf = ({ http_status, error_kind }: Awaited<ReturnType<Wire["send"]>>) => [http_status, error_kind];
