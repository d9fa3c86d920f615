import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Id } from "../../platform/fields.js";

/** The kinds of records that the search finds, in the order of the answer (docs/interface.md, Lookups). */
export const kinds = ["item", "bin", "po", "so", "customer", "lot", "serial"] as const;
export type Kind = (typeof kinds)[number];

export const SearchResult = z
  .strictObject({
    type: z.enum(kinds).describe("What kind of record it is."),
    id: z.union([Id, AnyText("7b0e2f4c-5c1d-4e7a-9f53-2d6c8a1b0e9f")]).describe("Id of the record."),
    label: field.Label,
    sublabel: AnyText("Blue mug").nullable().describe("A second line under the label."),
  })
  .meta({
    id: "SearchResult",
    description: "A record that was found. The `id` of a customer is the name, its `sublabel` the newest order.",
  });
export type SearchResult = z.infer<typeof SearchResult>;
