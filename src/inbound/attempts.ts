import { z } from "zod";
import { resources } from "../auth/tokens/scope.js";
import { int } from "../platform/db/columns.js";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, SourceSystemName, Text } from "../platform/fields.js";
import { canonicalTypes } from "./columns.js";
import { MAX_DOCUMENT_KB } from "./document-text.js";
import { Push } from "./shapes.js";

/** A push that is only tried, and what it would do. */

const shown = <S extends z.ZodType>(schema: S, description: string, example?: unknown): S =>
  schema.meta({ description, ...(example !== undefined && { examples: [example] }) });

export const InboundAttempt = z
  .strictObject({
    source_system: SourceSystemName.describe("The system whose push is tried."),
    resource: z.enum(resources).describe("What was pushed."),
    source_payload: Push.shape.source_payload,
    external_id: Push.shape.external_id
      .optional()
      .describe("Id of the record in its source system; without one it is taken for a new record."),
    external_version: Push.shape.external_version
      .optional()
      .describe("Version of the record in its source system; without one it is taken for the newest."),
    warehouse_id: Id.optional().describe(
      "Id of the warehouse that the token would be for; without one those of the caller, all of them for an ADMIN.",
    ),
    mapping_document: shown(
      z
        .string()
        .min(1)
        .max(MAX_DOCUMENT_KB * 1024)
        .optional(),
      "A mapping document as YAML or JSON text, to be tried before it is deployed; without one the loaded one counts.",
      "mapping_version: '1'\nsource_system: acme-shop\nversion_compare: iso_timestamp\nresources: {}",
    ),
  })
  .meta({ id: "InboundAttempt", description: "A push that is only tried." });
export type InboundAttempt = z.infer<typeof InboundAttempt>;

const outcomes = ["create", "update", "adopt", "repeat", "stale", "refused"] as const;

const Values = z.record(z.string(), z.unknown());

const TriedLookup = z
  .strictObject({
    field: shown(Text(100, "lines[0].item_id"), "The column that the lookup is for."),
    source_system: Text(64, "acme-shop").describe("The system whose id is looked up."),
    source_type: shown(z.enum(Object.values(canonicalTypes)), "What kind of record is named.", "item"),
    source_id: shown(z.string(), "Id of the record that is named, in that system.", "4711"),
    required: shown(z.boolean(), "Whether the record has to be known."),
    canonical_id: shown(z.uuid().nullable(), "UUID of the record; null where it is not known."),
  })
  .meta({ id: "TriedLookup", description: "A record that the payload names, and whether it is known here." });

const MetRecord = z
  .strictObject({
    canonical_id: field.CanonicalId,
    name: shown(z.string(), "Number, SKU or name of the record.", "ACME-1001"),
    external_version: field.ExternalVersion.nullable(),
    received_at: field.ReceivedAt.nullable(),
  })
  .meta({ id: "MetRecord", description: "The record that the push would meet, and the version of it that is here." });

export const Tried = z
  .strictObject({
    outcome: shown(z.enum(outcomes), "What would become of the push."),
    values: shown(
      Values.nullable(),
      "The values by column: those that would be written, for a refused push those that the mapping gave.",
      { so_number: "ACME-1001" },
    ),
    lines: shown(z.array(Values).nullable(), "The values of each line; null where none are mapped.", [
      { quantity_ordered: 2 },
    ]),
    lookups: z.array(TriedLookup).describe("The records that the payload names."),
    existing: MetRecord.nullable().describe("The record that the push would meet; null for none."),
    refusal: z
      .looseObject({
        http_status: shown(z.int(), "The status of the answer.", 422),
        error_kind: field.FailureKind,
        message: AnyText("Done").optional().describe("Why it would be refused, in words."),
      })
      .meta({ id: "TriedRefusal", description: "What the sender of the push would be told." })
      .nullable()
      .describe("What the sender was told; null for a push that was accepted."),
    warnings: shown(
      z.array(AnyText("The bin holds another item as well")),
      "What would be written, and may not be what is meant.",
    ),
  })
  .meta({ id: "InboundTried", description: "What a push would become. Nothing was changed." });
export type Tried = z.infer<typeof Tried>;
export type TriedLookup = z.infer<typeof TriedLookup>;
export const MetRow = MetRecord.extend({ warehouse_id: int.nullable() });
export type MetRow = z.infer<typeof MetRow>;
