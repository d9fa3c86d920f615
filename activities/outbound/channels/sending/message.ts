import { createHash } from "node:crypto";
import { configure } from "safe-stable-stringify";
import { transformed } from "../../../../src/outbound/channels/config.js";
import { headersOf } from "../../../../src/outbound/webhooks/wire/sign.js";
import type { ChannelDestination, DueItem } from "./batch.js";

const stringify = configure({ deterministic: true });

/**
 * A request to a channel, signed as those to webhooks are (docs/channels.md). Its id follows from its content, so the
 * same one again has the same id.
 */
export function messageOf({ channel_id, transform, secrets }: ChannelDestination, items: DueItem[]) {
  const told = items.map(({ sku, available, version }) => transformed({ sku, available, version }, transform));
  const body = Buffer.from(stringify({ channel_id, items: told }) as string, "utf8");
  const messageId = `avl_${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = headersOf({
    ...{ body, messageId, timestamp, secrets },
    eventId: messageId,
    eventType: "channel.availability",
  });
  return { body, headers };
}
