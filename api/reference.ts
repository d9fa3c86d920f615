import { z } from "zod";
import { openApi } from "./openapi.js";
import { open, route } from "./route.js";

let document: ReturnType<typeof openApi> | undefined;

export const openApiDocument = route("get /api/openapi.json", {
  for: open,
  summary: "This interface, as an OpenAPI 3.1 document",
  answers: {
    200: z.looseObject({
      openapi: z.literal("3.1.1"),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.unknown()),
    }),
  },
  run: async () => {
    // Not imported above: `routes` holds this very route.
    document ??= openApi((await import("./routes.js")).routes);
    return document;
  },
});
