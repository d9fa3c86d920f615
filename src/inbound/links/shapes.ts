import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Id, SourceSystemName, Text, Time } from "../../platform/fields.js";
import { list, withTies } from "../../platform/list.js";
import { canonicalTypes } from "../columns.js";

/** Links of ids in source systems to records here. */

export const SourceType = z.enum(Object.values(canonicalTypes)).meta({ examples: ["sales_order"] });
const SourceId = Text(128, "4711").min(1).describe("What the source system calls the record.");

export const NewSourceLink = z
  .strictObject({
    source_system: SourceSystemName.describe("The system that the record comes from."),
    source_type: SourceType,
    source_id: SourceId,
    canonical_id: field.GivenCanonicalId,
  })
  .meta({ id: "NewSourceLink", description: "An id of a source system, and the record here that it is to name." });
export type NewSourceLink = z.infer<typeof NewSourceLink>;

export const SourceLink = NewSourceLink.extend({
  link_id: field.LinkId,
  canonical_id: field.CanonicalId,
  code: z
    .string()
    .nullable()
    .meta({
      description: "SKU, order number, name of a vendor or e-mail of a customer; null where the record is gone.",
      examples: ["SO-1001"],
    }),
  name: z
    .string()
    .nullable()
    .meta({ description: "Of an item or a customer.", examples: [null] }),
  warehouse_id: Id.nullable().describe("Of an order."),
  first_seen_at: Time.describe("When the record was first pushed, or linked."),
  last_updated_at: Time.describe("When a push last changed the record, or when it was linked."),
  warehouse_code: field.WarehouseCode.nullable(),
}).meta({ id: "SourceLink", description: "An id of a source system, and the record here that it names." });
export type SourceLink = z.infer<typeof SourceLink>;

export const sourceLinkList = withTies(
  list(
    "m.mapping_id",
    ...["m.mapping_id as link_id", "m.source_system", "m.source_type", "m.source_id"],
    ...["m.first_seen_at", "m.last_updated_at"],
  ),
  {
    "m.source_system": [
      { column: "m.source_type", order: "asc" },
      { column: "m.source_id", order: "asc" },
    ],
  },
);

export const SourceLinkFilters = z.strictObject({
  ...sourceLinkList.parameters,
  source_system: SourceSystemName.optional().describe("The system that the record comes from."),
  source_type: SourceType.optional(),
  source_id: SourceId.optional(),
  canonical_id: field.GivenCanonicalId.optional(),
});
export type SourceLinkFilters = z.infer<typeof SourceLinkFilters>;

export const DeletedSourceLink = z
  .strictObject({ link_id: field.LinkId, deleted: field.Deleted })
  .meta({ id: "DeletedSourceLink", description: "An id of a source system that names no record any more." });
export type DeletedSourceLink = z.infer<typeof DeletedSourceLink>;
