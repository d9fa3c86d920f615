import { z } from "zod";
import { JsonText, open, route } from "../http/route.js";
import { openApi } from "./document.js";
import type { NamedRoute } from "./tags.js";

/** The route that serves the OpenAPI document of all routes. They come as a function, as it is one of them itself. */
export function openApiRoute(routes: () => NamedRoute[]) {
  /** It is large, and anybody may ask: put together once. */
  let document: JsonText | undefined;
  return route("get /api/openapi.json", {
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
      document ??= new JsonText(JSON.stringify(openApi(routes())));
      return document;
    },
  });
}
