import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createCipheriv, randomBytes, randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { destinationOf } from "../../activities/outbound/webhooks/sending/post.js";
import { createApp } from "../../api/app.js";
import { close, listen, portOf } from "../../api/http/server.js";
import { CannotUnseal, type EncryptionKeys, keyId, seal, unseal } from "../../src/auth/sealed.js";
import { secretOwner } from "../../src/outbound/secrets.js";
import { runSequencer } from "../../workers/sequencer.js";
import { startWorker } from "../../workers/worker.js";
import { Caller } from "../support/caller.js";
import { certificate, key as private_key } from "../support/certificates.js";
import { CHANNELS, newChannel, storedChannelSecrets } from "../support/channels.js";
import { db } from "../support/db.js";
import { emit, got, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { inspect } from "../support/inspect.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { newWebhook, WEBHOOKS } from "../support/webhooks.js";

const oauth = { token_url: "https://93.184.216.34/token", client_id: "us", client_secret: "of the partner" };
const newKey = () => randomBytes(32).toString("base64");
/** A text as it was sealed before there were key ids. */
function sealedInOldFormat(text: string, key: string): string {
  const nonce = randomBytes(12);
  const bytes = Buffer.from(key, "base64");
  const cipher = createCipheriv("aes-256-gcm", bytes, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

describe("a sealed text", () => {
  const old = newKey();
  const now = newKey();
  const first: EncryptionKeys = { encryptionKey: old, encryptionKeysPrevious: [] };
  const both = { encryptionKey: now, encryptionKeysPrevious: [old] };
  const last = { encryptionKey: now, encryptionKeysPrevious: [] };

  it("is read under any known key, and sealed under the current one", () => {
    const sealed = seal("secret", "owner", first);
    assert.match(sealed, new RegExp(`^v1\\.${keyId(old)}\\.[A-Za-z0-9+/=]+$`));
    assert.equal(unseal(sealed, "owner", both), "secret");
    const anew = seal("secret", "owner", both);
    assert.ok(anew.startsWith(`v1.${keyId(now)}.`));
    assert.equal(unseal(anew, "owner", last), "secret");
  });

  it("of the old format is read under any known key", () => {
    const sealed = sealedInOldFormat("secret", old);
    assert.equal(unseal(sealed, "owner", both), "secret");
    assert.throws(() => unseal(sealed, "owner", last), {
      name: "CannotUnseal",
      message: [
        "owner is sealed in the old format, under none of the known encryption keys",
        `${keyId(now)}, or was altered`,
      ].join(" "),
    });
  });

  it("under an unknown key is refused with the key's id", () => {
    const sealed = seal("secret", "owner", first);
    assert.throws(() => unseal(sealed, "owner", last), {
      name: "CannotUnseal",
      message: `owner is sealed under the encryption key ${keyId(old)}, which is unknown here; known are ${keyId(now)}`,
    });
  });

  it("is read by its owner alone, and only as it was written", () => {
    const sealed = seal("secret", "owner", last);
    const altered = `${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`;
    for (const [text, owner] of [
      [sealed, "other"],
      [altered, "owner"],
      [`v1.${keyId(now)}.AAAA`, "owner"],
    ] as const)
      assert.throws(() => unseal(text, owner, last), CannotUnseal);
  });
});

describe("rotation of SERVICE_ENCRYPTION_KEY", function () {
  this.timeout(120_000);
  const now = newKey();
  let service: TestService;
  let both: TestService["config"];
  let last: TestService["config"];
  let warehouse_id: number;
  let sink: Sink;
  let sequencer: ReturnType<typeof runSequencer>;
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  before(async () => {
    service = await openService({ env: senderEnv });
    const old = service.config.encryptionKey;
    both = { ...service.config, encryptionKey: now, encryptionKeysPrevious: [old] };
    last = { ...both, encryptionKeysPrevious: [] };
    sequencer = runSequencer();
    sink = await openSink();
    warehouse_id = await warehouse();
  });
  after(async () => {
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await worker?.stop();
    await sequencer.stop();
    await sink.stop();
    await service.close();
  });

  /** Calls an API that runs with another configuration. */
  async function withApi<T>(config: TestService["config"], call: (admin: Caller) => Promise<T>): Promise<T> {
    const app = createApp(config, inspect);
    const server: Server = await listen(app, "127.0.0.1", 0);
    const url = `http://127.0.0.1:${portOf(server)}`;
    try {
      const { headers, username, userId } = service.admin;
      return await call(new Caller(url, headers, username, userId));
    } finally {
      await close(server);
    }
  }
  async function workWith(config: TestService["config"]): Promise<void> {
    await worker?.stop();
    worker = await startWorker(config);
  }
  const run = promisify(execFile);
  const rotate = (config: EncryptionKeys) =>
    run(process.execPath, [fileURLToPath(new URL("../../workers/rotate-encryption-key.js", import.meta.url))], {
      env: {
        ...process.env,
        DATABASE_URL: service.config.databaseUrl,
        SERVICE_ENCRYPTION_KEY: config.encryptionKey,
        SERVICE_ENCRYPTION_KEYS_PREVIOUS: config.encryptionKeysPrevious.join(","),
      },
    });
  const audited = () =>
    db.rows<{ user_id: string; details: object }>(
      "select user_id, details from audit_log where action_type = 'ENCRYPTION_KEY_ROTATE' order by log_id",
    );
  const ids = () =>
    db.column<string>(`select distinct split_part(sealed, '.', 2) as id
         from (select secret_ciphertext as sealed from webhook_secrets
               union all select secret_ciphertext from channel_secrets
               union all select sealed from webhook_keys
               union all select answer->>'sealed' from command_log where answer->>'sealed' is not null) s`);

  it("keeps deliveries signed with the right secret before, during and after, and repeats what was shown", async () => {
    await workWith(service.config);
    const key = randomUUID();
    const again = (by: Caller, what: string) => by.with({ "idempotency-key": `${what} ${key}` });
    const asked = await newWebhook();
    const shown = await again(service.admin, "webhook").ok("POST", WEBHOOKS, asked);
    const shop = newChannel();
    const opened = await again(service.admin, "channel").ok("POST", CHANNELS, shop);
    await service.admin.ok("POST", `${CHANNELS}/${shop.channel_id}/rotate-secret`);
    const token = { token_name: "web shop", warehouse_ids: [warehouse_id], endpoints: ["events.poll"] };
    const issued = await again(service.admin, "token").ok("POST", "/api/admin/tokens", token);
    const filter = { subscription_filter: { warehouse_ids: [warehouse_id] } };
    const { subscription_id, secret } = await subscribe(service.admin, sink.url, filter);
    const other = await subscribe(service.admin, `${sink.url}/other`, {
      subscription_filter: { warehouse_ids: [await warehouse()] },
    });
    await db.run("update webhook_secrets set secret_ciphertext = $2 where subscription_id = $1", [
      other.subscription_id,
      sealedInOldFormat(other.secret, service.config.encryptionKey),
    ]);
    const keyed = { signature: "ed25519", client_tls: { certificate, private_key }, oauth };
    await service.admin.ok("PATCH", `${WEBHOOKS}/${other.subscription_id}`, keyed);
    await emit(warehouse_id, 1, 1);
    await got(sink, 1);

    await workWith(both);
    await emit(warehouse_id, 1, 2);
    await got(sink, 2);
    const renewed = await withApi(both, (admin) => admin.ok("POST", `${WEBHOOKS}/${subscription_id}/rotate-secret`));
    await emit(warehouse_id, 1, 3);
    await got(sink, 3);

    const [told] = await Promise.all([rotate(both), emit(warehouse_id, 1, 4)]);
    // Of the four secrets of webhooks the renewed one is under the new key already. Answers showed these four, two of
    // the channel, and the token.
    assert.equal(
      told.stdout,
      `Encryption key ${keyId(now)}: sealed 3 webhook secrets, 3 webhook keys, 2 channel secrets, ` +
        "0 notification URLs and secrets, 0 connector credentials, 0 API keys of printers, " +
        "0 carrier accounts, 0 authenticator apps, and 6 kept answers anew.\n" +
        "All stored secrets are sealed under it.\n",
    );
    assert.deepEqual(await ids(), [keyId(now)]);
    assert.deepEqual(await audited(), [
      { user_id: "system", details: { key_id: keyId(now), webhook_secrets: 3 } },
      { user_id: "system", details: { key_id: keyId(now), webhook_keys: 3 } },
      { user_id: "system", details: { key_id: keyId(now), channel_secrets: 2 } },
      { user_id: "system", details: { key_id: keyId(now), kept_answers: 6 } },
    ]);
    await got(sink, 4);

    await workWith(last);
    await emit(warehouse_id, 1, 5);
    await got(sink, 5);
    for (const [at, request] of sink.received.entries()) {
      assert.equal(sink.verifies(request, secret), true, `${at}: the old one`);
      assert.equal(sink.verifies(request, renewed.secret), at >= 2, `${at}`);
    }
    await withApi(last, async (admin) => {
      assert.deepEqual(await again(admin, "webhook").ok("POST", WEBHOOKS, asked), shown);
      assert.deepEqual(await again(admin, "channel").ok("POST", CHANNELS, shop), opened);
      assert.deepEqual(await again(admin, "token").ok("POST", "/api/admin/tokens", token), issued);
    });
    const found = await destinationOf(other.subscription_id, last);
    assert.ok(typeof found === "object");
    assert.deepEqual(found.secrets, [{ generation: 1, secret: other.secret }]);
    assert.equal(found.signingKeys?.length, 1);
    assert.deepEqual([found.oauth?.client_secret, found.tls === undefined], [oauth.client_secret, false]);
    const [, before] = await storedChannelSecrets(shop.channel_id, last);
    assert.equal(before?.secret, opened.secret);
  });

  it("run again changes nothing and writes nothing", async () => {
    const state = () => db.rows("select secret_ciphertext from webhook_secrets order by 1");
    const [rows, entries] = [await state(), await audited()];
    const { stdout } = await rotate(last);
    assert.match(
      stdout,
      /sealed 0 webhook \w+, 0 webhook \w+, 0 channel \w+, 0 .*0 connector \w+, .*, and 0 kept answers anew\./,
    );
    assert.deepEqual([await state(), await audited()], [rows, entries]);
  });

  it("leaves what it cannot read, says under which key that is, and does the rest", async () => {
    const stranger = { encryptionKey: newKey(), encryptionKeysPrevious: [] };
    const fresh = await subscribe(service.admin, sink.url);
    const lost = await subscribe(service.admin, sink.url);
    const owner = secretOwner(lost.subscription_id);
    await db.run(`update webhook_secrets set secret_ciphertext = $2 where subscription_id = $1`, [
      lost.subscription_id,
      seal(lost.secret, owner, stranger),
    ]);
    const why =
      `${owner} is sealed under the encryption key ${keyId(stranger.encryptionKey)}, which is unknown here; ` +
      `known are ${keyId(now)}, ${keyId(service.config.encryptionKey)}`;
    await assert.rejects(rotate(both), {
      code: 1,
      stdout:
        `Encryption key ${keyId(now)}: sealed 1 webhook secrets, 0 webhook keys, 0 channel secrets, ` +
        "0 notification URLs and secrets, 0 connector credentials, 0 API keys of printers, " +
        "0 carrier accounts, 0 authenticator apps, and 2 kept answers anew.\n",
      stderr: `Not sealed anew: ${why}.\n`,
    });
    await assert.rejects(destinationOf(lost.subscription_id, both), { name: "CannotUnseal", message: why });
    const read = await destinationOf(fresh.subscription_id, last);
    assert.ok(typeof read === "object");
    assert.equal(read.secrets[0]?.secret, fresh.secret);
  });

  it("leaves each secret to its own: one copied to another subscription is not read there", async () => {
    const [one, other] = [await subscribe(service.admin, sink.url), await subscribe(service.admin, sink.url)];
    await db.run(
      `update webhook_secrets set secret_ciphertext =
         (select secret_ciphertext from webhook_secrets where subscription_id = $1) where subscription_id = $2`,
      [one.subscription_id, other.subscription_id],
    );
    await assert.rejects(destinationOf(other.subscription_id, both), {
      name: "CannotUnseal",
      message:
        `webhook_secret:${other.subscription_id} is sealed under the encryption key ` +
        `${keyId(service.config.encryptionKey)}, but was altered or belongs to something else`,
    });
  });
});
