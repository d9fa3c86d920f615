import { z } from "zod";
import { type Resource, resources } from "../auth/tokens/scope.js";
import * as field from "../platform/fields/index.js";
import { AnyText, CappedLimit, Id, listed, Moment, sourceSystemKinds, Text, Time, Units } from "../platform/fields.js";
import { wholeList } from "../platform/list.js";
import { type CanonicalType, canonicalTypes } from "./columns.js";

/** Records that other systems push, and the results: docs/interface.md, Inbound. */

export const CanonicalTypeName = z.enum(Object.values(canonicalTypes));

const example = (value: unknown) => ({ examples: [value] });
const Payload = z.record(z.string(), z.unknown());

export const Push = z
  .strictObject({
    external_id: z.string().min(1).max(128).meta(example("4711")).describe("Id of the record in its source system."),
    external_version: z
      .string()
      .min(1)
      .max(64)
      .meta(example("2026-05-06T12:00:00Z"))
      .describe("Version of the record in its source system; greater is newer, as text."),
    source_payload: Payload.meta(example({ id: 4711, sku: "MUG", title: "Mug" })).describe(
      "The record as the source system has it.",
    ),
    mapping_overrides: Payload.nullish()
      .meta(example(null))
      .describe("Refused in a push: what wins over the mapping is set at the token."),
  })
  .meta({ id: "Push", description: "A version of a record, as its source system has it." });
export type Push = z.infer<typeof Push>;

export const Written = z.strictObject({
  inbound_id: field.InboundId,
  canonical_id: field.CanonicalId,
  canonical_type: CanonicalTypeName,
  received_at: field.ReceivedAt,
  warning: Text(200, "The canonical model is a draft (DRAFT-v1) and may break at v2.0").describe(
    "What the user should know, though it was done.",
  ),
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
    canonical_type: z
      .literal(canonicalTypes[resource])
      .describe("What kind of record the canonical id names.") as z.ZodType<CanonicalType>,
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
  ).describe("The record as the source system has it."),
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
  applied_delta: Units.describe("Units by which stock was changed."),
  current_quantity: Units.describe("Units on hand before."),
  target_quantity: Units.describe("Units on hand that the source says."),
  warehouse_id: field.WarehouseId,
  bin_id: field.BinId,
  item_id: field.ItemId,
};
export const InventoryAdjusted = z
  .strictObject({
    canonical_id: field.CanonicalId,
    adjustment_id: field.AdjustmentId,
    ...resultingStock,
    noop: z.literal(false).describe("Whether nothing had to be changed."),
  })
  .meta({ id: "InventoryAdjusted", description: "The adjustment that brought a bin to its target." });
export const InventoryUnchanged = z
  .strictObject({ ...resultingStock, noop: z.literal(true).describe("Whether nothing had to be changed.") })
  .meta({ id: "InventoryUnchanged", description: "A bin that held its target already." });
export type InventoryUpdated = z.infer<typeof InventoryAdjusted> | z.infer<typeof InventoryUnchanged>;

/** The statuses of refused pushes. */
export const refusedStatuses = ["stale_version", "lookup_miss", "rejected"];
const rowStatuses = [...refusedStatuses, "applied", "superseded"];
/** The filters of a list of pushes; `accepted` selects `applied` and `superseded`. */
export const activityStatuses = ["accepted", ...rowStatuses];

export const InboundActivity = z
  .strictObject({
    resource: Text(16, "sales_orders").describe("What was pushed."),
    inbound_id: field.InboundId,
    source_system: Text(64, "acme-shop").describe("The system that the record comes from."),
    external_id: field.IdInSource,
    external_version: field.ExternalVersion,
    canonical_id: field.CanonicalId.nullable(),
    received_at: field.ReceivedAt,
    status: listed(Text(16, "applied"), rowStatuses).describe("Where the record stands in its life."),
    superseded_at: Time.nullable().describe("When a newer version came."),
    ingested_via_token_id: Id.nullable().describe(
      "Id of the integration token that it came with; null where a connector fetched it.",
    ),
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
  .looseObject({
    error_kind: field.FailureKind,
    message: AnyText("Done").optional().describe("Why it was refused, in words."),
  })
  .meta({ id: "InboundRefusal", description: "Why a push was refused; some kinds say more." });

export const InboundDetail = InboundActivity.extend({
  source_payload: Payload.nullable().describe("The record as the source system has it."),
  canonical_payload: Payload.nullable().describe("The record after mapping."),
  refusal: InboundRefusal.nullable().describe("What the sender was told; null for a push that was accepted."),
}).meta({
  id: "InboundDetail",
  description:
    "A push: what was sent, and what was stored of it or why it was refused. What was sent is null once its " +
    "retention time is over, or where the same version was refused again later: that push has it.",
});
export type InboundDetail = z.infer<typeof InboundDetail>;

export const InboundFilters = z.strictObject({
  ...wholeList(InboundActivity),
  source_system: Text(64, "acme-shop").optional().describe("The system that the record comes from."),
  resource: listed(Text(64, "sales_orders"), resources).optional().describe("What was pushed."),
  status: listed(Text(64, "accepted"), activityStatuses).optional().describe("Only pushes that ended so."),
  since: Moment.optional().describe("From this time on."),
  until: Moment.optional().describe("Up to this time."),
  limit: CappedLimit(500).default(100),
});
export type InboundFilters = z.infer<typeof InboundFilters>;

/** Systems that may push records: docs/interface.md, Consumer groups. */

export const SourceSystem = z
  .strictObject({ source_system: field.SourceSystem, kind: z.enum(sourceSystemKinds).describe("What kind it is.") })
  .meta({ id: "SourceSystem", description: "A system that may push records." });
export type SourceSystem = z.infer<typeof SourceSystem>;

export const NewSourceSystem = SourceSystem.extend({
  notes: Text(1000, "The web shop").nullish().describe("Notes on the record."),
}).meta({ id: "NewSourceSystem", description: "A system that is to push records." });
export type NewSourceSystem = z.infer<typeof NewSourceSystem>;

export const DeletedSourceSystem = z
  .strictObject({ source_system: field.SourceSystem, deleted: field.Deleted })
  .meta({ id: "DeletedSourceSystem", description: "A system that may push records no longer." });
export type DeletedSourceSystem = z.infer<typeof DeletedSourceSystem>;
