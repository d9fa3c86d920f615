import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { freePort } from "../../src/launcher/free-port.js";
import { IssuedWebhook, NewWebhook } from "../../src/outbound/webhooks/shapes.js";
import { TestEvent } from "../../src/outbound/webhooks/test-event.js";
import { errorKinds } from "../../src/outbound/wire/error-kinds.js";
import { headersOf } from "../../src/outbound/wire/send.js";
import { readConfig } from "../../src/platform/config/config.js";
import { RETRY_DELAYS_MS } from "../../src/platform/config/webhooks.js";
import { until } from "../support/until.js";
import { envelope, localWire, OLD_SECRET, SECRET, signed } from "../support/wire.js";

const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
/** The rows of its tables by their first cell, without quotes. */
const rows = new Map(
  [...page.matchAll(/^\|(.+)\|$/gm)].map(([, cells = ""]) => {
    const [first = "", ...rest] = cells.split("|").map((cell) => cell.trim().replaceAll("`", ""));
    return [first, rest];
  }),
);
const row = (first: string) => rows.get(first) ?? assert.fail(`no ${first}`);

describe("docs/webhooks.md", () => {
  it("gives an example whose signatures are right", () => {
    const [secret = ""] = row("secret");
    const [timestamp, messageId = ""] = row("timestamp, webhook-id")[0]?.split(", ") ?? [];
    const headers = headersOf({
      body: Buffer.from(row("body")[0] ?? ""),
      eventId: 1,
      eventType: "ship.confirmed",
      messageId,
      timestamp: Number(timestamp),
      secrets: [{ generation: 1, secret }],
    });
    for (const name of ["X-Service-Signature", "webhook-signature"]) assert.equal(row(name)[0], headers[name]);
  });

  it("shows a whole create request with its answer, and a test event", () => {
    const [, asked = ""] = /-d '(\{.*?\})'\n/s.exec(page) ?? [];
    const request = JSON.parse(asked);
    assert.deepEqual(Object.keys(request).toSorted(), Object.keys(NewWebhook.shape).toSorted());
    const parsed = NewWebhook.parse(request);
    const { connector_id, display_name, delivery_url } = request;
    const byDefault = NewWebhook.parse({ connector_id, display_name, delivery_url });
    const { subscription_filter, start_from } = parsed;
    assert.deepEqual({ ...byDefault, subscription_filter, start_from }, parsed);
    assert.ok(page.includes(`\`start_from\` (\`"${byDefault.start_from}"\`)`));
    const [test, answer] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text));
    TestEvent.parse(test);
    const issued = IssuedWebhook.parse(answer);
    for (const field of ["display_name", "delivery_url", "rate_limit_per_second", "dlq_ceiling"] as const)
      assert.equal(issued[field], parsed[field]);
  });

  it("tells the schedule, the limits and the kinds of failure as they are", () => {
    const units = { s: 1_000, min: 60_000, h: 3_600_000 };
    const waits = RETRY_DELAYS_MS.map((_, i) => {
      const [length, unit] = row(`${i + 2}`)[0]?.split(" ") ?? [];
      return Number(length) * units[unit as keyof typeof units];
    });
    assert.deepEqual(waits, RETRY_DELAYS_MS);
    const config = readConfig({}, "all");
    row(`${config.dispatcherHttpConnectTimeoutMs / 1_000} s to accept the connection`);
    row(`${config.dispatcherHttpReadTimeoutMs / 1_000} s between bytes of the answer`);
    row(`${config.dispatcherHttpTimeoutMs / 1_000} s in all`);
    for (const kind of Object.keys(errorKinds)) assert(page.includes(`\`${kind}\``), kind);
  });

  it("points to a receiver that stores what is signed, once, and refuses the rest", async () => {
    const port = await freePort();
    const receiver = spawn(process.execPath, ["dist/examples/webhook-receiver.js"], {
      env: { PORT: `${port}`, WEBHOOK_SECRETS: `${OLD_SECRET},${SECRET}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface(receiver.stdout).on("line", (line) => lines.push(line));
    const wire = localWire();
    const send = async (event_id: number, secret: string) => {
      const url = `http://127.0.0.1:${port}/`;
      const sent = signed(envelope({ event_id }), [secret]);
      return (await wire.send({ url, ...sent })).http_status;
    };
    await until(async () => (await send(1, SECRET)) === 204);
    assert.equal(await send(1, SECRET), 204);
    assert.equal(await send(2, SECRET.replace("A", "B")), 401);
    assert.equal(await send(3, OLD_SECRET), 204);
    const test = signed(envelope({ event_id: 0, event_type: "webhook.test" }), [SECRET]);
    assert.equal((await wire.send({ url: `http://127.0.0.1:${port}/`, ...test })).http_status, 204);
    await until(() => lines.length === 4);
    assert.deepEqual(lines, [
      "verified: 1 ship.confirmed",
      "refused: not signed with our secret",
      "verified: 3 ship.confirmed",
      "verified: a test, which is not stored",
    ]);
    wire.close();
    receiver.kill();
    await once(receiver, "exit");
  });
});
