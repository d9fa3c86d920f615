import { z } from "zod";
import { mappingJsonSchema } from "../../src/inbound/schema.js";
import { open, route } from "../http/route.js";

/** The schema of mapping documents is public, for those who write them (docs/interface.md, Inbound). */
export const getMappingSchema = route("get /api/v1/inbound/mapping-schema", {
  for: open,
  summary: "JSON Schema (Draft 2020-12) of a mapping document",
  answers: {
    200: z.looseObject({ $schema: z.string(), title: z.string() }),
  },
  run: ({ res }) => {
    res.set("Cache-Control", "public, max-age=300");
    return mappingJsonSchema;
  },
});
