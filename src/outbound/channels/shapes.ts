import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { CappedLimit, Edit, Name, Text, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { channelStates } from "../../platform/states.js";
import { DeliveryUrl, MAX_URL } from "../webhooks/delivery-url.js";
import { Count, Secret } from "../webhooks/shapes.js";
import { SkuScope, Transform } from "./config.js";

/** The fields of channels: docs/interface.md, Channels. */

const EXAMPLE = "web-shop";
/** The caller chooses it; it stands in paths. */
const ChannelId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "Expected a letter or digit, then up to 63 letters, digits, or _ . -")
  .meta({ description: "Name of the channel, unique and for good.", examples: [EXAMPLE] });
/** In a path; one that cannot be is not found. */
export const ChannelInPath = z
  .string()
  .meta({ description: "Name of the channel, unique and for good.", examples: [EXAMPLE] });

const DisplayName = Name(128, "Web shop").describe("Name for people.");
const RatePerSecond = z
  .int()
  .min(1)
  .max(1_000)
  .meta({ description: "Most requests to the channel in a second.", examples: [10] });
const BatchSize = z
  .int()
  .min(1)
  .max(1_000)
  .meta({ description: "Most items in one request.", examples: [100] });
const DebounceSeconds = z
  .int()
  .min(0)
  .max(3_600)
  .meta({
    description: "How long after its first change an item is sent; further changes until then are sent with it.",
    examples: [30],
  });
const PendingCeiling = z
  .int()
  .min(100)
  .max(1_000_000)
  .meta({
    description: "With so many items waiting to be sent, a failed request pauses the channel.",
    examples: [100_000],
  });
const DlqCeiling = z
  .int()
  .min(10)
  .max(100_000)
  .meta({ description: "So many items in the dead-letter list pause the channel.", examples: [1_000] });

const LastError = Text(512, "5xx: HTTP status 503");

export const NewChannel = z.strictObject({
  channel_id: ChannelId,
  display_name: DisplayName,
  delivery_url: DeliveryUrl.describe("Where the shop is told."),
  sku_scope: SkuScope.default({}),
  transform: Transform.default({}),
  rate_limit_per_second: RatePerSecond.default(10),
  batch_size: BatchSize.default(100),
  debounce_seconds: DebounceSeconds.default(30),
  pending_ceiling: PendingCeiling.default(100_000),
  dlq_ceiling: DlqCeiling.default(1_000),
});
export type NewChannel = z.infer<typeof NewChannel>;

export const ChannelEdit = Edit({
  display_name: DisplayName,
  delivery_url: DeliveryUrl.describe("Where the shop is told."),
  sku_scope: SkuScope,
  transform: Transform,
  rate_limit_per_second: RatePerSecond,
  batch_size: BatchSize,
  debounce_seconds: DebounceSeconds,
  pending_ceiling: PendingCeiling,
  dlq_ceiling: DlqCeiling,
  status: z.enum(["active", "paused"]).describe("Where the record stands in its life."),
});

export const Channel = z
  .strictObject({
    channel_id: ChannelId,
    display_name: Text(128, "Web shop").describe("Name for people."),
    delivery_url: Text(MAX_URL, "https://shop.example.com/availability").describe("Where the shop is told."),
    sku_scope: z.unknown().describe("As it is stored; a malformed one pauses the channel."),
    transform: z.unknown().describe("As it is stored; a malformed one pauses the channel."),
    status: z
      .enum(Object.keys(channelStates) as [keyof typeof channelStates])
      .describe("Where the record stands in its life."),
    pause_reason: z
      .enum(["manual", "pending_ceiling", "dlq_ceiling", "malformed_config"])
      .nullable()
      .describe("Why the channel is paused; null while it is not."),
    rate_limit_per_second: RatePerSecond,
    batch_size: BatchSize,
    debounce_seconds: DebounceSeconds,
    pending_ceiling: PendingCeiling,
    dlq_ceiling: DlqCeiling,
    item_count: Count.describe("Items that the channel is told of."),
    dirty_count: Count.describe("Those of them that wait to be sent."),
    dlq_count: Count.describe("Those whose attempts all failed."),
    failures: Count.describe("Requests that failed, one after the other, up to now."),
    retry_at: Time.describe("Nothing is sent before; null unless the last request failed.").nullable(),
    last_error: LastError.describe("Why the last request failed; null when it did not.").nullable(),
    last_published_at: Time.describe("When the channel last accepted a request.").nullable(),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Channel", description: "A shop that is told how many units of each item can be sold." });
export type Channel = z.infer<typeof Channel>;

export const IssuedChannel = Channel.extend({
  secret: Secret,
  secret_generation: z.literal(1).describe("Which of the secrets that one is: the newest."),
});
export const RotatedChannelSecret = IssuedChannel.pick({ channel_id: true, secret: true, secret_generation: true });
export const RevokedChannel = z.strictObject({
  channel_id: ChannelId,
  status: z.literal("revoked").describe("Where the record stands in its life."),
});

export const ParkedItem = z
  .strictObject({
    item_id: field.ItemId,
    sku: Text(128, "TSHIRT-M").describe("Stock keeping unit: the item's own code, unique."),
    available_qty: Count.describe("What the channel should have been told."),
    attempt_count: Count.describe("How often that was tried."),
    last_error: LastError.describe("Why the last attempt failed.").nullable(),
  })
  .meta({ id: "ParkedItem", description: "An item that a channel did not take." });
export type ParkedItem = z.infer<typeof ParkedItem>;

export const parkedList = list("item_id", "item_id", "sku", "available as available_qty", "attempts as attempt_count");

const LONGEST_PAGE = 10_000;
export const ParkedQuery = z.strictObject({
  sort: parkedList.parameters.sort,
  limit: CappedLimit(LONGEST_PAGE).default(1_000),
  offset: field.OffsetParam.default(0),
});
export type ParkedQuery = z.infer<typeof ParkedQuery>;
