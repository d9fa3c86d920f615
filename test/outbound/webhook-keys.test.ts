import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { clearSecrets } from "../../activities/maintenance/webhook-hygiene.js";
import { webhookReceivers } from "../../activities/outbound/receivers.js";
import { runSequencer } from "../../workers/sequencer.js";
import { statusAndBody } from "../support/caller.js";
import { authority, certificate, expired, key } from "../support/certificates.js";
import { db } from "../support/db.js";
import { emit, got, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { destination } from "../support/notifications.js";
import { auditMark, auditSince } from "../support/records.js";
import { sendersOf } from "../support/running-senders.js";
import { openService, type TestService, testService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { asymmetric, confirmedBy } from "../support/standard-signatures.js";
import { openTokenServer } from "../support/token-server.js";
import { until } from "../support/until.js";
import { newWebhook, subscribe as subscribeAnywhere, WEBHOOKS } from "../support/webhooks.js";

const on = (subscription_id: string) => `${WEBHOOKS}/${subscription_id}`;
const PUBLIC_KEY = /^whpk_[A-Za-z0-9+/]{43}=$/;
const client = { token_url: "https://93.184.216.34/token", client_id: "us", client_secret: "a-secret-of-oauth" };

describe("the keys of a webhook", () => {
  const service = testService();
  const recordOf = (id: string) => service.admin.ok("GET", on(id));

  it("are none by default", async () => {
    const { subscription_id, public_key } = await subscribeAnywhere(service.admin);
    const { signature, public_keys, client_tls, oauth } = await recordOf(subscription_id);
    assert.deepEqual(
      { signature, public_keys, client_tls, oauth, public_key },
      {
        ...{ signature: "hmac", public_keys: [], client_tls: null, oauth: null, public_key: undefined },
      },
    );
  });

  it("show what is public, and nothing else, anywhere", async () => {
    const client_tls = { certificate, private_key: key, ca: authority };
    const fields = { signature: "ed25519", client_tls, oauth: { ...client, scope: "events" } };
    const made = await subscribeAnywhere(service.admin, fields);
    const record = await recordOf(made.subscription_id);
    assert.match(made.public_key, PUBLIC_KEY);
    assert.deepEqual([record.signature, record.public_keys], ["ed25519", [made.public_key]]);
    const { set_at, ...oauth } = record.oauth;
    assert.deepEqual(oauth, { token_url: client.token_url, client_id: "us", scope: "events", audience: null });
    const { subject, issuer, valid_until, fingerprint, ca_fingerprint } = record.client_tls;
    assert.deepEqual(
      [subject, issuer, valid_until],
      [...["CN=partner.test", "CN=Authority of tests", "2120-01-01T00:00:00.000Z"]],
    );
    assert.match(fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.notEqual(ca_fingerprint, fingerprint);
    const [secretLine = ""] = key.split("\n").slice(1);
    for (const secret of [client.client_secret, secretLine])
      assert.deepEqual(
        await db.rows(
          `select command_id as of from command_log where strpos(answer::text, $1) > 0
           union all select log_id::text from audit_log where strpos(details::text, $1) > 0
           union all select subscription_id::text from webhook_keys k where strpos(k::text, $1) > 0`,
          [secret],
        ),
        [],
      );
  });

  it("are changed and taken away, which the audit trail tells", async () => {
    const { subscription_id } = await subscribeAnywhere(service.admin);
    const change = (fields: object) => service.admin.ok("PATCH", on(subscription_id), fields);
    const changedAt = async () => (await recordOf(subscription_id)).updated_at;
    const before = await changedAt();
    const mark = await auditMark();
    const { public_keys } = await change({ signature: "ed25519", client_tls: { ca: authority }, oauth: client });
    assert.notEqual(await changedAt(), before, "senders go by this");
    assert.deepEqual((await change({ signature: "ed25519" })).public_keys, public_keys);
    const tls = (await recordOf(subscription_id)).client_tls;
    assert.deepEqual([tls.subject, tls.fingerprint, tls.ca_fingerprint !== null], [null, null, true]);
    const without = await change({ signature: "hmac", client_tls: null, oauth: null });
    assert.deepEqual([without.signature, without.client_tls, without.oauth], ["hmac", null, null]);
    const told = await auditSince(mark);
    assert.deepEqual(
      told.map(({ action_type, details }) => [
        action_type,
        Object.keys((details as { changed: object }).changed).sort(),
      ]),
      Array(2).fill(["WEBHOOK_SUBSCRIPTION_UPDATE", ["client_tls", "oauth", "public_keys", "signature"]]),
    );
  });

  it("are refused where no connection could be opened with them, and nothing is changed", async () => {
    const { subscription_id } = await subscribeAnywhere(service.admin);
    const { privateKey } = generateKeyPairSync("ed25519");
    const stranger = privateKey.export({ type: "pkcs8", format: "pem" });
    const wrong: [files: object, detail: RegExp][] = [
      [{}, /^a certificate with its private_key, a ca, or both$/],
      [{ certificate }, /^certificate and private_key come together$/],
      [{ certificate: "none", private_key: key }, /^certificate cannot be read/],
      [{ certificate, private_key: "none" }, /^private_key cannot be read/],
      [{ certificate, private_key: stranger }, /^private_key is not that of certificate$/],
      [{ certificate: expired, private_key: key }, /^certificate ended on .* 2021 GMT$/],
      [{ ca: "none" }, /^ca cannot be read/],
    ];
    for (const [client_tls, detail] of wrong) {
      for (const refused of [
        await service.admin.patch(on(subscription_id), { client_tls, display_name: "Changed" }),
        await service.admin.post(WEBHOOKS, await newWebhook({ client_tls })),
      ]) {
        assert.deepEqual([refused.status, refused.body.error], [400, "invalid_client_tls"]);
        assert.match(refused.body.detail, detail);
      }
    }
    const ways: [token_url: string, error: string][] = [
      ["http://93.184.216.34/token", "https_required"],
      ["https://10.0.0.1/token", "private_destination"],
    ];
    for (const [token_url, error] of ways)
      for (const [method, path, fields] of [
        ["patch", on(subscription_id), {}],
        ["post", WEBHOOKS, await newWebhook()],
      ] as const) {
        const refused = await service.admin[method](path, { ...fields, oauth: { ...client, token_url } });
        assert.deepEqual([refused.status, refused.body.error], [400, error]);
      }
    const record = await recordOf(subscription_id);
    assert.deepEqual([record.display_name, record.client_tls, record.oauth], ["Acme ERP", null, null]);
  });

  it("come with a contact that is a notification destination of the user's warehouses", async () => {
    const [here, elsewhere] = [await warehouse(), await warehouse()];
    const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [here] });
    const own = (await destination(service.admin, here)).webhook_id;
    const others = (await destination(service.admin, elsewhere)).webhook_id;
    const filter = { subscription_filter: { warehouse_ids: [here] } };
    const { subscription_id } = await subscribeAnywhere(keeper, { ...filter, contact_webhook_id: own });
    assert.equal((await recordOf(subscription_id)).contact_webhook_id, own);
    const refused = [400, { error: "contact_not_found" }];
    assert.deepEqual(statusAndBody(await keeper.patch(on(subscription_id), { contact_webhook_id: others })), refused);
    const asked = await newWebhook({ ...filter, contact_webhook_id: 999_999 });
    assert.deepEqual(statusAndBody(await keeper.post(WEBHOOKS, asked)), refused);
    await db.run("delete from notification_webhooks where webhook_id = $1", [own]);
    assert.equal((await recordOf(subscription_id)).contact_webhook_id, null);
  });
});

describe("webhooks with keys of their own", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let sink: Sink;
  let warehouse_id: number;
  const { start, stopAll } = sendersOf(() => service);
  before(async () => {
    service = await openService({ env: senderEnv });
    sequencer = runSequencer();
  });
  after(async () => {
    await sequencer.stop();
    await service.close();
  });
  beforeEach(async () => {
    warehouse_id = await warehouse();
    start();
  });
  afterEach(async () => {
    await stopAll();
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sink.stop();
  });
  const subscribed = (fields: object) =>
    subscribe(service.admin, sink.url, { subscription_filter: { warehouse_ids: [warehouse_id] }, ...fields });
  const last = () => sink.received.at(-1) as Received;

  it("sign with them beside the secret, the old one too for a day, which strangers can check", async () => {
    sink = await openSink();
    const made = (await subscribed({ signature: "ed25519" })) as Awaited<ReturnType<typeof subscribed>> & {
      public_key: string;
    };
    await emit(warehouse_id, 1, 1);
    await got(sink, 1);
    assert.equal(confirmedBy(made.public_key, last()), 1);
    assert.equal(asymmetric(last().headers).length, 1);
    new Webhook(made.secret).verify(last().body, last().headers as Record<string, string>);
    assert.ok(sink.verifies(last(), made.secret));

    const renewed = await service.admin.ok("POST", `${on(made.subscription_id)}/rotate-secret`);
    assert.match(renewed.public_key, PUBLIC_KEY);
    const { public_keys } = await service.admin.ok("GET", on(made.subscription_id));
    assert.deepEqual(public_keys, [renewed.public_key, made.public_key]);
    await emit(warehouse_id, 1, 2);
    await got(sink, 2);
    for (const one of [renewed.public_key, made.public_key]) assert.equal(confirmedBy(one, last()), 1);

    for (const table of ["webhook_secrets", "webhook_keys"])
      await db.run(`update ${table} set expires_at = now() where expires_at is not null`);
    await clearSecrets(webhookReceivers);
    assert.deepEqual(
      await db.column("select kind from webhook_keys where subscription_id = $1", [made.subscription_id]),
      ["signing"],
    );
    await emit(warehouse_id, 1, 3);
    await got(sink, 3);
    assert.deepEqual([confirmedBy(renewed.public_key, last()), confirmedBy(made.public_key, last())], [1, 0]);

    await service.admin.ok("PATCH", on(made.subscription_id), { signature: "hmac" });
    await emit(warehouse_id, 1, 4);
    await got(sink, 4);
    assert.deepEqual(asymmetric(last().headers), []);
  });

  it("come to a server that wants a certificate and a token, and has an authority of its own", async () => {
    sink = await openSink({ cert: certificate, key, ca: authority, requestCert: true, rejectUnauthorized: true });
    const tokens = await openTokenServer();
    try {
      const { subscription_id } = await subscribed({
        client_tls: { certificate, private_key: key, ca: authority },
        oauth: { ...client, token_url: tokens.url },
      });
      await emit(warehouse_id, 2, 1);
      await got(sink, 2);
      assert.deepEqual(
        sink.received.map(({ authorized, headers }) => [authorized, headers.authorization]),
        Array(2).fill([true, "Bearer token-1"]),
      );
      const { delivered } = await service.admin.ok("POST", `${on(subscription_id)}/test`);
      assert.equal(delivered, true);
      assert.equal(tokens.asked.length, 1);

      await service.admin.ok("PATCH", on(subscription_id), { client_tls: null, display_name: randomUUID() });
      await emit(warehouse_id, 1, 3);
      await until(async () => (await rowsOf(subscription_id)).some(({ error_kind }) => error_kind === "tls"));
      assert.equal(sink.received.length, 3);
    } finally {
      await tokens.close();
    }
  });
});
