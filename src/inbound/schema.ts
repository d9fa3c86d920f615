import { z } from "zod";
import { type Resource, resources } from "../auth/tokens/scope.js";
import { adoptionKeys, canonicalTypes } from "./columns.js";
import { convert } from "./convert.js";
import { readExpression, reservedNames } from "./expression/parse.js";
import { Fault } from "./fault.js";
import { readPath } from "./read-path.js";
import { compiled, rules } from "./rules.js";
import { versionComparisons } from "./versions.js";

/**
 * The schema of mapping documents (docs/interface.md, Inbound). Parsing a document also compiles its paths and
 * expressions, so that their faults are reported like any other and pushes do not parse them again.
 */

const JsonPath = compiled(z.string().max(512), readPath).describe(
  "RFC 9535, of names, indexes, * and filters: `$.a.b`, `$.a[0].b`, `$.a[*].b`, `$.a[?(@.key=='x')].b`",
);

const CrossSystemLookup = z
  .strictObject({
    source_type: z.enum(Object.values(canonicalTypes)),
    source_system: z.string().min(1).max(64).optional().describe("The document's own, when it is left out"),
  })
  .meta({ id: "CrossSystemLookup" });

/** A path whose value an expression uses, by name; `source` and Python's words mean something else there. */
const PathName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "is no name of a path, which is letters, digits and _")
  .refine((name) => !reservedNames.has(name), "is a name that expressions use");

const DerivedExpression = z
  .strictObject({
    expression: z
      .string()
      .max(1000)
      .describe("Over `source` and the names of `paths`, with int, float, str, len, abs, min, max, round"),
    paths: z.record(PathName, JsonPath).optional().describe("Names for what paths find; None for nothing"),
    when_present: JsonPath.optional(),
  })
  .transform(({ expression, paths = {}, when_present }, context) => {
    try {
      return { expression: readExpression(expression, new Map(Object.entries(paths))), when_present };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue({ code: "custom", path: ["expression"], message: error.message });
      return z.NEVER;
    }
  })
  .meta({ id: "DerivedExpression" });

const decimalOnly = ["max_digits", "decimal_places", "ge", "le"] as const;

const FieldMapping = z
  .strictObject({
    canonical: z.string().min(1).max(64),
    ...rules,
    source_path: JsonPath.optional(),
    required: z.boolean().default(false),
    default: z.unknown().optional().describe("For what the payload lacks"),
    derived: DerivedExpression.optional(),
    cross_system_lookup: CrossSystemLookup.optional(),
    empty_as_null: z
      .boolean()
      .optional()
      .describe("Whether a blank text is nothing; the document's, when it is left out"),
    rename: z.unknown().optional().describe("Accepted, and not used"),
  })
  .superRefine((field, context) => {
    const refuse = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    if (!field.source_path && !field.derived && field.default === undefined)
      refuse("source_path", "a source_path, a derived or a default is needed");
    if ((field.type === "enum") !== (field.enum_values !== undefined))
      refuse("enum_values", "belongs to type enum, which needs it");
    for (const key of decimalOnly)
      if (field.type !== "decimal" && field[key] !== undefined) refuse(key, "belongs to type decimal");
    if (field.cross_system_lookup && !field.source_path && !field.derived)
      refuse("cross_system_lookup", "needs a source_path or a derived");
    try {
      if (!field.cross_system_lookup) convert(field, field.default ?? null);
    } catch (error) {
      refuse("default", (error as Error).message);
    }
  })
  .meta({
    id: "FieldMapping",
    anyOf: ["source_path", "derived", "default"].map((key) => ({ properties: { [key]: true }, required: [key] })),
  });
export type FieldMapping = z.output<typeof FieldMapping>;

const Fields = z.array(FieldMapping).max(100);

const LineItemMapping = z
  .strictObject({
    source_path: JsonPath.describe("Leads to the list of lines"),
    canonical_path: z.string().min(1).max(64),
    fields: Fields,
  })
  .meta({ id: "LineItemMapping" });

export const ResourceDeclaration = z
  .strictObject({
    canonical_type: z.enum(Object.values(canonicalTypes)),
    adopt_by: z
      .enum(Object.values(adoptionKeys).flat())
      .optional()
      .describe("A record that the source sends for the first time is the one that is here with the same value"),
    fields: Fields,
    line_items: LineItemMapping.optional(),
  })
  .meta({ id: "ResourceMapping" });

const perResource = Object.fromEntries(resources.map((name) => [name, ResourceDeclaration.optional()])) as Record<
  Resource,
  z.ZodOptional<typeof ResourceDeclaration>
>;

export const MappingSchema = z
  .strictObject({
    mapping_version: z.string().min(1).max(64),
    source_system: z.string().min(1).max(64),
    version_compare: z.enum(versionComparisons),
    empty_as_null: z.boolean().default(false).describe("Whether a blank text is nothing, for all fields"),
    resources: z.strictObject(perResource),
  })
  .meta({ title: "Mapping document" });

/** The JSON Schema (Draft 2020-12) of a mapping document. */
export const mappingJsonSchema = z.toJSONSchema(MappingSchema, {
  io: "input",
}) as { $schema: string; title: string; [keyword: string]: unknown };
