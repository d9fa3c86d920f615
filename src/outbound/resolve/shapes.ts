import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { ExternalId, Id, SourceSystemName, Text } from "../../platform/fields.js";

/** What the ids in events are of. */
export const RecordType = z
  .enum(["item", "bin", "user", "sales_order", "purchase_order", "receipt", "adjustment", "cycle_count", "transfer"])
  .meta({ description: "What kind of record it is.", examples: ["sales_order"] });
export type RecordType = z.infer<typeof RecordType>;

export const ResolveQuery = z.strictObject({
  type: RecordType,
  id: Text(128, "4711").min(1).describe("As an event has it: the id of the source system, or our UUID."),
  source_system: SourceSystemName.optional().describe("Whose id it is, where several systems use the same ids."),
});
export type ResolveQuery = z.infer<typeof ResolveQuery>;

export const ResolvedRecord = z
  .strictObject({
    type: RecordType,
    external_id: ExternalId,
    code: z.string().meta({
      description: "SKU, bin code, user name or order number; of any other record, its number in the admin panel.",
      examples: ["SO-1001"],
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Of an item or a user; a bin has the name of its zone. Null for what has none.",
        examples: [null],
      }),
    warehouse_id: Id.nullable().describe("Null for items and users, which are of no single warehouse."),
    source_ids: z
      .array(
        z.strictObject({
          source_system: SourceSystemName.describe("The system that the record comes from."),
          external_id: field.IdInSource,
        }),
      )
      .describe("What other systems call it, the earliest first, which is the one in events."),
  })
  .meta({ id: "ResolvedRecord", description: "The record that an id in an event names." });
export type ResolvedRecord = z.infer<typeof ResolvedRecord>;
