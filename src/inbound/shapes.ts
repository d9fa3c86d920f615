import { z } from "zod";
import { type Resource, resources } from "../auth/tokens/scope.js";
import { CappedLimit, Id, listed, Moment, Text, Time, Units } from "../platform/fields.js";
import { wholeList } from "../platform/list.js";
import { type CanonicalType, canonicalTypes } from "./columns.js";

/** Records that other systems push, and what became of them: docs/interface.md, Inbound. */

const example = (value: unknown) => ({ examples: [value] });
const Payload = z.record(z.string(), z.unknown());

export const Push = z
  .strictObject({
    external_id: z.string().min(1).max(128).meta(example("4711")),
    external_version: z.string().min(1).max(64).meta(example("2026-05-06T12:00:00Z")),
    source_payload: Payload.meta(example({ id: 4711, sku: "MUG", title: "Mug" })),
    mapping_overrides: Payload.nullish().meta(example(null)),
  })
  .meta({ id: "Push", description: "A version of a record, as its source system has it." });
export type Push = z.infer<typeof Push>;

const Written = z.strictObject({
  inbound_id: Id,
  canonical_id: z.uuid(),
  canonical_type: z.enum(Object.values(canonicalTypes)),
  received_at: Time,
  warning: Text(200, "The canonical model is a draft (DRAFT-v1) and may break at v2.0"),
});
/** The answer to a push. */
export type Written = z.infer<typeof Written>;

const names = {
  customers: "WrittenCustomer",
  items: "WrittenItem",
  vendors: "WrittenVendor",
  purchase_orders: "WrittenPurchaseOrder",
  sales_orders: "WrittenSalesOrder",
} as const satisfies Record<Resource, string>;

/** The answer to a push of this resource. */
export const writtenTo = (resource: Resource) =>
  Written.extend({
    canonical_type: z.literal(canonicalTypes[resource]) as z.ZodType<CanonicalType>,
  }).meta({
    id: names[resource],
    description: `A pushed ${canonicalTypes[resource].replace("_", " ")}, as it was stored.`,
  });

export const InventoryPush = Push.extend({
  source_payload: Payload.meta(
    example({
      item_external_id: "4711",
      bin_code: "A-01",
      warehouse_id: 1,
      target_quantity: 40,
      reason_code: "RECOUNT",
    }),
  ),
}).meta({ id: "InventoryPush", description: "How much of an item a bin is to hold, as its source system has it." });

/** What the payload of an `InventoryPush` must hold (docs/interface.md, Inbound). */
export const InventoryTarget = z.strictObject({
  item_external_id: z.string(),
  bin_code: z.string(),
  warehouse_id: Id,
  target_quantity: z.int().max(2_147_483_647),
  reason_code: z.string(),
});
export type InventoryTarget = z.infer<typeof InventoryTarget>;

const resultingStock = {
  applied_delta: Units,
  current_quantity: Units,
  target_quantity: Units,
  warehouse_id: Id,
  bin_id: Id,
  item_id: Id,
};
export const InventoryAdjusted = z
  .strictObject({
    canonical_id: z.uuid(),
    adjustment_id: Id,
    ...resultingStock,
    noop: z.literal(false),
  })
  .meta({ id: "InventoryAdjusted", description: "The adjustment that brought a bin to its target." });
export const InventoryUnchanged = z
  .strictObject({ ...resultingStock, noop: z.literal(true) })
  .meta({ id: "InventoryUnchanged", description: "A bin that held its target already." });
export type InventoryUpdated = z.infer<typeof InventoryAdjusted> | z.infer<typeof InventoryUnchanged>;

/** The statuses of refused pushes. */
export const refusedStatuses = ["stale_version", "lookup_miss", "rejected"];
const rowStatuses = [...refusedStatuses, "applied", "superseded"];
/** What a list of pushes can be filtered by; `accepted` selects `applied` and `superseded`. */
export const activityStatuses = ["accepted", ...rowStatuses];

export const InboundActivity = z
  .strictObject({
    resource: Text(16, "sales_orders"),
    inbound_id: Id,
    source_system: Text(64, "acme-shop"),
    external_id: Text(128, "4711"),
    external_version: Text(64, "2026-05-06T12:00:00Z"),
    canonical_id: z.uuid().nullable(),
    received_at: Time,
    status: listed(Text(16, "applied"), rowStatuses),
    superseded_at: Time.nullable(),
    ingested_via_token_id: Id.nullable(),
  })
  .meta({
    id: "InboundActivity",
    description: "A push, accepted or refused. A refused one changed nothing here. One of a connector has no token.",
  });
export type InboundActivity = z.infer<typeof InboundActivity>;

/** What identifies a push: one with the same three is a repeat of it (docs/interface.md, Inbound). */
export type PushKey = Pick<InboundActivity, "source_system" | "external_id" | "external_version">;

/** The answer to a refused push, as its sender got it. */
const InboundRefusal = z
  .looseObject({ error_kind: z.string(), message: z.string().optional().describe("Why it was refused, in words.") })
  .meta({ id: "InboundRefusal", description: "Why a push was refused; some kinds say more." });

export const InboundDetail = InboundActivity.extend({
  source_payload: Payload.nullable(),
  canonical_payload: Payload.nullable(),
  refusal: InboundRefusal.nullable(),
}).meta({
  id: "InboundDetail",
  description:
    "A push: what was sent, and what was stored of it or why it was refused. What was sent is null once its " +
    "retention time is over, or where the same version was refused again later: that push has it.",
});
export type InboundDetail = z.infer<typeof InboundDetail>;

export const InboundFilters = z.strictObject({
  ...wholeList(InboundActivity),
  source_system: Text(64, "acme-shop").optional(),
  resource: listed(Text(64, "sales_orders"), resources).optional(),
  status: listed(Text(64, "accepted"), activityStatuses).optional(),
  since: Moment.optional(),
  until: Moment.optional(),
  limit: CappedLimit(500).default(100),
});
export type InboundFilters = z.infer<typeof InboundFilters>;
