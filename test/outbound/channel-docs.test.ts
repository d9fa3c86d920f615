import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { messageOf } from "../../activities/outbound/channels/sender.js";
import type { Transform } from "../../src/outbound/channels/config.js";
import { NewChannel } from "../../src/outbound/channels/shapes.js";
import { newSecret } from "../../src/outbound/secrets.js";
import { readConfig } from "../../src/platform/config/config.js";

const page = readFileSync(new URL("../../../docs/channels.md", import.meta.url), "utf8");

const body = (items: { sku: string; available: number; version: number }[], transform: Transform = {}) =>
  messageOf(
    {
      ...{ channel_id: "web-shop", version: "", url: "", transform, perSecond: 1, batchSize: 1 },
      secrets: [{ generation: 1, secret: newSecret() }],
    },
    items.map((item) => ({ item_id: 1, ...item })),
  ).body.toString();

describe("docs/channels.md", () => {
  it("shows a request as it is sent", () => {
    const sent = body([
      { sku: "TSHIRT-M", available: 12, version: 7 },
      { sku: "MUG", available: 0, version: 3 },
    ]);
    assert.ok(page.includes(`\n${sent}\n`), sent);
  });

  it("shows what a transform makes of an item", () => {
    const [, transform = "", item = ""] = /`(\{"rename".*?\}\})` gives `(.*?)`/.exec(page) ?? [];
    const sent = body([{ sku: "TSHIRT-M", available: 12, version: 7 }], JSON.parse(transform));
    assert.equal(sent, `{"channel_id":"web-shop","items":[${item}]}`);
  });

  it("tells the defaults as they are", () => {
    const made = NewChannel.parse({ channel_id: "a", display_name: "A", delivery_url: "https://shop.example.com" });
    for (const field of ["debounce_seconds", "batch_size", "rate_limit_per_second"] as const)
      assert.match(page, new RegExp(`\`${field}\`.*\\(${made[field]}\\)`));
    assert.match(page, /`pending_ceiling` \(100,000\), `dlq_ceiling` \(1,000\)/);
    assert.deepEqual([made.pending_ceiling, made.dlq_ceiling], [100_000, 1_000]);
    const { dispatcherHttpReadTimeoutMs } = readConfig({}, "all");
    assert.match(page, new RegExp(`within ${dispatcherHttpReadTimeoutMs / 1_000} seconds`));
  });
});
