import { z } from "zod";
import { Id } from "../../platform/fields.js";

/** The kinds of records that the search finds, in the order of the answer (docs/interface.md, Lookups). */
export const kinds = ["item", "bin", "po", "so", "customer"] as const;
export type Kind = (typeof kinds)[number];

export const SearchResult = z
  .strictObject({
    type: z.enum(kinds),
    id: z.union([Id, z.string()]),
    label: z.string(),
    sublabel: z.string().nullable(),
  })
  .meta({
    id: "SearchResult",
    description: "A record that was found. The `id` of a customer is the name, its `sublabel` the newest order.",
  });
export type SearchResult = z.infer<typeof SearchResult>;
