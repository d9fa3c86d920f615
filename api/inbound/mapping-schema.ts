import { z } from "zod";
import { mappingJsonSchema } from "../../src/inbound/schema.js";
import { AnyText } from "../../src/platform/fields.js";
import { open, route } from "../http/route.js";

/** The schema of mapping documents is public, for people who write them (docs/interface.md, Inbound). */
export const getMappingSchema = route("get /api/v1/inbound/mapping-schema", {
  for: open,
  summary: "JSON Schema (Draft 2020-12) of a mapping document",
  answers: {
    200: z.looseObject({
      $schema: AnyText("https://json-schema.org/draft/2020-12/schema").describe(
        "Which draft of JSON Schema the document follows.",
      ),
      title: AnyText("ship.confirmed").describe("Title of the schema."),
    }),
  },
  run: ({ res }) => {
    res.set("Cache-Control", "public, max-age=300");
    return mappingJsonSchema;
  },
});
